import { Module } from '@nestjs/common';
import {
  CATEGORY,
  CategoriesModule,
  defineFields,
  EVENT,
  EventsModule,
  ORGANIZER,
  OrganizersModule,
  ResourceModule,
  VENUE,
  VenuesModule,
} from 'almanac';
import { ArrayMinSize, Matches, Max, MaxLength, Min } from 'class-validator';

const contact = {
  type: 'object',
  properties: { name: { required: true }, phone: { checks: [MaxLength(20)] } },
} as const;

/** A field of each type, on events. */
export const EVENT_FIELDS = defineFields({
  subtitle: { meta: '_x_subtitle', type: 'string', description: 'Subtitle.', filter: true, default: 'None' },
  seats: {
    meta: '_x_seats',
    type: 'integer',
    description: 'Seats.',
    filter: 'range',
    checks: [Min(0)],
  },
  price: { meta: '_x_price', type: 'number', description: 'Price.', filter: 'range', checks: [Max(1e6)] },
  indoors: {
    meta: '_x_indoors',
    type: 'boolean',
    description: 'Whether inside.',
    filter: true,
    default: true,
  },
  sale_start: { meta: '_x_sale', type: 'date', zone: 'Europe/Berlin', description: 'Sale.', filter: 'range' },
  doors: { meta: '_x_doors', type: 'date', description: 'When doors open.' },
  level: {
    meta: '_x_level',
    type: 'enum',
    values: ['easy', 'medium', 'hard'],
    description: 'How hard it is.',
    filter: true,
  },
  hotel: { meta: '_x_hotel', type: 'reference', to: VENUE, description: 'Where to stay.', filter: true },
  theme: { meta: '_x_theme', type: 'reference', to: CATEGORY, description: 'Its theme.', filter: true },
  address: {
    meta: '_x_address',
    type: 'object',
    description: 'Where it is.',
    title: 'Address',
    properties: {
      street: { checks: [MaxLength(40)] },
      number: { type: 'integer' },
      opened: { type: 'date', zone: 'UTC' },
      is_open: { type: 'boolean' },
      kind: { type: 'enum', values: ['home', 'work'] },
      host: { type: 'reference', to: ORGANIZER },
      geo: {
        type: 'object',
        properties: { lat: { type: 'number', required: true }, lng: { type: 'number' } },
      },
      floors: { type: 'list', items: { type: 'integer' }, maxItems: 3 },
    },
  },
  colors: {
    meta: '_x_colors',
    type: 'list',
    items: { checks: [Matches(/^[a-z ,]+$/)] },
    description: 'Colors.',
    filter: true,
    maxItems: 5,
  },
  sizes: { meta: '_x_sizes', type: 'list', items: { type: 'number' }, description: 'Sizes.', filter: true },
  hosts: {
    meta: '_x_hosts',
    type: 'list',
    items: { type: 'reference', to: ORGANIZER },
    description: 'Hosts.',
    filter: true,
    checks: [ArrayMinSize(1)],
  },
  contacts: { meta: '_x_contacts', type: 'list', items: contact, description: 'Contacts.', order: -1 },
});

export const CATEGORY_FIELDS = defineFields({
  since: { meta: '_x_since', type: 'date', zone: 'UTC', description: 'Since when.', filter: 'range' },
  head: {
    meta: '_x_head',
    type: 'reference',
    to: ORGANIZER,
    description: 'Who is responsible.',
    filter: true,
  },
  labels: {
    meta: '_x_labels',
    type: 'list',
    items: { type: 'string' },
    description: 'Labels.',
    filter: true,
  },
  code: { meta: '_x_code', type: 'string', description: 'Code.', unique: true },
});

@Module({
  imports: [
    EventsModule,
    VenuesModule,
    OrganizersModule,
    CategoriesModule,
    ResourceModule.withFields(EVENT, EVENT_FIELDS),
    ResourceModule.withFields(CATEGORY, CATEGORY_FIELDS),
  ],
})
export class FieldsModule {}
