import { mapValues } from '../../common/map-values.js';
import { MAX_LENGTH } from '../../http/params/limits.js';
import type { DeclaredMember, DeclaredValue } from './declared-field.js';
import type { MemberSchema } from './member.js';

export const DEFAULT_MAX_ITEMS = 100;

/** The JSON Schema of a value in responses; null apart. */
export function fieldSchema(value: DeclaredValue): MemberSchema {
  const { type = 'string', title, description } = value;
  const words = {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  };
  switch (type) {
    case 'date':
      return { type: 'string', format: 'date-time', ...words };
    case 'enum':
      return { type: 'string', enum: value.values, ...words };
    case 'reference':
      return { type: 'integer', ...words };
    case 'list':
      return { type: 'array', items: fieldSchema(value.items ?? {}), ...words };
    case 'object': {
      const members = value.properties ?? {};
      const properties = mapValues(members, (member) => nullable(fieldSchema(member)));
      return { type: 'object', properties, required: Object.keys(members), ...words };
    }
    default:
      return { type, ...words };
  }
}

/** A schema that null matches, too. */
export const nullable = ({ type, ...schema }: MemberSchema): MemberSchema => ({
  type: [String(type), 'null'],
  ...schema,
  ...(schema.enum && { enum: [...schema.enum, null] }),
});

/** The JSON Schema of a value in requests. */
export function inputSchema(value: DeclaredValue): MemberSchema {
  const { type, items = {}, properties = {}, maxItems = DEFAULT_MAX_ITEMS } = value;
  if (type === 'list') return { ...fieldSchema(value), items: inputSchema(items), maxItems };
  if (type === 'object') {
    const required = Object.entries(properties).flatMap(([name, member]) => (isRequired(member) ? name : []));
    return {
      ...fieldSchema(value),
      properties: mapValues(properties, (member) => nullable(inputSchema(member))),
      required,
      additionalProperties: false,
    };
  }
  // Requests may hold any text that is a date.
  const { format: _format, ...schema } = fieldSchema(value);
  return type === undefined || type === 'string' ? { ...schema, maxLength: MAX_LENGTH.word } : schema;
}

const isRequired = ({ required = false }: DeclaredMember): boolean => required;
