import { truncate } from './truncate.js';

/** Control characters, line separators and bidirectional marks. */
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const ALL_UNSAFE = new RegExp(UNSAFE, 'g');
/** Line breaks with indentation, as in stack traces. */
const NEXT_LINE = /\n[ \t]*/g;

/** Puts a text on one line: lines are joined with `|`, other control characters escaped. */
export function oneLine(text: string): string {
  return UNSAFE.test(text) ? text.replace(NEXT_LINE, ' | ').replace(ALL_UNSAFE, escaped) : text;
}

/** Escapes control characters except line breaks and tabs; JSON stays equivalent. */
export function onScreen(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(ALL_UNSAFE, (character) => (/[\n\t]/.test(character) ? character : escaped(character)));
}

/** Quotes a client's text safely for logs, truncated to `most` UTF-16 units. */
export function quotedText(text: string, most: number): string {
  return JSON.stringify(cut(text, most)).replace(ALL_UNSAFE, escaped);
}

/** Truncates a text to `most` UTF-16 units and appends `…`. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${truncate(text, most)}…`;
}

/** Truncates a text so that its JSON has at most `most` bytes. */
export function fitting(text: string, most: number): string {
  // A character takes at most six bytes.
  if (text.length * 6 <= most) return text;
  let result = text;
  for (let size = sizeOf(result); size > most; size = sizeOf(result))
    result = cut(result, Math.floor((result.length * most) / size) - 1);
  return result;
}

const sizeOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
