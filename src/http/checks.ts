import { isTime } from '../wordpress/dates/is-time.js';
import { filterItems } from './fields.js';
import { statusItems } from './list-args.js';
import type { CheckContext } from './check-context.js';
import type { PostIdentity } from '../wordpress/posts/posts.service.js';
import { isNumeric } from '../wordpress/formatting/php-number.js';
import { isPhpEmpty } from '../wordpress/formatting/php-empty.js';
import { REGISTERED_STATUSES } from '../wordpress/posts/post-statuses.js';
import type { Check } from './rest-arg.js';

/** A whole number above zero, also as text or as `2.0`. */
export const positiveInteger: Check = (value) =>
  (isNumeric(value) && Number.isInteger(Number(value)) && Number(value) > 0) ||
  'must be a whole number above 0.';

/** Text that is not empty; "0" counts as empty, as recorded. */
export const nonEmptyText: Check = (value) =>
  (typeof value === 'string' && !isPhpEmpty(value)) || 'must be a text that is not empty.';

/** Longest search text that is looked for, in characters. */
const LONGEST_SEARCH = 1600;

/** A text to search for. */
export const searchText: Check = (value, context) =>
  typeof value === 'string' && value.length > LONGEST_SEARCH
    ? `may hold at most ${LONGEST_SEARCH} characters.`
    : nonEmptyText(value, context);

/** Anything that PHP's date parser reads, or a timestamp. */
export const dateTime: Check = (value, { now }) =>
  isTime(value, Math.floor(now / 1000)) || 'must be a date and time, such as 2026-11-21 10:00:00.';

/** A list of whole numbers above zero. */
export const positiveIntegers: Check = (value, context) => {
  const items = filterItems(value);
  if (items.length === 0) return 'must name at least one id.';
  return items.every((item) => positiveInteger(item, context) === true) || 'must be a list of ids.';
};

/** A list of ids, each of a post of the type that the caller may read: to others it does not exist (R13). */
export function postIds(type: string, what: string): Check {
  return async (value, context) => {
    const items = filterItems(value);
    if (items.length === 0 || !items.every(isNumeric)) return `must be a list of ${what} ids.`;
    const posts = await Promise.all(items.map((item) => context.lookups.post(Number(item))));
    return posts.every((post) => isReadable(post, type, context)) || `names a ${what} that does not exist.`;
  };
}

/** The id of a post of the type that the caller may read: to others it does not exist (R13). */
export function postId(type: string, what: string): Check {
  return async (value, context) =>
    ((typeof value === 'number' || typeof value === 'string') &&
      isReadable(await context.lookups.post(Math.trunc(Number.parseFloat(String(value)))), type, context)) ||
    `must be the id of an existing ${what}.`;
}

function isReadable(post: PostIdentity | undefined, type: string, { access }: CheckContext): boolean {
  return post?.type === type && access.mayRead(post);
}

/** Statuses in a list: the public sees `publish` only; who may edit the type may ask for any that exists. */
export function statusFilter(type: string): Check {
  return (value, { access }) => {
    const items = statusItems(value);
    if (!access.mayChooseStatus(type))
      return (
        (items.length === 1 && items[0] === 'publish') || 'may only be publish without the right to edit.'
      );
    return (
      items.every((item) => REGISTERED_STATUSES.includes(item)) ||
      `must be a list of ${REGISTERED_STATUSES.slice(0, 6).join(', ')}.`
    );
  };
}
