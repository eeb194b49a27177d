import { getRawParams, sentTexts } from '../http/params/check-context.js';
import type { RequestContext } from '../http/request-context.js';
import { restUrl } from '../http/rest-request.js';

/** Parameters that are not repeated: those that open records, and the position. */
const UNREPEATED_PARAMS = ['password', 'context', 'page', 'cursor'];

/** The URL of a feed page: its path with the sent parameters and a new position. */
export function feedAddress(
  path: string,
  query: object,
  { base }: RequestContext,
  place: { page?: number; cursor?: string },
): string {
  const { page = 1, cursor = getRawParams(query)['cursor'] } = place;
  const texts = sentTexts(query, UNREPEATED_PARAMS);
  if (page > 1) texts.push(['page', String(page)]);
  if (typeof cursor === 'string') texts.push(['cursor', cursor]);
  const text = new URLSearchParams(texts).toString();
  return restUrl(base, path) + (text && `?${text}`);
}
