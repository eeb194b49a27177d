import type { Type } from '@nestjs/common';
import { blankOf, type MemberOptions, membersOf } from './member.js';
import { PageInfo } from './page.js';
import type { Resource } from './resource.js';

const LOCKED = 'null while a password locks the record.';

/** The schema of an object. */
export interface ObjectSchema {
  type: 'object';
  properties: Record<string, unknown>;
  required: string[];
}

/** The name of a class among the schemas of a document: `VenueJson` is `Venue`. */
export const schemaName = ({ name }: Type<object>): string => name.replace(/Json$/, '');

/** A reference to the schema of a class. */
export const schemaRef = (type: Type<object>) => refTo(schemaName(type));

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The schemas of all records and of other classes, and of those that they name in turn, by name. */
export function recordSchemas(resources: readonly Resource[], ...others: Type<object>[]) {
  const names = new Map<Type<object>, string>();
  const add = (type: Type<object>): string => {
    const taken = [...names].some(([one, name]) => one !== type && name === schemaName(type));
    const name = names.get(type) ?? schemaName(type) + (taken ? names.size : '');
    names.set(type, name);
    return name;
  };
  const lockable = new Set(resources.filter(({ kind }) => kind === 'post').map(({ json }) => json));
  for (const type of [...resources.map(({ json }) => json), ...others]) add(type);
  const schemas: Record<string, ObjectSchema> = {};
  // What a schema names is added, and comes last.
  for (const [type, name] of names)
    schemas[name] = JSON.parse(
      JSON.stringify(schemaOf(type, lockable.has(type)), (_, value: unknown) =>
        typeof value === 'function' ? refTo(add(value as Type<object>)) : value,
      ),
    );
  return schemas;
}

/** The schema of a page of a list. */
export function pageSchema({ many, json }: Resource): ObjectSchema {
  const { properties, required } = schemaOf(PageInfo);
  return {
    type: 'object',
    properties: { [many]: { type: 'array', items: schemaRef(json) }, ...properties },
    required: [many, ...required],
  };
}

/** The schema of what a class declares, with the classes that it names; `lockable` says that a password may blank members. */
export function schemaOf(type: Type<object>, lockable = false): ObjectSchema {
  const members = [...membersOf(type)];
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, member]) => [name, toSchema(member, lockable)])),
    required: members.filter(([, { optional }]) => !optional).map(([name]) => name),
  };
}

function toSchema(member: MemberOptions, lockable: boolean): unknown {
  const { optional: _, kept, blank: __, meta: ___, searched: ____, type, ...words } = member;
  const isNulled = lockable && !kept && blankOf(member) === null;
  const description = [words.description, isNulled && LOCKED].filter(Boolean).join(' ');
  const said = { ...words, ...(description && { description }) };
  if (typeof type === 'function' || !type) {
    const schema = type ?? words;
    if (isNulled) return { anyOf: [schema, { type: 'null' }], description };
    return type && description ? { allOf: [type], description } : (type ?? said);
  }
  return { type: isNulled ? [type, 'null'].flat() : type, ...said };
}
