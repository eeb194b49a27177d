import { EventLoopYielder } from '../../common/event-loop.js';
import { MAX_LEVELS, MAX_VALUES } from '../params/limits.js';

/** Why a JSON text is rejected, and the member of the body that it concerns (`body` for the body itself). */
interface JsonFault {
  name: string;
  message: string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [COMMA, COLON] = [0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [0x5b, 0x5d, 0x7b, 0x7d];
/** Bytes that are scanned without yielding, in about a millisecond. */
const STRIDE = 32_768;

/** Maximum levels and values of a JSON text. */
export interface JsonLimits {
  levels: number;
  values: number;
}

/**
 * Checks levels and values of a JSON text, by default against the limits of a body, in one pass over the bytes, yielding to
 * other requests: a parser would build them all first. It does not check the syntax.
 */
export async function jsonFault(
  bytes: Buffer,
  limits: JsonLimits = { levels: MAX_LEVELS, values: MAX_VALUES },
): Promise<JsonFault | undefined> {
  const yielder = new EventLoopYielder();
  let [level, values, opened] = [0, 0, false];
  let [member, text] = ['body', ''];
  let yieldAt = STRIDE;
  for (let at = 0; at < bytes.length; at++) {
    if (at >= yieldAt) {
      yieldAt = at + STRIDE;
      if (yielder.shouldYield) await yielder.yield();
    }
    const byte = bytes[at] as number;
    if (byte <= 0x20) continue;
    const closes = byte === CLOSE_LIST || byte === CLOSE_MAP;
    // A list that is not empty holds one value more than commas.
    if (opened && !closes) values++;
    opened = false;
    if (byte === QUOTE) {
      let end = endOfString(bytes, at + 1);
      while (end < 0) {
        if (yielder.shouldYield) await yielder.yield();
        end = endOfString(bytes, -end);
      }
      if (level === 1) text = bytes.toString('utf8', at + 1, Math.min(end, at + 100));
      at = end;
    } else if (byte === COLON && level === 1) member = text;
    else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_MAP) {
      level++;
      opened = true;
    } else if (closes) level--;
    if (level > limits.levels) return { name: member, message: `nests more than ${limits.levels} levels.` };
    if (values > limits.values) return { name: member, message: `holds more than ${limits.values} values.` };
  }
  return undefined;
}

/**
 * The index of the quote that ends the string around `from`, or of the end of the bytes; if neither is within `STRIDE`, the
 * negated index to continue from.
 */
function endOfString(bytes: Buffer, from: number): number {
  let at = from;
  for (const until = from + STRIDE; at < until && at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return at < bytes.length ? -at : bytes.length;
}
