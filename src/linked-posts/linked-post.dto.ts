import { positiveInteger, postId, statusFilter, searchText } from '../http/checks.js';
import { parsePerPage, parseStatuses, shownPerPage } from '../http/list-args.js';
import { type Check, RestArg } from '../http/rest-arg.js';
import { searchPieces } from '../wordpress/posts/search-terms.js';
import { isTruthyWord } from '../wordpress/formatting/truthy-word.js';
import type { LinkedPostType } from './linked-post-type.js';

/** Parameters of a list of venues or organizers. */
export interface ListLinkedPostsQuery {
  page: number;
  per_page: number;
  search?: string;
  event?: number;
  /** As sent: the links repeat it. */
  has_events?: unknown;
  only_with_upcoming: boolean;
  status?: string[];
  password?: unknown;
  context?: unknown;
}

/** Each piece is compared with every field of every record. */
const MOST_PIECES = 100;

const fewWords: Check = async (value, context) => {
  const fault = await searchText(value, context);
  if (fault !== true) return fault;
  return searchPieces(String(value)).length <= MOST_PIECES || `may hold at most ${MOST_PIECES} words.`;
};

/** The parameters class of `GET /venues` or `GET /organizers`. */
export function listQueryOf({ type, many: plural }: LinkedPostType): new () => ListLinkedPostsQuery {
  class ListQuery implements ListLinkedPostsQuery {
    @RestArg({
      default: 1,
      type: 'integer',
      check: positiveInteger,
      description: 'The page of results to return.',
    })
    page: number;
    @RestArg({
      shownDefault: shownPerPage,
      type: 'integer',
      check: positiveInteger,
      parse: parsePerPage,
      description: `How many ${plural} per page, at most 50.`,
    })
    per_page: number;
    @RestArg({
      type: 'string',
      check: fewWords,
      description: 'Text in title, description or custom fields.',
    })
    search?: string;
    @RestArg({
      type: 'integer',
      check: postId('tribe_events', 'event'),
      description: `Only ${plural} of this event.`,
    })
    event?: number;
    @RestArg({
      shownType: 'boolean',
      description: `Only ${plural} that have events, or only those that have none.`,
    })
    has_events?: unknown;
    @RestArg({
      default: false,
      shownType: 'boolean',
      parse: isTruthyWord,
      description: `Only ${plural} that have upcoming events.`,
    })
    only_with_upcoming: boolean;
    @RestArg({
      format: 'string',
      check: statusFilter(type),
      parse: parseStatuses,
      description: `Only ${plural} with one of these statuses.`,
    })
    status?: string[];
    @RestArg({ undeclared: true, description: 'Opens records that are protected by this password.' })
    password?: unknown;
    @RestArg({ undeclared: true, description: 'edit opens protected records that the caller may edit.' })
    context?: unknown;
  }
  return ListQuery;
}

/** Parameters of reading one venue or organizer. */
export class GetLinkedPostQuery {
  @RestArg({ undeclared: true, description: 'The password of a protected record.' })
  password?: unknown;
  @RestArg({ undeclared: true, description: 'edit opens a protected record that the caller may edit.' })
  context?: unknown;
}
