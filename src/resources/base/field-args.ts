import { Transform } from 'class-transformer';
import { RestException } from '../../common/errors/rest-exception.js';
import {
  type CheckContext,
  type DtoClass,
  getContext,
  type TransformParams,
} from '../../http/params/check-context.js';
import { IsPostOf, IsTermOf } from '../../http/params/checks.js';
import { filterItems, itemsOf, listItems } from '../../http/params/fields.js';
import { MAX_LENGTH } from '../../http/params/limits.js';
import { makeCheck } from '../../http/params/make-check.js';
import { readParameters } from '../../http/params/read-parameters.js';
import { type ArgOptions, type ArgType, RequiredArgs, RestArg } from '../../http/params/rest-arg.js';
import { isoDate, wallClockIn } from '../../lib/wordpress-text/dates/convert.js';
import type { DeclaredField, DeclaredValue } from './declared-field.js';
import { DEFAULT_MAX_ITEMS, inputSchema } from './field-schema.js';

type Values = Readonly<Record<string, unknown>>;

/** Maximum characters of an object or a list as JSON. */
const MAX_CHARACTERS = 65_535;

/** Declares the parameter of a field in a create or update; null removes the value. */
export function bodyArg(field: DeclaredField): PropertyDecorator {
  const { required = false, unique = false, default: defaultValue } = field;
  return valueArg(field, {
    ...(required && { requiredOnCreate: true }),
    ...(unique && { isUnique: true }),
    ...(defaultValue !== undefined && { schema: { default: defaultValue } }),
  });
}

/** The parameters of a list that filter by a field, by name. */
export function filterArgs(name: string, field: DeclaredField): [name: string, arg: PropertyDecorator][] {
  const { type, description, checks = [], filter } = field;
  if (!filter) return [];
  const item = type === 'list' ? field.items : SEVERAL.has(type) ? field : undefined;
  if (item) return [[name, listFilter(item, description)]];
  const equal: [string, PropertyDecorator] = [name, scalarArg(field, { description }, checks)];
  if (filter !== 'range') return [equal];
  const edge = (word: string) => scalarArg(field, { description: `${word} of the filter by ${name}.` }, []);
  return [equal, [`min_${name}`, edge('Minimum')], [`max_${name}`, edge('Maximum')]];
}

/** Types whose filters accept several values. */
const SEVERAL: ReadonlySet<unknown> = new Set(['enum', 'reference']);

function valueArg(value: DeclaredValue, options: Partial<ArgOptions>): PropertyDecorator {
  const { type, description = '', checks = [], items = {} } = value;
  const { description: _description, ...own } = inputSchema(value);
  const schema = { ...own, type: [own.type, 'null'], ...options.schema };
  const shared = { ...options, description, nullable: true, schema };
  if (type === 'list') {
    const isOfObjects = items.type === 'object';
    const list = isOfObjects
      ? { items: 'object' as const, maxLength: MAX_LENGTH.text }
      : { items: argType(items) };
    return parsedArg({ ...shared, ...list }, (sent, context) => parseList(value, sent, context), checks);
  }
  if (type === 'object') {
    const options = { ...shared, type: 'object', maxLength: MAX_LENGTH.text } as const;
    return parsedArg(options, (sent, context) => parseObject(value, sent, context), checks);
  }
  const nullSchema = type === 'enum' ? { enum: [...(value.values ?? []), '', null] } : {};
  return scalarArg(value, { ...shared, schema: { ...schema, ...nullSchema } }, checks);
}

/** The type of a parameter whose value is one scalar. */
const argType = ({ type = 'string' }: DeclaredValue): ArgType =>
  type === 'reference'
    ? 'integer'
    : type === 'integer' || type === 'number' || type === 'boolean'
      ? type
      : 'string';

function scalarArg(
  value: DeclaredValue,
  options: ArgOptions,
  checks: readonly PropertyDecorator[],
): PropertyDecorator {
  return RestArg({ type: argType(value), ...options }, ...ownChecks(value, options.nullable), ...checks);
}

