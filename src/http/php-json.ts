import { EventLoopYielder } from '../common/event-loop.js';
import { asPhpJson } from '../lib/wordpress-text/formatting/php-strings.js';
import { type Chunk, SerializedJson, textOf } from './serialized-response.js';

/** JSON as PHP writes it: `/` escaped, everything outside ASCII as `\uXXXX`; pretty on request. */
export function phpJson(value: unknown, pretty = false): string {
  return asPhpJson(JSON.stringify(value, null, pretty ? 4 : undefined));
}

/** Approximate characters that are serialized without yielding, within a few milliseconds. */
const MAX_SMALL_SIZE = 32_768;
/** Approximate characters of a member's name and its quotes. */
const NAME_SIZE = 12;
const INDENT = '    ';

/**
 * The same in consecutive chunks, yielding to other requests while a large value is serialized. A `SerializedJson` is a chunk
 * of its own, which all responses share.
 */
export async function phpJsonChunks(value: unknown, pretty = false): Promise<Chunk[]> {
  if (isSmall(value)) return [phpJson(value, pretty)];
  const chunks: Chunk[] = [];
  const yielder = new EventLoopYielder();
  let chunk = '';
  for (const part of parts(value, pretty ? '\n' : '')) {
    if (part instanceof SerializedJson) {
      chunks.push(chunk, part);
      chunk = '';
    } else chunk += part;
    if (chunk.length > MAX_SMALL_SIZE) {
      chunks.push(chunk);
      chunk = '';
    }
    if (yielder.shouldYield) await yielder.yield();
  }
  chunks.push(chunk);
  return chunks;
}

/** Serializes a value for use in several responses. */
export async function serializeJson(value: unknown): Promise<SerializedJson> {
  if (value instanceof SerializedJson) return value;
  return new SerializedJson((await phpJsonChunks(value)).map(textOf).join(''));
}

/** `line`: a line break with its indentation, empty for JSON on one line. */
function* parts(value: unknown, line: string): Generator<string | SerializedJson> {
  if (value instanceof SerializedJson) yield value;
  else if (typeof value === 'string') yield* partsOfText(value);
  else if (isSmall(value) || typeof value !== 'object' || value === null) {
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
    // Only a value whose members are all undefined is empty here.
    yield `${before === ',' ? line : before}${isList ? ']' : '}'}`;
  }
}

/** The output is the same where a pair of surrogates is split. */
function* partsOfText(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length; at += MAX_SMALL_SIZE)
    yield asPhpJson(JSON.stringify(text.slice(at, at + MAX_SMALL_SIZE))).slice(1, -1);
  yield '"';
}

function isSmall(value: unknown): boolean {
  return remainingAfter(value, MAX_SMALL_SIZE) >= 0;
}

/** The rest of an allowance after the size of a value; negative if it is exceeded. */
function remainingAfter(value: unknown, allowance: number): number {
  let left = allowance;
  if (typeof value === 'string') return left - value.length;
  if (typeof value !== 'object' || value === null) return left;
  if (value instanceof SerializedJson) return -1;
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  for (const member of members) {
    left = remainingAfter(member, left - NAME_SIZE);
    if (left < 0) break;
  }
  return left;
}
