import type { Type } from '@nestjs/common';
import { mapValues } from '../../common/map-values.js';
import type { FieldRegistry } from './field-registry.js';
import { allMembersOf, schemaName } from './json-schema.js';
import type { MemberOptions, MemberSchema } from './member.js';
import { normalizedShape } from './normalized-format.service.js';
import type { Resource } from './resource.js';

/** The schemas of records in the normalized format and of embedded classes, by name such as `CleanVenue`. */
export function normalizedSchemas(
  resources: readonly Resource[],
  fields: FieldRegistry,
): Record<string, object> {
  const types = new Set(resources.map(({ json }): Type<object> => json));
  const schemas: Record<string, object> = {};
  const refer = (type: Type<object>) => {
    types.add(type);
    return normalizedRef(type);
  };
  // A referenced class is appended while iterating.
  for (const type of types) {
    const mayLock = resources.some(({ json, kind }) => json === type && kind === 'post');
    const members = [...allMembersOf(type, resources, fields)].filter(([, { isRedundant }]) => !isRedundant);
    schemas[normalizedName(type)] = {
      type: 'object',
      properties: Object.fromEntries(
        members.map(([name, member]) => [name, memberSchema(member, mayLock, refer)]),
      ),
      required: members.filter(([, { isConditional }]) => !isConditional).map(([name]) => name),
    };
  }
  return schemas;
}

/** A reference to the schema of a class in the normalized format. */
export const normalizedRef = (type: Type<object>) => ({
  $ref: `#/components/schemas/${normalizedName(type)}`,
});

/** The schema name of a class in the normalized format. */
const normalizedName = (type: Type<object>): string => `Clean${schemaName(type)}`;

function memberSchema(
  member: MemberOptions,
  mayLock: boolean,
  refer: (type: Type<object>) => object,
): object {
  const { description, format, optional, visibleWhenLocked, isHtml } = member;
  const isNullable = Boolean(optional) || (mayLock && !visibleWhenLocked);
  const described = description === undefined ? {} : { description };
  const of = (type: string) => ({ type: isNullable ? [type, 'null'] : type, ...described });
  const inner = (items: MemberSchema) => memberSchema(items, false, refer);
  const shape = normalizedShape(member);
  switch (shape.kind) {
    case 'record':
      return isNullable ? { anyOf: [refer(shape.type), { type: 'null' }], ...described } : refer(shape.type);
    case 'list':
      return { type: 'array', items: inner(shape.items), ...described };
    case 'map':
      return { type: 'object', additionalProperties: inner(shape.items), ...described };
    case 'object':
      return {
        ...of('object'),
        properties: mapValues(shape.properties, (one) =>
          memberSchema({ ...one, optional: true }, false, refer),
        ),
      };
    case 'date':
      return { type: ['string', 'null'], format: 'date-time' };
    case 'text':
      return {
        ...of('string'),
        ...(format && !isHtml && { format }),
        ...(member.enum && { enum: member.enum }),
      };
    case 'other':
      return member.type === undefined ? described : of('object');
    default:
      return of(shape.kind);
  }
}
