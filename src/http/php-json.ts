import { EventLoopYielder } from '../common/event-loop.js';
import { asPhpJson } from '../lib/wordpress-text/formatting/as-php-json.js';
import { SerializedJson } from './serialized-json.js';
import { type Chunk, textOf } from './serialized-response.js';

/** JSON as PHP writes it: `/` escaped, everything outside ASCII as `\uXXXX`; pretty on request. */
export function phpJson(value: unknown, pretty = false): string {
  return asPhpJson(JSON.stringify(value, null, pretty ? 4 : undefined));
}

/** Characters, roughly, that are written in one go; a text with nothing in ASCII takes a few milliseconds. */
const LIGHT = 32_768;
/** What the name of a member and its quotes take, roughly. */
const NAME = 12;
const INDENT = '    ';

/**
 * The same in pieces that follow each other, giving way to other requests while a large value is written. What is written
 * already is a piece of its own: all answers that hold it share it.
 */
export async function phpJsonChunks(value: unknown, pretty = false): Promise<Chunk[]> {
  if (isLight(value)) return [phpJson(value, pretty)];
  const pieces: Chunk[] = [];
  const breather = new EventLoopYielder();
  let piece = '';
  for (const part of parts(value, pretty ? '\n' : '')) {
    if (part instanceof SerializedJson) {
      pieces.push(piece, part);
      piece = '';
    } else piece += part;
    if (piece.length > LIGHT) {
      pieces.push(piece);
      piece = '';
    }
    if (breather.shouldYield) await breather.yield();
  }
  pieces.push(piece);
  return pieces;
}

/** A value as JSON that goes into answers as it is. */
export async function serializeJson(value: unknown): Promise<SerializedJson> {
  if (value instanceof SerializedJson) return value;
  return new SerializedJson((await phpJsonChunks(value)).map(textOf).join(''));
}

/** `line` is a line break with its indentation, empty when all stands on one line. */
function* parts(value: unknown, line: string): Generator<string | SerializedJson> {
  if (value instanceof SerializedJson) yield value;
  else if (typeof value === 'string') yield* partsOfText(value);
  else if (isLight(value) || typeof value !== 'object' || value === null) {
    const text = phpJson(value, line !== '');
    yield line.length > 1 ? text.replaceAll('\n', line) : text;
  } else {
    const isList = Array.isArray(value);
    const inner = line && line + INDENT;
    let before = isList ? '[' : '{';
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined && !isList) continue;
      yield `${before}${inner}${isList ? '' : `${phpJson(key)}:${line && ' '}`}`;
      yield* parts(member ?? null, inner);
      before = ',';
    }
    // Nothing that is empty comes here, unless its members are all undefined.
    yield `${before === ',' ? line : before}${isList ? ']' : '}'}`;
  }
}

/** A pair of surrogates that is cut apart is written no differently. */
function* partsOfText(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length; at += LIGHT)
    yield asPhpJson(JSON.stringify(text.slice(at, at + LIGHT))).slice(1, -1);
  yield '"';
}

function isLight(value: unknown): boolean {
  return weighed(value, LIGHT) >= 0;
}

/** What is left of an allowance once a value is taken from it; below zero as soon as it does not suffice. */
function weighed(value: unknown, allowance: number): number {
  let left = allowance;
  if (typeof value === 'string') return left - value.length;
  if (typeof value !== 'object' || value === null) return left;
  if (value instanceof SerializedJson) return -1;
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const member of members) {
    left = weighed(member, left - NAME);
    if (left < 0) break;
  }
  return left;
}
