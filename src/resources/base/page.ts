import { withHeaders } from '../../http/rest-response.js';
import { addQueryArg } from '../../lib/wordpress-text/formatting/add-query-arg.js';
import { hasAdditions } from './list-additions.js';
import { INTEGER, Member } from './member.js';

/** Parameters are repeated as they were sent, so that it may be no valid URI. */
const ECHO = { description: 'An address that repeats parameters as they were sent.' };

/** What every list says besides its records. */
export class PageInfo {
  @Member(ECHO) rest_url: string;
  @Member({ ...ECHO, optional: true }) next_rest_url?: string;
  @Member({ ...ECHO, optional: true }) previous_rest_url?: string;
  @Member({
    type: ['string', 'null'],
    description: 'What `cursor` goes on with; null on the last page. In lists that were asked with `cursor`.',
    optional: true,
  })
  next_cursor?: string | null;
  @Member(INTEGER) total: number;
  @Member(INTEGER) total_pages: number;
}

/** A page of records under the name of their resource, such as `venues`. */
export type Page<Many extends string, Json> = PageInfo & Record<Many, Json[]>;

/** `next_rest_url` and `previous_rest_url` of a list, each only when that page exists. */
export function pageLinks(restUrl: string, page: number, totalPages: number) {
  const bare = addQueryArg(restUrl, { page: undefined });
  return {
    ...(page < totalPages ? { next_rest_url: addQueryArg(bare, { page: page + 1 }) } : {}),
    ...(page > 1 ? { previous_rest_url: page === 2 ? bare : addQueryArg(bare, { page: page - 1 }) } : {}),
  };
}

/** `next_rest_url` and `next_cursor` of a list that is read by cursors. */
export function cursorLinks(restUrl: string, next: string | null) {
  const bare = addQueryArg(restUrl, { page: undefined, cursor: undefined });
  return { ...(next !== null && { next_rest_url: addQueryArg(bare, { cursor: next }) }), next_cursor: next };
}

/**
 * A list as an answer: its totals are headers too, as numbers, which `_envelope` shows. Who asks with any of our own parameters
 * is told its neighbours by `Link`, too.
 */
export async function paged<T extends PageInfo>(page: Promise<T>, query: object = {}): Promise<T> {
  const body = await page;
  const links = hasAdditions(query) ? linkHeader(body) : '';
  return withHeaders(body, {
    'X-TEC-Total': body.total,
    'X-TEC-TotalPages': body.total_pages,
    ...(links && { Link: links }),
  });
}

/** Characters of addresses past which proxies may not take a header. */
const MAX_LINKS_LENGTH = 3000;

/** `Link` with the neighbours of a page; empty where it would be too long. */
export function linkHeader({
  next_rest_url: next,
  previous_rest_url: prev,
}: Pick<PageInfo, 'next_rest_url' | 'previous_rest_url'>): string {
  const links = Object.entries({ next, prev }).flatMap(([rel, url]) =>
    url ? [`<${url}>; rel="${rel}"`] : [],
  );
  const text = links.join(', ');
  return text.length > MAX_LINKS_LENGTH ? '' : text;
}

/** A new record as an answer whose `Location` is what it links to as itself. */
export async function created<T extends { _links?: SelfLink }>(record: Promise<T>): Promise<T> {
  const body = await record;
  const location = body._links?.self[0]?.href;
  return location === undefined ? body : withHeaders(body, { Location: location });
}

/** `_links` of a record. */
export interface SelfLink {
  self: readonly { href: string }[];
}
