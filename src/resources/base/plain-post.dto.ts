import { IsSearchText } from '../../http/params/checks.js';
import { PostListArgs, ReadArgs } from '../../http/params/list-args.js';
import { BodyExample, RestArg } from '../../http/params/rest-arg.js';
import {
  AuthorArg,
  DateArg,
  DateUtcArg,
  DescriptionArg,
  ImageArg,
  SlugArg,
  StatusArg,
  TitleArg,
} from '../../http/params/write-args.js';
import type { WritableStatus } from '../../wordpress/posts/post-statuses.js';

/** Body of a create or update of a plain post; undefined was not sent. */
@BodyExample({ title: 'A first title' })
export class PlainPostFields {
  @AuthorArg() author?: number;
  @DateArg() date?: string;
  @DateUtcArg() date_utc?: string;
  @TitleArg('Title.') title?: string;
  @DescriptionArg() description?: string;
  @SlugArg() slug?: string;
  @StatusArg() status?: WritableStatus;
  @ImageArg() image?: string;
}

const EmbedArg = (): PropertyDecorator =>
  RestArg({
    isExtension: true,
    description: 'Relations whose records are added as `_embedded`, separated by commas; 1 adds all.',
    schema: { type: 'string' },
  });

/** Parameters of reading one plain post. */
export class PlainPostQuery extends ReadArgs {
  @EmbedArg() _embed?: unknown;
}

/** Parameters of a list of plain posts. */
export class PlainPostListQuery extends PostListArgs {
  @EmbedArg() _embed?: unknown;
  @RestArg({ type: 'string', description: 'Text in title, excerpt or description.' })
  @IsSearchText()
  search?: string;
}
