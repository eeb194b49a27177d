import { VENUE_META } from '../venues/venue.response.js';

const text = { type: 'string' };
const integer = { type: 'integer' };
/** Blanked to null in a record that is locked by a password. */
const maskedFlag = { type: ['boolean', 'null'], description: 'null while a password locks the record.' };
const address = { type: 'string', format: 'uri' };
const wallClock = {
  type: 'string',
  description: '`YYYY-MM-DD HH:MM:SS`.',
  examples: ['2026-11-21 10:00:00'],
};
const no = { const: false };
const none = { type: 'array', maxItems: 0 };

const list = (items: unknown) => ({ type: 'array', items });
const map = (values: unknown) => ({ type: 'object', additionalProperties: values });
const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const texts = (...names: string[]) => Object.fromEntries(names.map((name) => [name, text]));
const nullable = ({ type, ...rest }: { type: string }) => ({ type: [type, 'null'], ...rest });

/** An object whose members are all there, but for those named as optional. */
function object(properties: Record<string, unknown>, optional: readonly string[] = []) {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
  };
}

/** An object of which only these members are always there: empty ones are left out. */
function sparse(properties: Record<string, unknown>, always: readonly string[]) {
  return { type: 'object', properties, required: always };
}

/** Members that events, venues and organizers share. */
const record = {
  id: integer,
  global_id: { ...text, description: "The site's host and path with the id." },
  global_id_lineage: list(text),
  author: { type: 'string', pattern: '^[0-9]+$', description: 'Id of the author, as text.' },
  status: { ...text, examples: ['publish'] },
  date: wallClock,
  date_utc: wallClock,
  modified: wallClock,
  modified_utc: wallClock,
  url: text,
  description: { ...text, description: 'HTML.' },
  excerpt: { ...text, description: 'HTML.' },
  slug: text,
  image: { anyOf: [named('Image'), no] },
};

const linkedRecord = [
  'id',
  'status',
  'date',
  'date_utc',
  'modified',
  'modified_utc',
  'global_id',
  'global_id_lineage',
];

const structuredData = { type: 'object', description: 'schema.org data; in single reads only.' };

/** A name that a password hides becomes an empty list, as recorded. */
const maskedName = { anyOf: [text, none] };

const termUrls = object({ self: address, collection: address, up: address }, ['up']);

/** Schemas of what is really sent, for `/openapi.json`. */
export const SCHEMAS = {
  DateDetails: object(texts('year', 'month', 'day', 'hour', 'minutes', 'seconds')),
  CostDetails: object({
    ...texts('currency_symbol', 'currency_code', 'currency_position'),
    values: list({ type: ['string', 'integer'] }),
  }),
  ImageSize: sparse({ width: integer, height: integer, 'mime-type': text, filesize: integer, url: text }, [
    'url',
  ]),
  Image: sparse(
    {
      url: { anyOf: [address, no] },
      id: integer,
      extension: text,
      width: integer,
      height: integer,
      filesize: integer,
      original_image: text,
      sizes: map(named('ImageSize')),
    },
    ['id'],
  ),
  Event: object(
    {
      ...record,
      rest_url: address,
      title: { ...text, description: 'HTML.' },
      all_day: maskedFlag,
      start_date: nullable(wallClock),
      start_date_details: named('DateDetails'),
      end_date: nullable(wallClock),
      end_date_details: named('DateDetails'),
      utc_start_date: nullable(wallClock),
      utc_start_date_details: named('DateDetails'),
      utc_end_date: nullable(wallClock),
      utc_end_date_details: named('DateDetails'),
      timezone: text,
      timezone_abbr: text,
      cost: text,
      cost_details: named('CostDetails'),
      website: text,
      show_map: maskedFlag,
      show_map_link: maskedFlag,
      hide_from_listings: maskedFlag,
      sticky: maskedFlag,
      featured: maskedFlag,
      categories: list(named('EventTerm')),
      tags: list(named('EventTerm')),
      venue: {
        description: 'The venue; a list where there is none, or more than one.',
        anyOf: [named('Venue'), list(named('Venue'))],
      },
      organizer: list(named('Organizer')),
      custom_fields: { anyOf: [none, map(object({ label: text, value: text }))] },
      json_ld: structuredData,
    },
    ['json_ld'],
  ),
  Venue: sparse(
    {
      ...record,
      venue: maskedName,
      ...texts(...Object.keys(VENUE_META)),
      show_map: maskedFlag,
      show_map_link: maskedFlag,
      json_ld: structuredData,
    },
    [...linkedRecord, 'show_map', 'show_map_link'],
  ),
  Organizer: sparse(
    { ...record, organizer: maskedName, ...texts('phone', 'website', 'email'), json_ld: structuredData },
    linkedRecord,
  ),
  EventTerm: object({
    ...texts('name', 'slug'),
    term_group: integer,
    term_taxonomy_id: integer,
    ...texts('taxonomy', 'description'),
    parent: integer,
    count: integer,
    filter: text,
    id: integer,
    urls: termUrls,
  }),
  Term: object(
    {
      id: integer,
      count: integer,
      description: text,
      name: text,
      slug: text,
      taxonomy: text,
      parent: { ...integer, description: 'Categories only; 0 at the top.' },
      meta: none,
      url: address,
      urls: termUrls,
      _links: { type: 'object', description: "Links into WordPress's own interface; not in lists." },
    },
    ['parent', '_links'],
  ),
  Error: {
    ...object(
      {
        code: { ...text, examples: ['rest_invalid_param'] },
        message: text,
        data: {
          ...object(
            {
              status: { ...integer, description: 'The HTTP status again.' },
              params: {
                description: 'Missing parameters by name, or what is wrong with each.',
                anyOf: [list(text), map(text)],
              },
              details: {
                description: 'Failures with a code of their own; an empty list when there are none.',
                anyOf: [none, map({ type: 'object' })],
              },
            },
            ['params', 'details'],
          ),
        },
      },
      ['data'],
    ),
  },
};

/** A page of a list. */
export function listSchema(member: string, schema: string) {
  return object(
    {
      [member]: list(named(schema)),
      rest_url: address,
      next_rest_url: address,
      previous_rest_url: address,
      total: integer,
      total_pages: integer,
    },
    ['next_rest_url', 'previous_rest_url'],
  );
}
