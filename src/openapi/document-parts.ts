import { createRequire } from 'node:module';
import type { DeclaredArg } from '../http/params/rest-arg.js';
import type { PathParameter } from './route-table.js';

/** The `info` of `/doc`, as recorded. */
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

const { version, license }: Record<'version' | 'license', string> = createRequire(import.meta.url)(
  '../../package.json',
);

const DESCRIPTION = `The site's calendar as JSON: events with their venues, organizers, categories and tags.

**To begin**, open *List events* below and press *Send*: reading what is published needs no login.
**To write**, enter a user name and an application password above the list, which \`almanac user\` makes, or
WordPress on the user's profile. The page keeps it until it is closed, and nowhere else.

Lists come in pages: \`per_page\` and \`page\` choose one, \`total_pages\` says how many there are. Dates are texts such as
\`2026-11-21 10:00:00\`; those of an event follow the clock of its time zone, and \`utc_start_date\` says the same in UTC.
Texts of records are HTML. An update changes what is sent, and nothing else. Whatever is refused is answered with a \`code\`
for programs, a \`message\` for people, and in \`data.params\` what is wrong with each parameter.`;

/** The `info` of `/openapi.json`. */
export const DOCUMENT_INFO = {
  title: 'Calendar REST interface',
  version,
  description: DESCRIPTION,
  license: { name: license, identifier: license },
};
