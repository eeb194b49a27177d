import { BodyExample } from '../http/body-example.js';
import { IsSearchText } from '../http/checks.js';
import { ImageArg } from '../http/image-arg.js';
import { PostListArgs } from '../http/list-args.js';
import { RestArg } from '../http/rest-arg.js';
import {
  AuthorArg,
  DateArg,
  DateUtcArg,
  DescriptionArg,
  SlugArg,
  StatusArg,
  TitleArg,
} from '../http/write-args.js';
import type { WritableStatus } from '../wordpress/posts/post-statuses.js';

/** What a create or an update of a post with nothing of its own may send; undefined was not sent. */
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

/** Parameters of a list of such posts. */
export class PlainPostListQuery extends PostListArgs {
  @RestArg({ type: 'string', description: 'Text in title, excerpt or description.' })
  @IsSearchText()
  search?: string;
}