/** The checks and conversions of a type; an empty text counts as null where null is valid. */
function ownChecks(value: DeclaredValue, isNullable = false): PropertyDecorator[] {
  const { type, to, values = [], zone } = value;
  const isEmpty = (sent: unknown) => isNullable && sent === '';
  if (type === 'enum') {
    const message = `must be one of ${values.join(', ')}.`;
    const check = makeCheck(
      'isEnumValue',
      message,
      (sent) => isEmpty(sent) || values.includes(sent as string),
    );
    return [check(), Transform(({ value: sent }: TransformParams) => (isEmpty(sent) ? null : sent))];
  }
  if (type === 'date') {
    const isoOf = (sent: unknown, values: object) =>
      typeof sent === 'string' ? toIsoDate(sent, zone, getContext(values)) : undefined;
    const message = 'must be a date and time, such as 2026-11-21 10:00:00.';
    return [
      makeCheck(
        'isDateOfZone',
        message,
        (sent, values) => isEmpty(sent) || isoOf(sent, values) !== undefined,
      )(),
      Transform(({ value: sent, obj }: TransformParams) =>
        isEmpty(sent) ? null : (isoOf(sent, obj) ?? sent),
      ),
    ];
  }
  if (type === 'reference' && to)
    return ['taxonomy' in to ? IsTermOf(to.taxonomy, to.singular) : IsPostOf(to.type, to.singular)];
  return [];
}

/** A date text as ISO 8601 on the clock of a zone; undefined where it is none that a DATETIME column can hold. */
function toIsoDate(
  text: string,
  zone: string | undefined,
  { settings, time }: CheckContext,
): string | undefined {
  const clock = zone ?? settings.zone;
  const read = (now: number) => (/\S/.test(text) ? wallClockIn(text, clock, now) : undefined);
  const { value: wall } = time.steady(read, Object.is);
  return wall !== undefined && /^(?!0000)\d{4}-/.test(wall) ? isoDate(wall, clock) : undefined;
}

type Parse = (sent: unknown, context: CheckContext) => Promise<unknown>;

/** A parameter whose check parses it: invalid input is a `ValueFault`. */
function parsedArg(
  options: ArgOptions,
  parse: Parse,
  checks: readonly PropertyDecorator[] = [],
): PropertyDecorator {
  // Passes the parsed value from the check to the transformation.
  const parsed = new WeakMap<CheckContext, unknown>();
  const check = async (sent: unknown, values: object) => {
    const context = getContext(values);
    try {
      parsed.set(context, sent === '' && options.nullable ? null : await parse(sent, context));
      return true;
    } catch (error) {
      if (error instanceof ValueFault) return error.message;
      throw error;
    }
  };
  const isParsable = makeCheck('isParsable', 'is not valid.', check, options.schema);
  const toParsed = Transform(({ value, obj }: TransformParams) =>
    (value ?? undefined) === undefined ? value : parsed.get(getContext(obj)),
  );
  return RestArg(options, isParsable(), toParsed, ...checks);
}

/** What is wrong with a value, to follow its name. */
class ValueFault extends Error {}

/** class-validator puts the name for `$property`. */
const INVALID = 'holds data that are not valid: ';

async function parseObject(value: DeclaredValue, sent: unknown, context: CheckContext): Promise<unknown> {
  // PHP writes an empty map as an empty list.
  const isMap = typeof sent === 'object' && sent !== null && (!Array.isArray(sent) || sent.length === 0);
  if (!isMap) throw new ValueFault('must be an object.');
  checkSize(sent);
  const { properties = {} } = value;
  const unknown = Object.keys(sent).find((name) => !Object.hasOwn(properties, name));
  if (unknown !== undefined) throw new ValueFault(`${INVALID}$property.${unknown.slice(0, 100)} is unknown.`);
  const members = await readMembers(
    objectClass(properties),
    { ...sent },
    context,
    (name) => `$property.${name}`,
  );
  return Object.fromEntries(Object.entries(members).filter(([, member]) => member !== undefined));
}

