import { withHeaders } from '../../http/rest-response.js';
import { addQueryArg } from '../../lib/wordpress-text/formatting/add-query-arg.js';
import { hasAdditions } from './list-additions.js';
import { INTEGER, Member } from './member.js';

/** Links repeat parameters as sent, so they may not be valid URIs. */
const PARAM_ECHO = { description: 'An address that repeats parameters as they were sent.' };

/** The members of every list besides its records. */
export class PageInfo {
  @Member(PARAM_ECHO) rest_url: string;
  @Member({ ...PARAM_ECHO, optional: true }) next_rest_url?: string;
  @Member({ ...PARAM_ECHO, optional: true }) previous_rest_url?: string;
  @Member({
    type: ['string', 'null'],
    description: 'What `cursor` goes on with; null on the last page. In lists that were asked with `cursor`.',
    optional: true,
  })
  next_cursor?: string | null;
  @Member(INTEGER) total: number;
  @Member(INTEGER) total_pages: number;
}

/** A page of records under the plural of their resource, such as `venues`. */
export type Page<Many extends string, Json> = PageInfo & Record<Many, Json[]>;

/** `next_rest_url` and `previous_rest_url` of a list, each only when that page exists. */
export function pageLinks(restUrl: string, page: number, totalPages: number) {
  const bare = addQueryArg(restUrl, { page: undefined });
  return {
    ...(page < totalPages ? { next_rest_url: addQueryArg(bare, { page: page + 1 }) } : {}),
    ...(page > 1 ? { previous_rest_url: page === 2 ? bare : addQueryArg(bare, { page: page - 1 }) } : {}),
  };
}

/** `next_rest_url` and `next_cursor` of a list that is paged by cursor. */
export function cursorLinks(restUrl: string, next: string | null) {
  const bare = addQueryArg(restUrl, { page: undefined, cursor: undefined });
  return { ...(next !== null && { next_rest_url: addQueryArg(bare, { cursor: next }) }), next_cursor: next };
}

/** Adds the totals as headers, as numbers for `_envelope`, and a `Link` header if the request uses any of our own parameters. */
export async function withPageHeaders<T extends PageInfo>(page: Promise<T>, query: object = {}): Promise<T> {
  const body = await page;
  const links = hasAdditions(query) ? linkHeader(body) : '';
  return withHeaders(body, {
    'X-TEC-Total': body.total,
    'X-TEC-TotalPages': body.total_pages,
    ...(links && { Link: links }),
  });
}

/** Maximum length of `Link`: proxies may reject longer headers. */
const MAX_LINKS_LENGTH = 3000;

/** Builds the `Link` header of a page; empty if it would be too long. */
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

/** Adds a `Location` header with the record's own link. */
export async function withLocation<T extends { _links?: SelfLink }>(record: Promise<T>): Promise<T> {
  const body = await record;
  const location = body._links?.self[0]?.href;
  return location === undefined ? body : withHeaders(body, { Location: location });
}

interface SelfLink {
  self: readonly { href: string }[];
}
