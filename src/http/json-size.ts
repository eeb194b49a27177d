import { MOST_LEVELS, MOST_VALUES } from './limits.js';

/** Why a JSON text is not parsed, and below which member of the body the fault lies (`body` for the body itself). */
export interface JsonFault {
  name: string;
  message: string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [COMMA, COLON] = [0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Looks for more levels or values than a body may hold, in one pass over the bytes: a parser would build them all first.
 * Says nothing about whether the text is JSON.
 */
export function jsonFault(bytes: Buffer): JsonFault | undefined {
  let [level, values, opened] = [0, 0, false];
  let [member, text] = ['body', ''];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte <= 0x20) continue;
    const closes = byte === CLOSE_LIST || byte === CLOSE_MAP;
    // A list that is closed as soon as it was opened holds nothing; any other holds one value more than commas.
    if (opened && !closes) values++;
    opened = false;
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      if (level === 1) text = bytes.toString('utf8', at + 1, Math.min(end, at + 100));
      at = end;
    } else if (byte === COLON && level === 1) member = text;
    else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_MAP) {
      level++;
      opened = true;
    } else if (closes) level--;
    if (level > MOST_LEVELS) return { name: member, message: `nests more than ${MOST_LEVELS} levels.` };
    if (values > MOST_VALUES) return { name: member, message: `holds more than ${MOST_VALUES} values.` };
  }
  return undefined;
}

/** The place of the quote that ends the string which begins at `start`; the end of the bytes where none does. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}
