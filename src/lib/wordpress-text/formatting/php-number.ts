import { BLANK } from './php-strings.js';

const NUMERIC_PREFIX = new RegExp(`^${BLANK}*[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?`);
const NUMERIC = new RegExp(`${NUMERIC_PREFIX.source}${BLANK}*$`);

/** PHP 8's `is_numeric()`: a finite number, or a text with sign, point, exponent and surrounding white space. */
export function isNumeric(value: unknown): value is string | number {
  return typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value === 'string' && NUMERIC.test(value);
}

/** Whether a value is numeric and whole: `5`, `" 5 "`, `1.0`. */
export function isWhole(value: unknown): value is string | number {
  return isNumeric(value) && Number.isInteger(Number(value));
}

/** PHP's `(float)`: the number at the start of a text, else 0. */
export function toFloat(text: string): number {
  return Number(NUMERIC_PREFIX.exec(text)?.[0] ?? 0);
}

/** PHP 8's comparison of two texts (or array keys): as numbers when both are numeric, else by bytes. */
export function compareLoosely(a: string, b: string): number {
  if (isNumeric(a) && isNumeric(b)) return Number(a) - Number(b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** PHP's `number_format()` without thousands separator: rounded half away from zero, exactly `places` decimals. */
export function numberFormat(value: number, places: number): string {
  const decimals = Math.min(places, 100);
  return roundHalfUp(value, decimals).toFixed(decimals);
}

/** PHP's `round()`: half away from zero, on the 15 significant digits of a float (1.005 → 1.01). */
export function roundHalfUp(value: number, places: number): number {
  const scale = 10 ** places;
  const scaled = Math.abs(value) * scale;
  // Beyond 15 digits there is nothing left to round.
  if (scaled >= 1e15) return value;
  return (Math.sign(value) * Math.round(Number(scaled.toPrecision(15)))) / scale;
}
