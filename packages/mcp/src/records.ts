import { plain } from 'almanac-client';
import { isoDate } from './dates.js';
import { type JsonObject, toObject } from './json.js';

/** Members that say nothing to an assistant, or what others say too. Fields of plugins are not among them. */
const HIDDEN_MEMBERS = new Set([
  '_links',
  'author',
  'cost_details',
  'custom_fields',
  'date',
  'date_utc',
  'end_date_details',
  'filter',
  'global_id',
  'global_id_lineage',
  'json_ld',
  'meta',
  'modified',
  'modified_utc',
  'rest_url',
  'show_map',
  'show_map_link',
  'slug',
  'start_date_details',
  'stateprovince',
  'taxonomy',
  'term_group',
  'term_taxonomy_id',
  'timezone_abbr',
  'urls',
  'utc_end_date',
  'utc_end_date_details',
  'utc_start_date',
  'utc_start_date_details',
]);
/** Members of records inside of others that take much room there. */
const OWN_PAGE_ONLY = new Set(['count', 'description', 'excerpt', 'image', 'parent', 'status', 'url']);
const NAMES = new Set(['title', 'venue', 'organizer', 'name']);
const TEXTS = new Set(['description', 'excerpt']);

/** How much of a record is returned. */
export type Extent = 'list' | 'whole';
/** Characters of one text. */
const MAX_TEXT_LENGTH = { list: 300, whole: 50_000 };

/**
 * A record in few words: without empty members, with titles as text and dates with their offset. A list has the beginnings of
 * texts as plain text; the whole record has their HTML.
 */
export function toShortRecord(record: object, extent: Extent): JsonObject {
  return shortened(record as JsonObject, extent, true);
}

function shortened(record: JsonObject, extent: Extent, isOutermost: boolean): JsonObject {
  const short: JsonObject = {};
  for (const [name, stored] of Object.entries(record)) {
    if (HIDDEN_MEMBERS.has(name) || (!isOutermost && OWN_PAGE_ONLY.has(name))) continue;
    const value = shortValue(name, stored, record, extent);
    if (!isEmpty(value)) short[name] = value;
  }
  const changed = isoDate(record['modified'], record['modified_utc']);
  if (isOutermost && extent === 'whole' && changed) short['modified'] = changed;
  return short;
}

function shortValue(name: string, value: unknown, record: JsonObject, extent: Extent): unknown {
  if (name === 'start_date' || name === 'end_date') return isoDate(value, record[`utc_${name}`]) ?? value;
  // The stored texts are there to be edited and sent back.
  if (name === 'raw') return value;
  if (name === 'image') return toObject(value)['url'];
  if (typeof value === 'string') return cut(asText(name, value, extent), MAX_TEXT_LENGTH[extent]);
  if (Array.isArray(value))
    return value
      .map((one) => (isObject(one) ? shortened(one, extent, false) : one))
      .filter((one) => !isEmpty(one));
  return isObject(value) ? shortened(value, extent, false) : value;
}

function asText(name: string, value: string, extent: Extent): string {
  if (NAMES.has(name)) return plain(value);
  return TEXTS.has(name) && extent === 'list' ? plain(value).replace(/\s+/g, ' ').trim() : value;
}

const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length)}… (cut: ${text.length} characters)` : text;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);
