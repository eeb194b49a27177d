import { sentOf } from '../http/check-context.js';
import { itemsOf, scalarText } from '../http/fields.js';
import type { RequestContext } from '../http/request-context.js';
import { restUrl } from '../http/rest-request.js';

/** What opens records is nothing to pass on. */
const SECRET = ['password', 'context'];

/** The address of a page of a feed: its path below the namespace, with the parameters as they were sent, but for its place. */
export function feedAddress(
  path: string,
  query: object,
  { base }: RequestContext,
  place: { page?: number; cursor?: string },
): string {
  const { page: _, cursor, ...sent } = sentOf(query);
  const pairs = Object.entries(sent).filter(
    ([name, value]) => (value ?? null) !== null && !SECRET.includes(name),
  );
  const texts = pairs.map(([name, value]): [string, string] => [
    name,
    itemsOf(value).map(scalarText).join(','),
  ]);
  const { page = 1, cursor: after = cursor } = place;
  if (page > 1) texts.push(['page', String(page)]);
  if (typeof after === 'string') texts.push(['cursor', after]);
  const text = new URLSearchParams(texts).toString();
  return restUrl(base, path) + (text && `?${text}`);
}
