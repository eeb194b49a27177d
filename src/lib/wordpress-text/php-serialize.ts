import { toFloat } from './formatting/php-number.js';
import { execAt, phpTrim } from './formatting/php-strings.js';

/** A PHP array: keys are integers or strings, in insertion order. */
export type PhpArray = Map<string | number, PhpValue>;

/** A PHP float, distinguished from an integer for lossless serialization. */
export class PhpFloat {
  constructor(readonly value: number) {}
}

/** A value of PHP's `serialize()` format. */
export type PhpValue = null | boolean | number | string | PhpFloat | PhpArray;

/** A plain JavaScript value that converts to PHP: lists and objects become PHP arrays. */
export type PlainValue = PhpValue | readonly PlainValue[] | { readonly [key: string]: PlainValue };

/** Thrown by `parse`, caught by `unserialize`. */
class Unreadable extends Error {}

const MAX_DEPTH = 500;
const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const NAMED_FLOATS: Readonly<Record<string, number>> = { INF: Infinity, '-INF': -Infinity, NAN: NaN };

/** The start of each kind of value: null, boolean, integer, float, length of a string, count of an array. */
const BEGINNING =
  /N;|b:([01]);|i:([+-]?\d{1,400});|d:([^;]{1,400});|s:([+-]?\d{1,400}):"|a:([+-]?\d{1,400}):\{/y;

