import type { RequestContext } from '../../../http/request-context.js';
import type { PostIdSet } from '../../../wordpress/search-index/post-id-set.js';
import type { ListVisibility } from '../../../wordpress/users/list-visibility.js';
import { type ListOrder, type ModifiedEdge, modifiedEdges } from '../../base/list-additions.js';
import type { Places } from '../../venues/venue-places.service.js';
import { type ComparedColumns, comparedColumns } from '../compared-columns.js';
import type { ListEventsQuery } from '../event.dto.js';
import { comparedDates, type EventWindow } from '../event.query.js';
import { isStorable } from '../event-dates.js';
import { EVENT } from '../event-type.js';
import type { SetKind } from './event-sets.js';
import { sortableDate } from './sortable-date.js';

/** Sortable dates, both ends included. */
export interface Range {
  from: number;
  to: number;
}

/** The filters and the order of a list of events, without its page. */
export interface EventIndexQuery {
  columns: ComparedColumns;
  start: Range;
  end: Range;
  /** Sets of which an event must be in each, by one of the ids. */
  sets: readonly { kind: SetKind; ids: readonly number[] }[];
  featured?: boolean;
  /** The events that a search matches. */
  found?: PostIdSet;
  /** Edges of the last change. */
  modified?: readonly ModifiedEdge[];
  /** The requested order, with the distances of venues for `distance`. */
  order?: { name: string; isDescending: boolean; metres?: ReadonlyMap<number, number> };
}

/**
 * `eventQuery` for the index, without a search; undefined where only SQL can answer: other statuses, ids, parents, authors,
 * unusual dates. Each of its conditions must be used here or lead to undefined: the index ignores others.
 */
export function eventIndexQuery(
  query: ListEventsQuery,
  window: EventWindow,
  context: RequestContext,
  places?: Places,
): EventIndexQuery | undefined {
  const { include, post_parent: parent, venue, organizer, categories, tags, featured } = query;
  if ([include, parent, query.author].some((filter) => filter !== undefined)) return undefined;
  if (query.with_hidden) return undefined;
  if (!isPublished(context.access.visibility(EVENT.type, query.status))) return undefined;
  const columns = comparedColumns(context.settings);
  const ranges = rangesOf(comparedDates(query, window, columns, context));
  if (!ranges) return undefined;
  const groups = [
    ['term', categories],
    ['term', tags],
    ['venue', venue?.ids],
    ['venue', places?.ids],
    ['organizer', organizer?.ids],
  ] as const;
  const sets = groups.flatMap(([kind, ids]) => (ids ? [{ kind, ids }] : []));
  const modified = modifiedEdges(query, context);
  return {
    columns,
    ...ranges,
    sets,
    ...(featured !== undefined && { featured }),
    ...(modified.length > 0 && { modified }),
  };
}

/** The requested order for the event index. */
export function requestedOrder(
  { isRequested, name, direction }: ListOrder,
  places?: Places,
): Pick<EventIndexQuery, 'order'> {
  return isRequested ? { order: { name, isDescending: direction === 'DESC', metres: places?.metres } } : {};
}

/** Whether a list shows exactly the published events. */
function isPublished({ anyAuthor, own }: ListVisibility): boolean {
  if (own || !('only' in anyAuthor)) return false;
  return anyAuthor.only.length === 1 && anyAuthor.only[0] === 'publish';
}

function rangesOf(dates: EventWindow): { start: Range; end: Range } | undefined {
  if (!Object.values(dates).every(isStorable)) return undefined;
  // Dates are whole numbers here: before one means up to the number below it.
  const from = (edge?: string, over = 0) =>
    edge === undefined ? Number.NEGATIVE_INFINITY : sortableDate(edge) + over;
  const to = (edge?: string, below = 0) =>
    edge === undefined ? Number.POSITIVE_INFINITY : sortableDate(edge) - below;
  return {
    start: {
      from: Math.max(from(dates.start_date), from(dates.starts_after, 1)),
      to: to(dates.starts_before, 1),
    },
    end: {
      from: from(dates.ends_after, 1),
      to: Math.min(to(dates.end_date), to(dates.ends_before, 1)),
    },
  };
}
