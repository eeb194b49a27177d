import { isNumeric } from '../../lib/wordpress-text/formatting/php-number.js';

/** The id that a number in a filter means, cast as PHP casts it: `20.0` and `2e1` are 20. Undefined for anything else. */
export function termIdOf(item: string): number | undefined {
  const id = isNumeric(item) ? Math.trunc(Number(item)) : undefined;
  return Number.isSafeInteger(id) ? id : undefined;
}
