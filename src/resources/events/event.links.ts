import { getRawParams, ignoredOf } from '../../http/params/check-context.js';
import { scalarText } from '../../http/params/fields.js';
import type { RestBase } from '../../http/rest-request.js';
import { restUrl } from '../../http/rest-request.js';
import { addQueryArg, phpUrlencode } from '../../lib/wordpress-text/formatting/add-query-arg.js';
import { hasAdditions } from '../base/list-additions.js';
import type { ListEventsQuery } from './event.dto.js';
import type { EventWindow } from './event.query.js';

/**
 * `rest_url` of an events list, with effective values in the recorded order (docs/behaviour/lists.md#links-of-lists).
 * As recorded, venue, organizer and featured are added in a second step, which encodes the first one's output again.
 */
export function eventListUrl(
  base: RestBase,
  query: ListEventsQuery,
  window: EventWindow,
  status: string,
): string {
  const url = addQueryArg(restUrl(base, '/events/'), {
    page: query.page,
    per_page: query.per_page,
    start_date: window.start_date,
    end_date: window.end_date,
    search: searchText(query),
    geoloc: query.geoloc ?? false,
    geoloc_lat: query.geoloc ? placeText(query, 'geoloc_lat') : undefined,
    geoloc_lng: query.geoloc ? placeText(query, 'geoloc_lng') : undefined,
    status,
    post_parent: query.post_parent,
    include: query.include?.text,
    starts_before: window.starts_before,
    starts_after: window.starts_after,
    ends_before: window.ends_before,
    ends_after: window.ends_after,
  });
  if (query.venue === undefined && query.organizer === undefined && query.featured === undefined) return url;
  return addQueryArg(url, {
    venue: query.venue?.text,
    organizer: query.organizer?.text,
    featured: query.featured ?? false,
  });
}

/** Links repeat exact dates as sent: the computed ones would be shifted again. */
export function linkWindow(query: ListEventsQuery, window: EventWindow): EventWindow {
  return query.strict_dates && hasAdditions(query) ? {} : window;
}

/** The value as sent, valid or not. */
function placeText(query: ListEventsQuery, name: 'geoloc_lat' | 'geoloc_lng'): string {
  return scalarText(getRawParams(query)[name] ?? ignoredOf(query)[name]).replace('\0', '');
}

/**
 * As recorded, the text is not encoded, so that `R&B` becomes another search on the next page; requests with our own
 * parameters get working links.
 */
function searchText(query: ListEventsQuery): string | undefined {
  const { search } = query;
  return search?.startsWith('&') || (search !== undefined && hasAdditions(query))
    ? phpUrlencode(search)
    : search;
}
