import { truncate } from './truncate.js';

/** What ends lines, moves cursors or turns the order of letters. */
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const ALL_UNSAFE = new RegExp(UNSAFE, 'g');
/** A frame of a stack, and where an error begins to tell its cause. */
const NEXT_LINE = /\n[ \t]*/g;

/** The text on one line: lines of a stack are divided by `|`, anything else that a terminal would obey is escaped. */
export function oneLine(text: string): string {
  return UNSAFE.test(text) ? text.replace(NEXT_LINE, ' | ').replace(ALL_UNSAFE, escaped) : text;
}

/** The text in its lines, with whatever else a terminal would obey escaped: JSON stays the same JSON. */
export function onScreen(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(ALL_UNSAFE, (character) => (/[\n\t]/.test(character) ? character : escaped(character)));
}

/** A text of a client between quotation marks, at most so long: what it holds can not end it. */
export function quotedText(text: string, most: number): string {
  return JSON.stringify(cut(text, most)).replace(ALL_UNSAFE, escaped);
}

/** The text, or its beginning and `…`. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${truncate(text, most)}…`;
}

/** The text, or as much of its beginning as fits into so many bytes of a JSON text. */
export function fitting(text: string, most: number): string {
  // No character takes more than six.
  if (text.length * 6 <= most) return text;
  let shown = text;
  for (let size = sizeOf(shown); size > most; size = sizeOf(shown))
    shown = cut(shown, Math.floor((shown.length * most) / size) - 1);
  return shown;
}

const sizeOf = (text: string): number => Buffer.byteLength(JSON.stringify(text));

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
