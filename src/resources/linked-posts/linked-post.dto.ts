import { Transform } from 'class-transformer';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import type { TransformParams } from '../../http/params/check-context.js';
import { IsOneValue, IsPostOf, IsSearchText } from '../../http/params/checks.js';
import { PostListArgs } from '../../http/params/list-args.js';
import { makeCheck } from '../../http/params/make-check.js';
import { RestArg } from '../../http/params/rest-arg.js';
import { isTruthyWord } from '../../lib/wordpress-text/formatting/truthy-word.js';
import { searchPieces } from '../../wordpress/posts/search-terms.js';

/** Maximum search words: each is compared with every field of every record. */
const MAX_PIECES = 100;

const HasFewWords = makeCheck(
  'hasFewWords',
  `may hold at most ${MAX_PIECES} words.`,
  (value) => searchPieces(String(value)).length <= MAX_PIECES,
);

/** Parameters of a list of venues or organizers; subclasses declare `status`. */
export class ListLinkedPostsQuery extends PostListArgs {
  @RestArg({ type: 'string', description: 'Text in title, description or custom fields.' })
  @HasFewWords()
  @IsSearchText()
  search?: string;
  @RestArg({ type: 'integer', description: 'Only those of this event.' })
  @IsPostOf(EVENT_POST_TYPE, 'event')
  event?: number;
  /** As sent, because links repeat it. */
  @RestArg({
    shownType: 'boolean',
    description: 'Only those that have events, or only those that have none.',
  })
  @IsOneValue()
  has_events?: unknown;
  @RestArg({ default: false, shownType: 'boolean', description: 'Only those that have upcoming events.' })
  @IsOneValue()
  @Transform(({ value }: TransformParams) => isTruthyWord(value))
  only_with_upcoming?: boolean;
  status?: string[];
}