/** PHP's `unserialize()`; undefined for objects, references and invalid text. */
export function unserialize(text: string): PhpValue | undefined {
  const trimmed = phpTrim(text);
  if (!/^(?:N;|[bidsa]:)/.test(trimmed)) return undefined;
  try {
    return parse(Buffer.from(trimmed, 'utf8'));
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** Parses by bytes, as string lengths count UTF-8 bytes; throws `Unreadable`. */
function parse(bytes: Buffer): PhpValue {
  // Latin-1 has one character per byte.
  const text = bytes.toString('latin1');
  let position = 0;
  const expect = (wanted: string) => {
    if (!text.startsWith(wanted, position)) throw new Unreadable();
    position += wanted.length;
  };
  const valueAt = (depth: number): PhpValue => {
    const [beginning, flag, integer, float, length, count] = execAt(BEGINNING, text, position) ?? [];
    if (beginning === undefined) throw new Unreadable();
    position += beginning.length;
    if (flag !== undefined) return flag === '1';
    if (integer !== undefined) return Number(integer);
    if (float !== undefined) return floatOf(float);
    if (length !== undefined) return stringOf(Number(length));
    return count === undefined ? null : arrayOf(Number(count), depth);
  };
  const stringOf = (length: number) => {
    const start = position;
    if (length < 0 || start + length > bytes.length) throw new Unreadable();
    position += length;
    expect('";');
    return bytes.toString('utf8', start, start + length);
  };
  const arrayOf = (count: number, depth: number) => {
    if (count < 0 || depth >= MAX_DEPTH) throw new Unreadable();
    const array: PhpArray = new Map();
    for (let index = 0; index < count; index++) {
      const key = valueAt(depth + 1);
      if (typeof key !== 'string' && typeof key !== 'number') throw new Unreadable();
      array.set(typeof key === 'string' ? arrayKey(key) : key, valueAt(depth + 1));
    }
    expect('}');
    return array;
  };
  const value = valueAt(0);
  if (position < bytes.length) throw new Unreadable();
  return value;
}

function floatOf(text: string): PhpFloat {
  const value = NAMED_FLOATS[text] ?? (FLOAT.test(text) ? Number(text) : undefined);
  if (value === undefined) throw new Unreadable();
  return new PhpFloat(value);
}

/** PHP converts decimal integers to numbers in array keys. */
function arrayKey(text: string): string | number {
  if (!/^(?:0|-?[1-9]\d{0,15})$/.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** PHP's `serialize()`: string lengths in UTF-8 bytes, a fractional number as a float. */
export function serialize(value: PhpValue): string {
  if (value === null) return 'N;';
  if (typeof value === 'boolean') return value ? 'b:1;' : 'b:0;';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? `i:${value};` : `d:${phpFloat(value)};`;
  if (typeof value === 'string') return `s:${Buffer.byteLength(value, 'utf8')}:"${value}";`;
  if (value instanceof PhpFloat) return `d:${phpFloat(value.value)};`;
  let items = '';
  for (const [key, item] of value) items += serialize(key) + serialize(item);
  return `a:${value.size}:{${items}}`;
}

/** The form of texts that WordPress reads as serialized values. */
const LIKE_VALUES = /^(?:N;|[a-z]:.*[;}])$/is;

/** Serializes a text that looks serialized, as else PHP would instantiate an attacker's objects. */
export function storedText(text: string): string {
  return LIKE_VALUES.test(phpTrim(text)) ? serialize(text) : text;
}

/** Decodes the text of a meta row. */
export function textOf(stored: string): string {
  if (!stored.startsWith('s:')) return stored;
  const value = unserialize(stored);
  return typeof value === 'string' ? value : stored;
}

/** PHP's shortest notation of a float, with an exponent below 1.0E-4 and above 17 digits. */
function phpFloat(value: number): string {
  if (Number.isNaN(value)) return 'NAN';
  if (!Number.isFinite(value)) return value > 0 ? 'INF' : '-INF';
  if (Object.is(value, -0)) return '-0';
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power < -4 || power > 16)
    return `${mantissa}${mantissa.includes('.') ? '' : '.0'}E${power < 0 ? '-' : '+'}${Math.abs(power)}`;
  return String(value);
}

/** Whether unserializing and serializing a stored text gives the same bytes; if not, it must stay unchanged. */
export function canWriteBack(text: string): boolean {
  const value = unserialize(text);
  return value !== undefined && serialize(value) === text;
}

/** Converts to plain JavaScript: a PHP array with the keys 0, 1, 2 … becomes an array, any other an object. */
export function toPlain(value: PhpValue): unknown {
  if (value instanceof PhpFloat) return value.value;
  if (!(value instanceof Map)) return value;
  if ([...value.keys()].every((key, index) => key === index)) return [...value.values()].map(toPlain);
  return Object.fromEntries([...value].map(([key, item]) => [key, toPlain(item)]));
}

/** Converts plain JavaScript to PHP; a list gets the keys 0, 1, 2 …. */
export function toPhp(value: PlainValue): PhpValue {
  if (typeof value !== 'object' || value === null || value instanceof Map || value instanceof PhpFloat)
    return value;
  const entries: [string | number, PlainValue][] = isList(value)
    ? [...value.entries()]
    : Object.entries(value);
  return new Map(entries.map(([key, item]) => [key, toPhp(item)]));
}

const isList = (value: object): value is readonly PlainValue[] => Array.isArray(value);

/** Restores `PhpFloat` in a value copied from another thread, where floats are plain objects. */
export function withFloats(value: PhpValue): PhpValue {
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, withFloats(item)]));
  return typeof value === 'object' && value !== null ? new PhpFloat(value.value) : value;
}

/** The value when it is a PHP array, else an empty one. */
export function asMap(value: PhpValue | undefined): PhpArray {
  return value instanceof Map ? value : new Map();
}

/** PHP's `(string)` of a scalar; empty for null, undefined, false and arrays. */
export function asString(value: PhpValue | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (value instanceof PhpFloat) return phpFloat(value.value);
  return value === true ? '1' : '';
}

/** PHP's `(int)`: the whole number at the start of a text, else 0; arrays count as 0 or 1. */
export function asInteger(value: PhpValue | undefined): number {
  if (typeof value === 'number') return value;
  if (value instanceof Map) return value.size > 0 ? 1 : 0;
  if (value instanceof PhpFloat) return Number.isFinite(value.value) ? Math.trunc(value.value) : 0;
  return Math.trunc(toFloat(asString(value)));
}

/** PHP's `(bool)`: all except null, false, 0, 0.0, '', '0' and the empty array. */
export function isTruthy(value: PhpValue | undefined): boolean {
  if (value instanceof Map) return value.size > 0;
  if (value instanceof PhpFloat) return value.value !== 0;
  return value === '0' ? false : Boolean(value);
}
