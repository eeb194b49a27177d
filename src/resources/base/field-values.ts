import { isoDate, wallClockIn } from '../../lib/wordpress-text/dates/convert.js';
import { isNumeric, isWhole } from '../../lib/wordpress-text/formatting/php-number.js';
import {
  asString,
  PhpFloat,
  type PhpValue,
  serialize,
  storedText,
  unserialize,
} from '../../lib/wordpress-text/php-serialize.js';
import { DEFAULT_CLEANER, type TextCleaner } from '../../wordpress/posts/text-cleaner.js';
import type { DeclaredField, DeclaredValue } from './declared-field.js';
import type { Resource } from './resource.js';

type Values = Readonly<Record<string, unknown>>;

/** The JSON of a field's meta rows; a stored value that is none of the field's type is null, and no item of a list. */
export function decodeField(
  field: DeclaredField,
  rows: readonly string[] | undefined,
  zone: string,
): unknown {
  if (field.type === 'list')
    return (rows ?? []).map((row) => decodeText(field.items, row, zone)).filter(isSet);
  const [stored] = rows ?? [];
  return stored === undefined
    ? (field.default ?? (field.type === 'boolean' ? false : null))
    : decodeText(field, stored, zone);
}

const isSet = (value: unknown): boolean => value !== null;

const decodeText = (value: DeclaredValue = {}, text: string, zone: string): unknown =>
  decode(value, value.type === 'object' ? unserialize(text) : text, zone);

/** The JSON of a value as PHP knows it, in a meta row or in an array. */
function decode(value: DeclaredValue, php: PhpValue | undefined, zone: string): unknown {
  const plain = php instanceof PhpFloat ? php.value : php;
  switch (value.type) {
    case 'boolean':
      return asString(php) === '1';
    case 'integer':
      return isWhole(plain) ? Number(plain) : null;
    case 'number':
      return isNumeric(plain) && Number.isFinite(Number(plain)) ? Number(plain) : null;
    case 'reference':
      return isWhole(plain) && Number(plain) > 0 ? Number(plain) : null;
    case 'date':
      return (typeof plain === 'string' && isoDate(plain, value.zone ?? zone)) || null;
    case 'enum':
      return value.values?.includes(asString(php)) ? asString(php) : null;
    case 'list':
      if (!(plain instanceof Map)) return [];
      return [...plain.values()].map((item) => decode(value.items ?? {}, item, zone)).filter(isSet);
    case 'object':
      if (!(plain instanceof Map)) return null;
      return Object.fromEntries(
        Object.entries(value.properties ?? {}).map(([name, member]) => [
          name,
          decode(member, plain.get(name), zone),
        ]),
      );
    default:
      return typeof plain === 'string' || typeof plain === 'number' ? String(plain) : null;
  }
}

/** What turns input into stored values. */
interface Encoding {
  cleaner: TextCleaner;
  /** The site's zone. */
  zone: string;
  /** Epoch seconds, for dates that a hook sets relatively. */
  now: number;
}

/** The texts of a field's meta rows; none where it is removed. */
export function encodeField(field: DeclaredField, input: unknown, encoding: Encoding): string[] {
  if (field.type === 'list') {
    const texts = itemsOf(input).flatMap((item) => encodeText(field.items ?? {}, item, encoding));
    // A list names each record once.
    return field.items?.type === 'reference' ? [...new Set(texts)] : texts;
  }
  return encodeText(field, input, encoding);
}

/** Hooks may set anything. */
const itemsOf = (input: unknown): readonly unknown[] => (Array.isArray(input) ? input : []);

function encodeText(value: DeclaredValue, input: unknown, encoding: Encoding): string[] {
  const php = encode(value, input, encoding);
  if (php === null || php === '') return [];
  if (php instanceof Map) return [serialize(php)];
  return [typeof php === 'string' ? storedText(php) : asString(php)];
}

/** A text as fields store it. */
export const plainLine = (text: string, cleaner: TextCleaner = DEFAULT_CLEANER): string =>
  cleaner.clean('line', text);

/** The value as PHP stores it; null where it is unset. */
function encode(value: DeclaredValue, input: unknown, encoding: Encoding): PhpValue {
  if (input === undefined || input === null) return null;
  switch (value.type) {
    case 'boolean':
      return Boolean(input);
    case 'integer':
    case 'number':
    case 'reference':
      return Number(input);
    case 'date':
      return wallClockIn(String(input), value.zone ?? encoding.zone, encoding.now) ?? null;
    case 'list': {
      const items = itemsOf(input).map((item) => encode(value.items ?? {}, item, encoding));
      return mapOrNull(items.filter(isSet).entries());
    }
    case 'object': {
      const members = Object.entries(value.properties ?? {}).map(
        ([name, member]) => [name, encode(member, (input as Values)[name], encoding)] as const,
      );
      return mapOrNull(members.filter(([, member]) => isSet(member) && member !== ''));
    }
    case 'enum':
      return String(input);
    default:
      return plainLine(String(input), encoding.cleaner);
  }
}

function mapOrNull(entries: Iterable<readonly [string | number, PhpValue]>): PhpValue {
  const map = new Map(entries);
  return map.size === 0 ? null : map;
}

/** Whether a value is a reference or has some inside. */
export function hasReferences({ type, items, properties = {} }: DeclaredValue): boolean {
  return (
    type === 'reference' ||
    (items !== undefined && hasReferences(items)) ||
    Object.values(properties).some(hasReferences)
  );
}

/** The JSON of a value with each reference that is not visible removed. */
export function withReferences(
  value: DeclaredValue,
  json: unknown,
  isVisible: (to: Resource, id: number) => boolean,
): unknown {
  if (json === null || !hasReferences(value)) return json;
  const { to, items = {}, properties = {} } = value;
  if (value.type === 'reference') return to && isVisible(to, Number(json)) ? json : null;
  if (value.type === 'list')
    return (json as readonly unknown[]).map((item) => withReferences(items, item, isVisible)).filter(isSet);
  return Object.fromEntries(
    Object.entries(json as Values).map(([name, member]) => [
      name,
      withReferences(properties[name] ?? {}, member, isVisible),
    ]),
  );
}
