/** Octets of a line of a calendar file, its line break not counted. */
const LONGEST = 75;

/** A property of RFC 5545 as it is written: folded at 75 octets, never within a character, with its line break. */
export function contentLine(
  name: string,
  value: string,
  parameters: Readonly<Record<string, string | undefined>> = {},
): string {
  const said = Object.entries(parameters).flatMap(([key, text]) =>
    text === undefined || text === '' ? [] : [`;${key}=${parameterValue(text)}`],
  );
  return fold(`${name}${said.join('')}:${value.replace(CONTROLS, '')}`);
}

/** A value of type TEXT. */
export function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r\n?|\n/g, '\\n');
}

/** `YYYYMMDDTHHMMSS` of `YYYY-MM-DD HH:MM:SS`. */
export function compactDate(wall: string): string {
  return wall.replace(/[-:]/g, '').replace(' ', 'T');
}

/** Characters that no line holds; a tab may. */
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f]/g;

/** In quotes where it needs them, with what quotes can not hold as RFC 6868 writes it. */
function parameterValue(text: string): string {
  const encoded = text
    .replace(/\^/g, '^^')
    .replace(/\r\n?|\n/g, '^n')
    .replace(/"/g, "^'")
    .replace(CONTROLS, '');
  return /^[\w^'. -]*$/.test(encoded) ? encoded : `"${encoded}"`;
}

function fold(line: string): string {
  if (Buffer.byteLength(line) <= LONGEST) return `${line}\r\n`;
  let out = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LONGEST) {
      out += '\r\n ';
      // The blank counts.
      octets = 1;
    }
    out += character;
    octets += size;
  }
  return `${out}\r\n`;
}
