import { buildDateObject } from '../wordpress/dates/build-date-object.js';
import { isTime } from '../wordpress/dates/is-time.js';
import { formatWallClock } from '../wordpress/dates/wall-clock.js';
import { isPhpEmpty } from '../wordpress/formatting/php-empty.js';
import { isNumeric } from '../wordpress/formatting/php-number.js';
import { filterValidateUrl } from '../wordpress/formatting/php-filter-url.js';
import { WRITABLE_STATUSES } from '../wordpress/posts/post-statuses.js';
import type { ArgOptions, Check } from './rest-arg.js';

/** Bytes that a TEXT column holds. */
export const TEXT_BYTES = 65_535;

const STORABLE = /^(?!0000)\d{4}-/;

/** Text that fits its column; nothing is cut silently (W15). */
export const columnText: Check = (value) =>
  typeof value !== 'string' ||
  Buffer.byteLength(value) <= TEXT_BYTES ||
  `is longer than ${TEXT_BYTES} bytes.`;

/** A name or title: text that is not empty and fits its column. */
export const requiredText: Check = (value, context) =>
  (typeof value === 'string' && !isPhpEmpty(value) && columnText(value, context)) ||
  'must be a text that is not empty.';

/** Any text, '' included: it clears what it stands for (W4). */
export const anyText: Check = (value) => typeof value === 'string' || 'must be a text.';

/** The id of an existing user. */
export const existingUser: Check = async (value, { lookups }) =>
  ((typeof value === 'number' || (typeof value === 'string' && /^\s*\d+\s*$/.test(value))) &&
    (await lookups.userExists(Number(value)))) ||
  'must be the id of an existing user.';

/** A status that can be written (W8). */
export const writableStatus: Check = (value) =>
  (WRITABLE_STATUSES as readonly unknown[]).includes(value) ||
  `must be one of ${WRITABLE_STATUSES.join(', ')}.`;

/** Nothing, or an absolute address. */
export const urlOrEmpty: Check = (value) =>
  isPhpEmpty(value) ||
  (typeof value === 'string' && filterValidateUrl(value) !== false) ||
  'must be an absolute address such as https://example.org/, or empty.';

/** A publication date: a text that PHP reads as a date, or a whole number of seconds. */
export const publicationDate: Check = (value, { now }) => {
  const seconds = Math.floor(now / 1000);
  const readable = isTime(value, seconds) && (typeof value === 'number' || !isOddNumber(value));
  const date = readable ? buildDateObject(value, 'UTC', seconds) : undefined;
  return (
    (date !== undefined && STORABLE.test(formatWallClock(date.wall))) ||
    'must be a date and time, such as 2026-11-21 10:00:00.'
  );
};

/** Numbers that are written otherwise than as whole seconds mean nothing as a date. */
function isOddNumber(value: unknown): boolean {
  return typeof value === 'string' && isNumeric(value) && !/^\s*[+-]?\d+\s*$/.test(value);
}

/** `date` as the site's wall clock: an offset in the text is dropped (W17). */
export const parseDate: NonNullable<ArgOptions['parse']> = (value, { settings, now }) => {
  const date =
    value === undefined ? undefined : buildDateObject(value, settings.zone, Math.floor(now / 1000));
  return date && formatWallClock(date.wall);
};

/** `date_utc` as UTC: an offset in the text is honoured. */
export const parseDateUtc: NonNullable<ArgOptions['parse']> = (value, { now }) => {
  const date = value === undefined ? undefined : buildDateObject(value, 'UTC', Math.floor(now / 1000));
  return date && formatWallClock(date.epoch);
};
