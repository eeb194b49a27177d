const EDGES = /^[ \t\n\r\0\x0B]+|(?<![ \t\n\r\0\x0B])[ \t\n\r\0\x0B]+$/g;

/** The text without leading and trailing space, tab, LF, CR, NUL and vertical tab, as PHP's `trim` (NBSP stays). */
export function phpTrim(text: string): string {
  return text.replace(EDGES, '');
}
