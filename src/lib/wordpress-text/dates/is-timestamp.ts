import { isWhole } from '../formatting/php-number.js';

const INT_LIMIT = 2 ** 63;

/** Whether a value is a timestamp in epoch seconds: numeric, whole, within 64 bits. */
export function isTimestamp(value: unknown): boolean {
  return toTimestamp(value) !== undefined;
}

/** The epoch seconds of a timestamp; undefined for other values. */
export function toTimestamp(value: unknown): number | undefined {
  return isWhole(value) && Math.abs(Number(value)) < INT_LIMIT ? Number(value) : undefined;
}
