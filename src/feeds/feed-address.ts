import { contextOf } from '../http/check-context.js';
import { itemsOf, scalarText } from '../http/fields.js';
import type { RequestContext } from '../http/request-context.js';
import { restUrl } from '../http/rest-request.js';

/** What opens records is nothing to pass on. */
const SECRET = ['password', 'context'];

/** The address of a page of a feed: its path below the namespace, with the parameters as they were sent. */
export function feedAddress(path: string, query: object, { base }: RequestContext, page: number): string {
  const { page: _, ...sent } = contextOf(query).sent;
  const pairs = Object.entries(sent).filter(
    ([name, value]) => (value ?? null) !== null && !SECRET.includes(name),
  );
  const texts = pairs.map(([name, value]): [string, string] => [
    name,
    itemsOf(value).map(scalarText).join(','),
  ]);
  if (page > 1) texts.push(['page', String(page)]);
  const text = new URLSearchParams(texts).toString();
  return restUrl(base, path) + (text && `?${text}`);
}
