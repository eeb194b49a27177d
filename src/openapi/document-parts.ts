import type { DeclaredArg } from '../http/params/rest-arg.js';
import type { PathParameter } from './route-table.js';

/** The `info` of both OpenAPI documents. */
export const INFO = {
  version: '1.0.0',
  title: 'Calendar REST interface',
  description: 'Events, venues, organizers, categories and tags of a calendar.',
};

/** Errors by status, in both documents. */
export const ERRORS = {
  400: 'A parameter is missing or not valid, or names no record.',
  401: 'Wrong credentials, or none where some are needed.',
  403: 'The caller may not do this.',
  404: 'There is no such page or record.',
  410: 'The record is in the trash already.',
};

export function toPathParameter({ name, type }: PathParameter) {
  return { in: 'path', schema: { type }, description: `The ${name} of the record.`, required: true, name };
}

export function toQueryParameter({ name, description, required }: DeclaredArg, schema: object) {
  return { in: 'query', schema, description, required, name };
}

/** The properties of a body with these fields. */
export function toProperties<Field extends DeclaredArg>(
  fields: readonly Field[],
  toSchema: (field: Field) => object,
) {
  const properties = fields.map((field) => [
    field.name,
    { ...toSchema(field), description: field.description },
  ]);
  return Object.fromEntries(properties);
}
