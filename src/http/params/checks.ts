import { isTime } from '../../lib/wordpress-text/dates/strtotime.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { isNumeric, isWhole } from '../../lib/wordpress-text/formatting/php-number.js';
import { POST_STATUSES } from '../../wordpress/posts/post-statuses.js';
import type { PostIdentity } from '../../wordpress/posts/posts.service.js';
import { getContext } from './check-context.js';
import { filterItems, statusItems } from './fields.js';
import { makeCheck } from './make-check.js';

/** In characters. */
const MAX_SEARCH_LENGTH = 1600;

/** PHP's date parser reads more than a pattern can express. */
export const DATE_TEXT = { type: 'string', examples: ['2026-11-21 10:00:00'] };

const AN_ID = { type: 'integer', minimum: 1 };
const IDS = { items: AN_ID, minItems: 1 };

const isPositive = (value: unknown): boolean => isWhole(value) && Number(value) > 0;
const isFilled = (value: unknown): boolean => typeof value === 'string' && !isPhpEmpty(value);

/** A whole number above zero, also as text or as `2.0`. */
export const IsPositiveInt = makeCheck('isPositiveInt', 'must be a whole number above 0.', isPositive, {
  minimum: 1,
});

/** Anything but a list or a map (W18). */
export const IsOneValue = makeCheck(
  'isOneValue',
  'must be one value, not a list.',
  (value) => typeof value !== 'object',
);

/** Text that is not empty; "0" counts as empty, as recorded. */
export const IsNonEmptyText = makeCheck('isNonEmptyText', 'must be a text that is not empty.', isFilled, {
  minLength: 1,
});

export const IsSearchText = makeCheck(
  'isSearchText',
  'must be a text that is not empty.',
  (value) =>
    typeof value === 'string' && value.length > MAX_SEARCH_LENGTH
      ? `may hold at most ${MAX_SEARCH_LENGTH} characters.`
      : isFilled(value),
  { minLength: 1, maxLength: MAX_SEARCH_LENGTH },
);

/** Anything that PHP's date parser reads, or a timestamp. */
export const IsDateText = makeCheck(
  'isDateText',
  'must be a date and time, such as 2026-11-21 10:00:00.',
  (value, values) => getContext(values).time.steady((now) => isTime(value, now), Object.is).value,
  DATE_TEXT,
);

export const IsOneOf = (words: readonly string[]) =>
  makeCheck(
    'isOneOf',
    `must be ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}.`,
    (value) => typeof value === 'string' && words.includes(value),
    { enum: words },
  );

/** A list of whole numbers above zero. */
export const ArePositiveInts = makeCheck(
  'arePositiveInts',
  'must be a list of ids.',
  (value) => {
    const items = filterItems(value);
    return items.length === 0 ? 'must name at least one id.' : items.every(isPositive);
  },
  IDS,
);

/** The id of a post of this type that the user may read; others do not exist for them (R13). */
export const IsPostOf = (type: string, word: string): PropertyDecorator =>
  makeCheck(
    'isPostOf',
    `must be the id of an existing ${word}.`,
    async (value, values) => {
      if (typeof value !== 'number' && typeof value !== 'string') return false;
      return isReadable(Math.trunc(Number.parseFloat(String(value))), type, values);
    },
    AN_ID,
  )();

/** The id of a term of this taxonomy; one that plugins hide does not exist for the user. */
export const IsTermOf = (taxonomy: string, word: string): PropertyDecorator =>
  makeCheck(
    'isTermOf',
    `must be the id of an existing ${word}.`,
    async (value, values) => {
      if (!isPositive(value)) return false;
      const { lookups, settings } = getContext(values);
      const id = Number(value);
      return (await lookups.termsNamed(taxonomy, [String(id)], settings.render.locale)).has(id);
    },
    AN_ID,
  )();

/** A list of ids, each as in `IsPostOf`. */
export const ArePostsOf = (type: string, word: string): PropertyDecorator =>
  makeCheck(
    'arePostsOf',
    `names a ${word} that does not exist.`,
    async (value, values) => {
      const items = filterItems(value);
      if (items.length === 0 || !items.every(isNumeric)) return `must be a list of ${word} ids.`;
      const readable = await Promise.all(items.map((item) => isReadable(Number(item), type, values)));
      return !readable.includes(false);
    },
    IDS,
  )();

async function isReadable(id: number, type: string, values: object): Promise<boolean> {
  const { access, lookups } = getContext(values);
  const post: PostIdentity | undefined = await lookups.post(id);
  return post?.type === type && access.mayRead(post);
}

/** A list of statuses: only `publish` without the right to edit the type, else any that exists. */
export const IsStatusFilter = (type: string): PropertyDecorator =>
  makeCheck(
    'isStatusFilter',
    'may only be publish without the right to edit.',
    (value, values) => {
      const { access } = getContext(values);
      const items = statusItems(value);
      if (!access.mayChooseStatus(type)) return items.length === 1 && items[0] === 'publish';
      const { statuses } = access.types;
      return (
        items.every((item) => statuses.has(item)) ||
        `must be a list of ${[...statuses.keys()].slice(0, 6).join(', ')}.`
      );
    },
    // Modules may add statuses.
    { type: 'array', items: { type: 'string', examples: Object.keys(POST_STATUSES).slice(0, 6) } },
  )();
