import { toFloat } from './formatting/php-number.js';
import { phpTrim } from './formatting/php-trim.js';

/** A PHP array: keys are integers or strings, in insertion order. */
export type PhpArray = Map<string | number, PhpValue>;

/** A PHP float, kept apart from an integer so that writing back loses nothing. */
export class PhpFloat {
  constructor(readonly value: number) {}
}

/** A value out of PHP's `serialize()`. */
export type PhpValue = null | boolean | number | string | PhpFloat | PhpArray;

/** Plain JavaScript that stands for a value: lists and objects become PHP arrays. */
export type PlainValue = PhpValue | readonly PlainValue[] | { readonly [key: string]: PlainValue };

/** Thrown inside the reader only. */
class Unreadable extends Error {}

const MAX_DEPTH = 500;
const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const NAMED_FLOATS: Readonly<Record<string, number>> = { INF: Infinity, '-INF': -Infinity, NAN: NaN };

/** How each kind of value begins: null, boolean, integer, float, length of a string, count of an array. */
const BEGINNING =
  /N;|b:([01]);|i:([+-]?\d{1,400});|d:([^;]{1,400});|s:([+-]?\d{1,400}):"|a:([+-]?\d{1,400}):\{/y;

/** Reads PHP's format byte by byte: the lengths of strings count UTF-8 bytes. */
class Reader {
  private position = 0;
  /** One character for each byte. */
  private readonly text: string;

  constructor(private readonly bytes: Buffer) {
    this.text = bytes.toString('latin1');
  }

  atEnd(): boolean {
    return this.position === this.bytes.length;
  }

  value(depth = 0): PhpValue {
    BEGINNING.lastIndex = this.position;
    const [beginning, flag, integer, float, length, count] = BEGINNING.exec(this.text) ?? [];
    if (beginning === undefined) throw new Unreadable();
    this.position += beginning.length;
    if (flag !== undefined) return flag === '1';
    if (integer !== undefined) return Number(integer);
    if (float !== undefined) return this.float(float);
    if (length !== undefined) return this.string(Number(length));
    return count === undefined ? null : this.array(Number(count), depth);
  }

  private float(text: string): PhpFloat {
    const value = NAMED_FLOATS[text] ?? (FLOAT.test(text) ? Number(text) : undefined);
    if (value === undefined) throw new Unreadable();
    return new PhpFloat(value);
  }

  private string(length: number): string {
    const start = this.position;
    if (length < 0 || start + length > this.bytes.length) throw new Unreadable();
    this.position += length;
    this.expect('";');
    return this.bytes.toString('utf8', start, start + length);
  }

  private array(count: number, depth: number): PhpArray {
    if (count < 0 || depth >= MAX_DEPTH) throw new Unreadable();
    const array: PhpArray = new Map();
    for (let index = 0; index < count; index++) {
      const key = this.value(depth + 1);
      if (typeof key !== 'string' && typeof key !== 'number') throw new Unreadable();
      array.set(typeof key === 'string' ? arrayKey(key) : key, this.value(depth + 1));
    }
    this.expect('}');
    return array;
  }

  private expect(text: string): void {
    if (!this.text.startsWith(text, this.position)) throw new Unreadable();
    this.position += text.length;
  }
}

/** PHP keeps a decimal integer as a number when it is an array key. */
function arrayKey(text: string): string | number {
  if (!/^(?:0|-?[1-9]\d{0,15})$/.test(text)) return text;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** The value that PHP's `serialize()` wrote; undefined for objects, references and whatever is not such text. */
export function unserialize(text: string): PhpValue | undefined {
  const trimmed = phpTrim(text);
  if (!/^(?:N;|[bidsa]:)/.test(trimmed)) return undefined;
  const reader = new Reader(Buffer.from(trimmed, 'utf8'));
  try {
    const value = reader.value();
    return reader.atEnd() ? value : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** The text that PHP's `serialize()` writes: string lengths in UTF-8 bytes, a fractional number as a float. */
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

/** How everything begins and ends that WordPress takes out of a row as a value and not as a text. */
const LIKE_VALUES = /^(?:N;|[a-z]:.*[;}])$/is;

/**
 * A text as a row of meta holds it, as WordPress writes it: one that looks like a serialised value is serialised itself. PHP
 * would read it as that value otherwise, and make the objects that somebody wrote into an address.
 */
export function storedText(text: string): string {
  return LIKE_VALUES.test(phpTrim(text)) ? serialize(text) : text;
}

/** The text that a row of meta stands for. */
export function textOf(stored: string): string {
  if (!stored.startsWith('s:')) return stored;
  const value = unserialize(stored);
  return typeof value === 'string' ? value : stored;
}

/** PHP's shortest notation of a float, which has an exponent below 1.0E-4 and above 17 digits. */
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

/** Whether reading a stored text and writing it again gives the same bytes; else it must be left as it is. */
export function canWriteBack(text: string): boolean {
  const value = unserialize(text);
  return value !== undefined && serialize(value) === text;
}

/** Plain JavaScript: a PHP array with the keys 0, 1, 2 … becomes an array, any other an object; floats are numbers. */
export function toPlain(value: PhpValue): unknown {
  if (value instanceof PhpFloat) return value.value;
  if (!(value instanceof Map)) return value;
  if ([...value.keys()].every((key, index) => key === index)) return [...value.values()].map(toPlain);
  return Object.fromEntries([...value].map(([key, item]) => [key, toPlain(item)]));
}

/** The value that plain JavaScript stands for; a list gets the keys 0, 1, 2 …. */
export function toPhp(value: PlainValue): PhpValue {
  if (typeof value !== 'object' || value === null || value instanceof Map || value instanceof PhpFloat)
    return value;
  const entries: [string | number, PlainValue][] = isList(value)
    ? [...value.entries()]
    : Object.entries(value);
  return new Map(entries.map(([key, item]) => [key, toPhp(item)]));
}

const isList = (value: object): value is readonly PlainValue[] => Array.isArray(value);

/** A value that was copied from another thread: floats come as plain objects. */
export function withFloats(value: PhpValue): PhpValue {
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, withFloats(item)]));
  return typeof value === 'object' && value !== null ? new PhpFloat(value.value) : value;
}

/** The value when it is a PHP array, else an empty one. */
export function asMap(value: PhpValue | undefined): PhpArray {
  return value instanceof Map ? value : new Map();
}

/** PHP's `(string)` of a scalar; empty for null, false, arrays and what is missing. */
export function asString(value: PhpValue | undefined): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (value instanceof PhpFloat) return phpFloat(value.value);
  return value === true ? '1' : '';
}

/** PHP's `(int)`: the whole number that a text begins with, 0 when there is none; arrays count as 0 or 1. */
export function asInteger(value: PhpValue | undefined): number {
  if (typeof value === 'number') return value;
  if (value instanceof Map) return value.size > 0 ? 1 : 0;
  if (value instanceof PhpFloat) return Number.isFinite(value.value) ? Math.trunc(value.value) : 0;
  return Math.trunc(toFloat(asString(value)));
}

/** PHP's truth: all but null, false, 0, 0.0, '', '0' and the empty array. */
export function isTruthy(value: PhpValue | undefined): boolean {
  if (value instanceof Map) return value.size > 0;
  if (value instanceof PhpFloat) return value.value !== 0;
  return value === '0' ? false : Boolean(value);
}
