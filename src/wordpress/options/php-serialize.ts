import { toFloat } from '../formatting/php-number.js';
import { phpTrim } from '../formatting/php-trim.js';

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
const INTEGER = /^[+-]?\d+$/;
const FLOAT = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const NAMED_FLOATS: Readonly<Record<string, number>> = { INF: Infinity, '-INF': -Infinity, NAN: NaN };

/** Reads PHP's format byte by byte: the lengths of strings count UTF-8 bytes. */
class Reader {
  private position = 0;
  constructor(private readonly bytes: Buffer) {}

  atEnd(): boolean {
    return this.position === this.bytes.length;
  }

  value(depth = 0): PhpValue {
    const kind = this.take(2);
    switch (kind) {
      case 'N;':
        return null;
      case 'b:': {
        const digit = this.until(';');
        if (digit !== '0' && digit !== '1') throw new Unreadable();
        return digit === '1';
      }
      case 'i:':
        return this.integer(';');
      case 'd:': {
        const text = this.until(';');
        const value = NAMED_FLOATS[text] ?? (FLOAT.test(text) ? Number(text) : undefined);
        if (value === undefined) throw new Unreadable();
        return new PhpFloat(value);
      }
      case 's:':
        return this.string();
      case 'a:':
        return this.array(depth);
      default:
        throw new Unreadable();
    }
  }

  private string(): string {
    const length = this.integer(':');
    const start = this.position + 1;
    this.expect('"');
    if (length < 0 || start + length > this.bytes.length) throw new Unreadable();
    this.position = start + length;
    const text = this.bytes.toString('utf8', start, this.position);
    this.expect('";');
    return text;
  }

  private array(depth: number): PhpArray {
    const count = this.integer(':');
    if (count < 0 || depth >= MAX_DEPTH) throw new Unreadable();
    this.expect('{');
    const array: PhpArray = new Map();
    for (let index = 0; index < count; index++) {
      const key = this.value(depth + 1);
      if (typeof key === 'string') array.set(arrayKey(key), this.value(depth + 1));
      else if (typeof key === 'number') array.set(key, this.value(depth + 1));
      else throw new Unreadable();
    }
    this.expect('}');
    return array;
  }

  private integer(end: string): number {
    const text = this.until(end);
    if (!INTEGER.test(text)) throw new Unreadable();
    return Number(text);
  }

  private until(end: string): string {
    const stop = this.bytes.indexOf(end, this.position, 'latin1');
    if (stop < 0 || stop - this.position > 400) throw new Unreadable();
    const text = this.bytes.toString('latin1', this.position, stop);
    this.position = stop + end.length;
    return text;
  }

  private take(length: number): string {
    const text = this.bytes.toString('latin1', this.position, this.position + length);
    this.position += length;
    return text;
  }

  private expect(text: string): void {
    if (this.take(text.length) !== text) throw new Unreadable();
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
