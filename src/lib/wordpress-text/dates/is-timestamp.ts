import { isWhole } from '../formatting/php-number.js';

const INT_LIMIT = 2 ** 63;

/** Whether a value counts as epoch seconds: numeric, whole, within 64 bits. */
export function isTimestamp(value: unknown): boolean {
  return toTimestamp(value) !== undefined;
}

/** The epoch seconds that a value means; undefined when it is no timestamp. */
export function toTimestamp(value: unknown): number | undefined {
  return isWhole(value) && Math.abs(Number(value)) < INT_LIMIT ? Number(value) : undefined;
}