async function parseList(list: DeclaredValue, sent: unknown, context: CheckContext): Promise<unknown> {
  const { items = {}, maxItems = DEFAULT_MAX_ITEMS } = list;
  if (items.type === 'object' && !Array.isArray(sent)) throw new ValueFault('must be a list of objects.');
  checkSize(sent);
  const all = typeof sent === 'string' ? listItems(sent) : itemsOf(sent);
  if (all.length > maxItems) throw new ValueFault(`may hold at most ${maxItems} items.`);
  return parseItems(items, all, context);
}

async function parseItems(
  item: DeclaredValue,
  all: readonly unknown[],
  context: CheckContext,
): Promise<unknown[]> {
  const type = itemClass(item);
  const parsed = await Promise.all(
    all.map(async (sent, at) => {
      if (sent === null) throw new ValueFault(`${INVALID}$property.${at} is null.`);
      return (await readMembers(type, { item: sent }, context, () => `$property.${at}`)) as { item: unknown };
    }),
  );
  return parsed.map((one) => one.item).filter((one) => (one ?? null) !== null);
}

function checkSize(sent: unknown): void {
  if (JSON.stringify(sent).length > MAX_CHARACTERS)
    throw new ValueFault(`may hold at most ${MAX_CHARACTERS} characters as JSON.`);
}

/** Reads a map as parameters of a class; the first fault names its path from here. */
async function readMembers(
  type: DtoClass,
  sent: Readonly<Record<string, unknown>>,
  context: CheckContext,
  pathOf: (name: string) => string,
): Promise<Values> {
  try {
    return (await readParameters(type, sent, context)) as Values;
  } catch (error) {
    if (!(error instanceof RestException)) throw error;
    const { params = {} } = error.details.data ?? {};
    const [[name, text] = ['', '']] = Object.entries(params as Readonly<Record<string, string>>);
    // Missing parameters are a list of names.
    if (error.code === 'rest_missing_callback_param')
      throw new ValueFault(`${INVALID}${pathOf(text)} is missing.`);
    // A fault further inside repeats the name, as the first part of its path.
    const inner = `${name} ${INVALID}${name}`;
    const fault = text.slice(text.startsWith(inner) ? inner.length : name.length);
    throw new ValueFault(`${INVALID}${pathOf(name)}${fault}`);
  }
}

const objectClasses = new WeakMap<object, DtoClass>();

/** A parameter class with the members of an object. */
function objectClass(properties: NonNullable<DeclaredValue['properties']>): DtoClass {
  const known = objectClasses.get(properties);
  if (known) return known;
  const type = class {};
  for (const [name, member] of Object.entries(properties)) valueArg(member, {})(type.prototype, name);
  RequiredArgs(...Object.entries(properties).flatMap(([name, { required }]) => (required ? name : [])))(type);
  objectClasses.set(properties, type);
  return type;
}

const itemClasses = new WeakMap<object, DtoClass>();

/** A parameter class with an item of a list. */
function itemClass(item: DeclaredValue): DtoClass {
  const known = itemClasses.get(item);
  if (known) return known;
  const type = class {};
  valueArg(item, {})(type.prototype, 'item');
  itemClasses.set(item, type);
  return type;
}

/** A filter by values of which a record must have one: a comma text or a list. */
function listFilter(item: DeclaredValue, description: string): PropertyDecorator {
  return parsedArg(
    { items: argType(item), description, schema: { items: inputSchema(item), maxItems: DEFAULT_MAX_ITEMS } },
    async (sent, context) => {
      const all = filterItems(sent);
      if (all.length === 0) throw new ValueFault('must name at least one value.');
      if (all.length > DEFAULT_MAX_ITEMS)
        throw new ValueFault(`may hold at most ${DEFAULT_MAX_ITEMS} items.`);
      return parseItems(item, all, context);
    },
  );
}
