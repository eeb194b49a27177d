const text = { type: 'string' };
const integer = { type: 'integer' };
const flag = { type: 'boolean' };
const address = { type: 'string', format: 'uri' };
const coordinate = { type: 'number', format: 'double' };

const object = (properties: Record<string, unknown>) => ({ type: 'object', properties });
const list = (items: unknown) => ({ type: 'array', items });
/** Members of one type by their names. */
const all = (schema: object, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, schema]));
const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The first members of events, venues and organizers. */
const record = {
  id: integer,
  global_id: text,
  global_id_lineage: list(text),
  author: integer,
  ...all(text, 'date date_utc modified modified_utc status url'),
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
    ...all(text, 'name slug taxonomy description'),
    ...all(integer, 'parent count'),
    url: text,
    urls: list(text),
  }),
  Image: object({
    url: address,
    id: integer,
    extension: text,
    ...all(integer, 'width height'),
    sizes: list(named('ImageSize')),
  }),
  DateDetails: object(all(integer, 'year month day hour minutes seconds')),
  Event: object({
    ...record,
    ...all(text, 'rest_url title description excerpt slug'),
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
    ...all(text, 'timezone timezone_abbr cost'),
    cost_details: list(named('CostDetails')),
    website: text,
    ...all(flag, 'show_map show_map_link hide_from_listings sticky featured'),
    categories: list(named('Term')),
    tags: list(named('Term')),
    venue: { type: 'object', ...named('Venue') },
    organizer: list(named('Organizer')),
  }),
  Venue: object({
    ...record,
    ...all(text, 'venue description excerpt slug'),
    image: { type: 'string', ...named('Image') },
    ...all(flag, 'show_map show_map_link'),
    ...all(text, 'address city country province state zip phone website stateprovince'),
    ...all(coordinate, 'geo_lat geo_lng'),
  }),
  Organizer: object({
    ...record,
    ...all(text, 'organizer description excerpt slug'),
    image: { type: 'string', ...named('Image') },
    ...all(text, 'phone website email'),
  }),
};
