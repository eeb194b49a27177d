import type { Type } from '@nestjs/common';
import type { FieldRegistry } from './field-registry.js';
import { fieldSchema, nullable } from './field-schema.js';
import { blankOf, type MemberOptions, type MemberSchema, membersOf } from './member.js';
import { PageInfo } from './page.js';
import type { Resource } from './resource.js';

type Members = Iterable<readonly [name: string, member: MemberOptions]>;

/** Member options that are not part of the JSON schema. */
const NON_SCHEMA_OPTIONS = [
  'optional',
  'visibleWhenLocked',
  'blank',
  'metaKey',
  'searched',
  'isHtml',
  'utc',
  'zone',
  'isRedundant',
  'isConditional',
];

/** The schema name of a class: `Venue` for `VenueJson`. */
export const schemaName = ({ name }: Type<object>): string => name.replace(/Json$/, '');

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A reference to the schema of a class. */
export const schemaRef = (type: Type<object>) => refTo(schemaName(type));

/** A reference to the schema of a resource's create body, such as `CreateVenue`. */
export const creationRef = ({ singular }: Pick<Resource, 'singular'>) =>
  refTo(pascalCase(`create ${singular}`));

/** Joins words to one name: `event series` becomes `EventSeries`. */
export function pascalCase(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** The schemas of all records, of the other classes and of the classes that these refer to, by name. */
export function recordSchemas(
  resources: readonly Resource[],
  fields: FieldRegistry,
  ...others: Type<object>[]
): Record<string, object> {
  const records = new Map<Type<object>, Map<string, MemberOptions>>();
  for (const one of resources)
    for (const json of one.kind === 'term' && one.embedded ? [one.json, one.embedded] : [one.json])
      records.set(json, new Map([...(records.get(json) ?? []), ...recordMembers(one, json, fields)]));
  const names = new Map<Type<object>, string>();
  const add = (type: Type<object>): string => {
    const isTaken = [...names.values()].includes(schemaName(type));
    const name = names.get(type) ?? schemaName(type) + (isTaken ? names.size : '');
    names.set(type, name);
    return name;
  };
  for (const type of [...records.keys(), ...others]) add(type);
  const schemas: Record<string, object> = {};
  // A referenced class is appended while iterating.
  for (const [type, name] of names) {
    const schema = JSON.stringify(schemaOf(records.get(type) ?? membersOf(type)), (_, value: unknown) =>
      typeof value === 'function' ? refTo(add(value as Type<object>)) : value,
    );
    schemas[name] = JSON.parse(schema);
  }
  return schemas;
}

/** The members of a class, locked or not, with the fields declared on the resources that it represents. */
export function allMembersOf(
  type: Type<object>,
  resources: readonly Resource[],
  fields: FieldRegistry,
): ReadonlyMap<string, MemberOptions> {
  const owners = resources.filter((one) => one.json === type || ('embedded' in one && one.embedded === type));
  return new Map([...owners.flatMap((one) => [...recordMembers(one, type, fields)]), ...membersOf(type)]);
}

/** The schema of a list page with items of this schema. */
export function pageSchema({ plural }: Resource, items: object): object {
  const { properties, required } = schemaOf(membersOf(PageInfo));
  return {
    type: 'object',
    properties: { [plural]: { type: 'array', items }, ...properties },
    required: [plural, ...required],
  };
}

/** The members of a record in responses: its own, nullable where a password may lock them, and declared fields. */
function recordMembers(resource: Resource, json: Type<object>, fields: FieldRegistry): Members {
  const isTerm = resource.kind === 'term';
  const declared = [...fields.declaredOn(resource)].map(([name, field]): [string, MemberOptions] => [
    name,
    // Taxonomies may share a class.
    { ...nullable(fieldSchema(field)), optional: isTerm || field.readableBy !== undefined },
  ]);
  const own = [...membersOf(json)].map(
    ([name, member]) => [name, isTerm ? member : lockable(member)] as const,
  );
  return [...own, ...declared];
}

function lockable(member: MemberOptions): MemberOptions {
  if (member.visibleWhenLocked || blankOf(member) !== null) return member;
  const { type } = member;
  const description = `${member.description ?? ''} null while a password locks the record.`.trim();
  return typeof type === 'string'
    ? { ...member, type: [type, 'null'], description }
    : { anyOf: [toSchema(member), { type: 'null' }], description };
}

function schemaOf(members: Members) {
  return {
    type: 'object',
    properties: Object.fromEntries([...members].map(([name, member]) => [name, toSchema(member)])),
    required: [...members].filter(([, { optional }]) => !optional).map(([name]) => name),
  };
}

function toSchema({ type, ...member }: MemberOptions): MemberSchema | Type<object> {
  const words = Object.fromEntries(
    Object.entries(member).filter(([name]) => !NON_SCHEMA_OPTIONS.includes(name)),
  );
  // An array without an item schema may hold anything.
  const items = type === 'array' && { items: {} };
  if (typeof type !== 'function') return { ...(type && { type }), ...items, ...words };
  return Object.keys(words).length === 0 ? type : { allOf: [type], ...words };
}
