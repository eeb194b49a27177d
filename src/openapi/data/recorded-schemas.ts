const text = { type: 'string' };
const integer = { type: 'integer' };
const flag = { type: 'boolean' };
const address = { type: 'string', format: 'uri' };
const coordinate = { type: 'number', format: 'double' };

const object = (properties: Record<string, unknown>) => ({ type: 'object', properties });
const list = (items: unknown) => ({ type: 'array', items });
const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The first members of events, venues and organizers. */
const record = {
  id: integer,
  global_id: text,
  global_id_lineage: list(text),
  author: integer,
  date: text,
  date_utc: text,
  modified: text,
  modified_utc: text,
  status: text,
  url: text,
};

/** Schemas of `/doc` as recorded, mistakes included; the response classes declare what is really sent. */
export const RECORDED_SCHEMAS = {
  ImageSize: object({ width: integer, height: integer, 'mime-type': text, url: address }),
  CostDetails: object({
    currency_symbol: text,
    'currency_position ': { type: 'string', enum: ['prefix', 'postfix'] },
    values: list(integer),
  }),
  Term: object({
    id: integer,
    name: text,
    slug: text,
    taxonomy: text,
    description: text,
    parent: integer,
    count: integer,
    url: text,
    urls: list(text),
  }),
  Image: object({
    url: address,
    id: integer,
    extension: text,
    width: integer,
    height: integer,
    sizes: list(named('ImageSize')),
  }),
  DateDetails: object({
    year: integer,
    month: integer,
    day: integer,
    hour: integer,
    minutes: integer,
    seconds: integer,
  }),
  Event: object({
    ...record,
    rest_url: text,
    title: text,
    description: text,
    excerpt: text,
    slug: text,
    image: { type: 'object', ...named('Image') },
    all_day: flag,
    start_date: text,
    start_date_details: list(named('DateDetails')),
    end_date: text,
    end_date_details: list(named('DateDetails')),
    utc_start_date: text,
    utc_start_date_details: list(named('DateDetails')),
    utc_end_date: text,
    utc_end_date_details: list(named('DateDetails')),
    timezone: text,
    timezone_abbr: text,
    cost: text,
    cost_details: list(named('CostDetails')),
    website: text,
    show_map: flag,
    show_map_link: flag,
    hide_from_listings: flag,
    sticky: flag,
    featured: flag,
    categories: list(named('Term')),
    tags: list(named('Term')),
    venue: { type: 'object', ...named('Venue') },
    organizer: list(named('Organizer')),
  }),
  Venue: object({
    ...record,
    venue: text,
    description: text,
    excerpt: text,
    slug: text,
    image: { type: 'string', ...named('Image') },
    show_map: flag,
    show_map_link: flag,
    address: text,
    city: text,
    country: text,
    province: text,
    state: text,
    zip: text,
    phone: text,
    website: text,
    stateprovince: text,
    geo_lat: coordinate,
    geo_lng: coordinate,
  }),
  Organizer: object({
    ...record,
    organizer: text,
    description: text,
    excerpt: text,
    slug: text,
    image: { type: 'string', ...named('Image') },
    phone: text,
    website: text,
    email: text,
  }),
};
