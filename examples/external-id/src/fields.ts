import { defineFields, type FieldsJson, type FieldsOf } from 'almanac';
import { IsUrl } from 'class-validator';

/** Where an event or a venue comes from; both have the same fields. */
export const fields = defineFields({
  external_id: {
    meta: '_external_id',
    type: 'string',
    description: 'Id in the system that the record was imported from.',
    unique: true,
    filter: true,
  },
  source: {
    meta: '_external_source',
    type: 'object',
    description: 'The system that the record was imported from.',
    properties: {
      system: { type: 'enum', values: ['erp', 'tickets', 'website'], description: 'Kind of system.' },
      url: { type: 'string', checks: [IsUrl()], description: 'Address there; needed with a system.' },
      imported_at: { type: 'date', zone: 'Europe/Berlin', description: 'When it was imported.' },
      tags: { type: 'list', items: { type: 'string' }, description: 'Tags there.' },
    },
  },
});

export type ExternalFields = FieldsOf<typeof fields>;
export type ExternalJson = FieldsJson<typeof fields>;

declare module 'almanac' {
  interface EventFields extends ExternalFields {}
  interface EventJson extends ExternalJson {}
  interface VenueFields extends ExternalFields {}
  interface VenueJson extends ExternalJson {}
}
