import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';

/** Parses a term id of a filter as PHP casts it: `20.0` and `2e1` are 20; undefined for other texts. */
export function termIdOf(item: string): number | undefined {
  const id = isNumeric(item) ? Math.trunc(Number(item)) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}
