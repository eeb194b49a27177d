import { getRawParams, sentTexts } from '../http/params/check-context.js';
import type { RequestContext } from '../http/request-context.js';
import { restUrl } from '../http/rest-request.js';

/** What opens records is nothing to pass on; the place is said anew. */
const NOT_REPEATED = ['password', 'context', 'page', 'cursor'];

/** The address of a page of a feed: its path below the namespace, with the parameters as they were sent, but for its place. */
export function feedAddress(
  path: string,
  query: object,
  { base }: RequestContext,
  place: { page?: number; cursor?: string },
): string {
  const { page = 1, cursor = getRawParams(query)['cursor'] } = place;
  const texts = sentTexts(query, NOT_REPEATED);
  if (page > 1) texts.push(['page', String(page)]);
  if (typeof cursor === 'string') texts.push(['cursor', cursor]);
  const text = new URLSearchParams(texts).toString();
  return restUrl(base, path) + (text && `?${text}`);
}
