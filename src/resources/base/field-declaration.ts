import { findZone } from '../../lib/wordpress-text/dates/zones.js';
import { type DeclaredField, type DeclaredValue, FIELD_TYPES, type FieldType } from './declared-field.js';

/** Describes what is wrong with a declaration that TypeScript could not check. */
export function declarationError(name: string, field: DeclaredField): string | undefined {
  const { meta, description, readableBy = '', writableBy = '', order = 0 } = field;
  if (!isName(name)) return NAME_RULE;
  if (typeof meta !== 'string' || meta === '') return 'meta must name a meta key';
  if (!META_KEY.test(meta)) return 'meta must be 1 to 255 characters of ASCII without blanks around them';
  if (RESERVED.test(meta)) return `${meta} is a key that the calendar or WordPress writes itself`;
  if (typeof description !== 'string') return 'it has no description';
  if (typeof readableBy !== 'string' || typeof writableBy !== 'string')
    return 'readableBy and writableBy must be names of capabilities';
  if (typeof order !== 'number') return 'order must be a number';
  return valueError(field, FIELD_OPTIONS) ?? useError(field);
}

/** What is wrong with how a field of a valid type is used: as a filter, with a default, as unique. */
function useError(field: DeclaredField): string | undefined {
  const { type = 'string', filter = false, unique = false, required = false, items } = field;
  if (filter && field.type === undefined) return 'filter needs a type';
  if (![true, false, 'range'].includes(filter)) return 'filter must be true, false or range';
  if (filter === 'range' && !RANGES.has(type))
    return `a filter by range needs one of the types ${list(RANGES)}`;
  if (filter && (type === 'object' || items?.type === 'object')) return 'objects are no filter';
  if (unique && !UNIQUE.has(type)) return `unique needs one of the types ${list(UNIQUE)}`;
  if (field.default === undefined) return undefined;
  if (required || unique) return 'default goes with neither required nor unique';
  const ofDefault = DEFAULTS[type];
  if (!ofDefault) return `default needs one of the types ${list(Object.keys(DEFAULTS))}`;
  return ofDefault(field.default, field) ? undefined : `default is no ${type} of the field`;
}

/** What is wrong with a value's own options, also inside objects and lists. */
function valueError(value: DeclaredValue, known: ReadonlySet<string>, depth = 1): string | undefined {
  const {
    type = 'string',
    checks = [],
    title = '',
    values,
    zone,
    to,
    properties,
    items,
    maxItems = 1,
  } = value;
  if (!FIELD_TYPES.includes(type)) return `type must be one of ${list(FIELD_TYPES)}, not ${type}`;
  if (depth > MAX_DEPTH) return `objects and lists have at most ${MAX_DEPTH} levels`;
  if (!Array.isArray(checks) || checks.some((one) => typeof one !== 'function'))
    return 'checks must be a list of decorators';
  const foreign = Object.keys(value).find((option) => !known.has(option) && !OPTIONS[type].includes(option));
  if (foreign !== undefined)
    return ALL_OPTIONS.has(foreign)
      ? `${foreign} goes with another type than ${type}`
      : `the option ${foreign} is unknown`;
  if (typeof title !== 'string') return 'title must be a text';
  if (type === 'enum' && !(Array.isArray(values) && values.length > 0 && values.every(isPlainText)))
    return 'values must be a list of texts without commas and blanks around them';
  if (zone !== undefined && (typeof zone !== 'string' || findZone(zone)?.kind !== 'iana'))
    return `zone must be the name of a time zone, not ${zone}`;
  if (type === 'reference' && !(to && ('taxonomy' in to || 'type' in to))) return 'to must be a resource';
  if (!Number.isInteger(maxItems) || maxItems < 1 || maxItems > MAX_ITEMS)
    return `maxItems must be a whole number from 1 to ${MAX_ITEMS}`;
  if (type === 'list') {
    if (typeof items !== 'object') return 'items must declare the items of the list';
    if (items.type === 'list') return 'lists hold no lists: put them into objects';
    return inside('items', valueError(items, VALUE_OPTIONS, depth + 1));
  }
  if (type !== 'object') return undefined;
  const members = Object.entries(properties ?? {});
  if (members.length === 0) return 'properties must declare the members of the object';
  if (members.length > MAX_ITEMS) return `objects have at most ${MAX_ITEMS} members`;
  for (const [name, member] of members) {
    const fault = isName(name) ? valueError(member, MEMBER_OPTIONS, depth + 1) : NAME_RULE;
    if (fault !== undefined) return inside(name, fault);
  }
  return undefined;
}

const inside = (name: string, fault: string | undefined) => fault && `${name}: ${fault}`;

const isName = (name: string): boolean => /^[a-z]\w*$/.test(name) && !(name in {});
const NAME_RULE = 'a name begins with a small letter and holds letters, digits and _';

/** A text that filters and cleaning leave unchanged. */
const isPlainText = (text: unknown): boolean =>
  typeof text === 'string' && text !== '' && text === text.trim() && !text.includes(',');

const list = (words: Iterable<string>) => [...words].join(', ');

const MAX_DEPTH = 5;
const MAX_ITEMS = 1000;

/** The options of each type. */
const OPTIONS: Readonly<Record<FieldType, readonly string[]>> = {
  string: [],
  integer: [],
  number: [],
  boolean: [],
  date: ['zone'],
  enum: ['values'],
  reference: ['to'],
  object: ['properties'],
  list: ['items', 'maxItems'],
};

const VALUE_OPTIONS: ReadonlySet<string> = new Set(['type', 'title', 'description', 'checks']);
const MEMBER_OPTIONS: ReadonlySet<string> = new Set([...VALUE_OPTIONS, 'required']);
const FIELD_OPTIONS: ReadonlySet<string> = new Set([
  ...MEMBER_OPTIONS,
  'meta',
  'order',
  'visibleWhenLocked',
  'filter',
  'default',
  'unique',
  'readableBy',
  'writableBy',
]);
const ALL_OPTIONS: ReadonlySet<string> = new Set([...FIELD_OPTIONS, ...Object.values(OPTIONS).flat()]);

const RANGES: ReadonlySet<string> = new Set(['integer', 'number', 'date']);
const UNIQUE: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'date', 'reference']);

/** Whether a value is a valid default, by type. */
const DEFAULTS: Readonly<Partial<Record<FieldType, (value: unknown, field: DeclaredField) => boolean>>> = {
  string: (value) => typeof value === 'string',
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  enum: (value, { values = [] }) => values.includes(String(value)),
};

/** Keys that every collation of the column stores and tells apart. */
const META_KEY = /^(?! )[ -~]{1,255}(?<! )$/;

/** Keys that the calendar or WordPress writes itself. */
const RESERVED =
  /^_(?:event|venue|organizer|wp_|edit_|thumbnail_id$|tribe_(?:events_|featured$|modified_fields$|aggregator_|ignored_|importer_))/i;
