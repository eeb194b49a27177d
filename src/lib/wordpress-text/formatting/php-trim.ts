/** Regular expression source of one blank around numbers, in tags and in dates, as PHP has it: ASCII only, NBSP is text. */
export const BLANK = '[\\t-\\r ]';

const TRIMMED = new Set(' \t\n\r\0\v');

/** The text without leading and trailing space, tab, LF, CR, NUL and vertical tab, as PHP's `trim` (NBSP stays). */
export function phpTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && TRIMMED.has(text.charAt(start))) start += 1;
  while (end > start && TRIMMED.has(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Finds what a text begins and ends with of a set of characters; a run inside is tried from its start only. */
export function edges(set: string): RegExp {
  return new RegExp(`^${set}+|(?<!${set})${set}+$`, 'g');
}
