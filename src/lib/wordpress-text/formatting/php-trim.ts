/** Regular expression source of PHP's white space: ASCII only, without NBSP. */
export const BLANK = '[\\t-\\r ]';

const TRIMMED = new Set(' \t\n\r\0\v');

/** PHP's `trim`: removes leading and trailing space, tab, LF, CR, NUL and vertical tab; NBSP stays. */
export function phpTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && TRIMMED.has(text.charAt(start))) start += 1;
  while (end > start && TRIMMED.has(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A pattern for leading and trailing characters of a set; linear, as an inner run is tried from its start only. */
export function edges(set: string): RegExp {
  return new RegExp(`^${set}+|(?<!${set})${set}+$`, 'g');
}
