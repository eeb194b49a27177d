import type { Type } from '@nestjs/common';
import type { FieldRegistry } from './field-registry.js';
import { blankOf, type MemberOptions, type MemberSchema, membersOf } from './member.js';
import { PageInfo } from './page.js';
import type { Resource } from './resource.js';

type Members = Iterable<readonly [name: string, member: MemberOptions]>;

/** What of a declaration is none of the member's schema. */
const NO_SCHEMA = [
  'optional',
  'kept',
  'blank',
  'meta',
  'searched',
  'isHtml',
  'utc',
  'zone',
  'isDouble',
  'isExtra',
];

/** The name of a class among the schemas of a document: `VenueJson` is `Venue`. */
export const schemaName = ({ name }: Type<object>): string => name.replace(/Json$/, '');

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A reference to the schema of a class. */
export const schemaRef = (type: Type<object>) => refTo(schemaName(type));

/** A reference to the schema of what creates a record: `CreateVenue`. */
export const creationRef = ({ one }: Pick<Resource, 'one'>) => refTo(pascalCase(`create ${one}`));

/** Words as one name: `event series` is `EventSeries`. */
export function pascalCase(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}

/** The schemas of all records and of other classes, and of those that they name in turn, by name. */
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
  // What a schema names is added, and comes last.
  for (const [type, name] of names) {
    const schema = JSON.stringify(schemaOf(records.get(type) ?? membersOf(type)), (_, value: unknown) =>
      typeof value === 'function' ? refTo(add(value as Type<object>)) : value,
    );
    schemas[name] = JSON.parse(schema);
  }
  return schemas;
}

/** The members of a class, whatever a password does to them, and what plugins declare on the resources that are shown by it. */
export function allMembersOf(
  type: Type<object>,
  resources: readonly Resource[],
  fields: FieldRegistry,
): ReadonlyMap<string, MemberOptions> {
  const owners = resources.filter((one) => one.json === type || ('embedded' in one && one.embedded === type));
  return new Map([...owners.flatMap((one) => [...recordMembers(one, type, fields)]), ...membersOf(type)]);
}

/** The schema of a page of a list whose items have this schema. */
export function pageSchema({ many }: Resource, items: object): object {
  const { properties, required } = schemaOf(membersOf(PageInfo));
  return {
    type: 'object',
    properties: { [many]: { type: 'array', items }, ...properties },
    required: [many, ...required],
  };
}

/** What is sent of a record: its own members as a password may change them, and those that plugins declare. */
function recordMembers(resource: Resource, json: Type<object>, fields: FieldRegistry): Members {
  const isTerm = resource.kind === 'term';
  const declared = [...fields.declaredOn(resource)].map(
    ([name, { type = 'string', description, readableBy }]): [string, MemberOptions] => [
      name,
      // Taxonomies may share a class.
      { type: [type, 'null'], description, optional: isTerm || readableBy !== undefined },
    ],
  );
  const own = [...membersOf(json)].map(
    ([name, member]) => [name, isTerm ? member : lockable(member)] as const,
  );
  return [...own, ...declared];
}

function lockable(member: MemberOptions): MemberOptions {
  if (member.kept || blankOf(member) !== null) return member;
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
  const words = Object.fromEntries(Object.entries(member).filter(([name]) => !NO_SCHEMA.includes(name)));
  // A list of which nothing is said may hold anything.
  const items = type === 'array' && { items: {} };
  if (typeof type !== 'function') return { ...(type && { type }), ...items, ...words };
  return Object.keys(words).length === 0 ? type : { allOf: [type], ...words };
}
