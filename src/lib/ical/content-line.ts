/** Octets of a line of a calendar file, its line break not counted. */
const MAX_LENGTH = 75;

/**
 * A property of RFC 5545 as it is written: folded at 75 octets, never within a character, with its line break. Nothing for an `X-`
 * property without a value.
 */
export function contentLine(
  name: string,
  value: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const said = Object.entries(parameters).flatMap(([key, text]) =>
    text === undefined || text === '' ? [] : [`;${key}=${parameterValue(text)}`],
  );
  const written = value.replace(CONTROLS, '');
  // Some readers stumble over it.
  if (name.startsWith('X-') && written.trim() === '') return '';
  return fold(`${name}${said.join('')}:${written}`);
}

/** A value of type TEXT. */
export function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(LINE_ENDS, '\\n');
}

/** `YYYYMMDDTHHMMSS` of `YYYY-MM-DD HH:MM:SS`. */
export function compactDate(wall: string): string {
  return wall.replace(/[-:]/g, '').replace(' ', 'T');
}

/** What ends a line; the last three only to readers that take lines apart as their language does, Python's for one. */
const LINE_ENDS = /\r\n?|[\n\x85\u2028\u2029]/g;
/** Characters that no line holds; a tab may. */
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]/g;

/** In quotes only where RFC 5545 asks for them, as some readers take them for a part of the value; with what quotes can not hold as RFC 6868 writes it. */
function parameterValue(text: string): string {
  const encoded = text
    .replace(/\^/g, '^^')
    .replace(LINE_ENDS, '^n')
    .replace(/"/g, "^'")
    .replace(CONTROLS, '');
  return /^[^":;,]*$/.test(encoded) && !/^\s|\s$/.test(encoded) ? encoded : `"${encoded}"`;
}

/** By bytes: a description may have a million characters. */
function fold(line: string): string {
  const bytes = Buffer.from(line);
  const pieces: string[] = [];
  // The blank before each further piece counts.
  for (let at = 0, room = MAX_LENGTH; at < bytes.length; room = MAX_LENGTH - 1) {
    let end = Math.min(at + room, bytes.length);
    while (isWithinCharacter(bytes[end])) end--;
    pieces.push(bytes.toString('utf8', at, end));
    at = end;
  }
  return `${pieces.join('\r\n ')}\r\n`;
}

const isWithinCharacter = (byte = 0): boolean => byte >> 6 === 0b10;
