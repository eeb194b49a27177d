/** The maximum length of a line in octets, without its line break. */
const MAX_LENGTH = 75;

/**
 * Formats a property of RFC 5545: folded at 75 octets, never within a character, with its line break. Empty for an `X-`
 * property without a value.
 */
export function contentLine(
  name: string,
  value: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const formatted = Object.entries(parameters).flatMap(([key, text]) =>
    text === undefined || text === '' ? [] : [`;${key}=${parameterValue(text)}`],
  );
  const written = value.replace(CONTROLS, '');
  // Some readers fail on an empty one.
  if (name.startsWith('X-') && written.trim() === '') return '';
  return fold(`${name}${formatted.join('')}:${written}`);
}

/** Escapes a value of type TEXT. */
export function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(LINE_ENDS, '\\n');
}

/** Line breaks; the last three only for readers that split lines as Python does. */
const LINE_ENDS = /\r\n?|[\n\x85\u2028\u2029]/g;
/** Characters forbidden in a line; tabs are allowed. */
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]/g;

/** Encodes a parameter value by RFC 6868, quoted only where RFC 5545 requires it, as some readers keep the quotes. */
function parameterValue(text: string): string {
  const encoded = text
    .replace(/\^/g, '^^')
    .replace(LINE_ENDS, '^n')
    .replace(/"/g, "^'")
    .replace(CONTROLS, '');
  return /^[^":;,]*$/.test(encoded) && !/^\s|\s$/.test(encoded) ? encoded : `"${encoded}"`;
}

/** Folds a line by bytes, as a description may have a million characters, and adds its line break. */
export function fold(line: string): string {
  const bytes = Buffer.from(line);
  const pieces: string[] = [];
  // The space before each further piece counts.
  for (let at = 0, room = MAX_LENGTH; at < bytes.length; room = MAX_LENGTH - 1) {
    let end = Math.min(at + room, bytes.length);
    while (isWithinCharacter(bytes[end])) end--;
    pieces.push(bytes.toString('utf8', at, end));
    at = end;
  }
  return `${pieces.join('\r\n ')}\r\n`;
}

/** The lines of a text, unfolded. */
export function unfoldedLines(text: string): string[] {
  return text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
}

const isWithinCharacter = (byte = 0): boolean => byte >> 6 === 0b10;
