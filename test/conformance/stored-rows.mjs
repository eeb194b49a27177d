/** The rows that a write stores, in the form in which they were recorded. */
import { createHash } from 'node:crypto';

const IGNORED_META = new Set(['_tribe_modified_fields', '_edit_lock', '_edit_last', '_encloseme', '_pingme']);

/**
 * Queries the site's database; each row is the JSON object in its only column.
 *
 * @typedef {(sql: string) => object[] | Promise<object[]>} AskRows
 */

/** SQL for a `JSON_OBJECT` of columns; columns with an expression are given as pairs. */
const object = (...columns) =>
  `JSON_OBJECT(${columns
    .map((column) => (Array.isArray(column) ? column : [column, column]))
    .map(([name, value]) => `'${name}',${value}`)
    .join()})`;

const dateText = (column) => [column, `DATE_FORMAT(${column},'%Y-%m-%d %H:%i:%s')`];
const asText = (column) => [column, `CAST(${column} AS CHAR)`];

const TERM = object(
  ['name', 't.name'],
  ['slug', 't.slug'],
  ['taxonomy', 'x.taxonomy'],
  ['description', 'x.description'],
  ['parent', 'x.parent'],
  ['count', 'x.count'],
);
const POST = object(
  'post_author',
  dateText('post_date'),
  dateText('post_date_gmt'),
  ...['post_content', 'post_title', 'post_excerpt', 'post_status', 'comment_status', 'ping_status'],
  ...['post_password', 'post_name'],
  dateText('post_modified'),
  dateText('post_modified_gmt'),
  ...['post_parent', 'menu_order', 'post_type', 'post_mime_type'],
);
const EVENT = object(
  ...['start_date', 'end_date', 'timezone', 'start_date_utc', 'end_date_utc', 'duration'],
  ['hash_length', 'CHAR_LENGTH(hash)'],
);
const OCCURRENCE = object(
  ...['start_date', 'end_date', 'start_date_utc', 'end_date_utc'].map(asText),
  ...['duration', 'hash'],
);

/**
 * Row counts as one string; a rejected request must not change them.
 *
 * @param {AskRows} ask
 * @param {string} prefix
 * @returns {Promise<string>}
 */
export async function census(ask, prefix) {
  const tables = {
    posts: 'posts',
    postmeta: 'postmeta',
    terms: 'terms',
    relations: 'term_relationships',
    events: 'tec_events',
    occurrences: 'tec_occurrences',
  };
  const counts = Object.entries(tables).map(([name, table]) => [
    name,
    `(SELECT COUNT(*) FROM ${prefix}${table})`,
  ]);
  return JSON.stringify((await ask(`SELECT ${object(...counts)}`))[0]);
}

/**
 * Stored rows of the records that a scenario captured.
 *
 * @param {AskRows} ask
 * @param {string} prefix
 * @param {Map<string, number>} names
 */
export async function rows(ask, prefix, names) {
  const out = {};
  for (const [name, id] of names) {
    if (typeof id !== 'number') continue;
    out[name] = name.startsWith('term')
      ? {
          term: await first(
            ask,
            `SELECT ${TERM} FROM ${prefix}terms t JOIN ${prefix}term_taxonomy x USING (term_id) WHERE t.term_id=${id}`,
          ),
        }
      : await postRows(ask, prefix, id);
  }
  return out;
}

const first = async (ask, sql) => (await ask(sql))[0] ?? null;

async function postRows(ask, prefix, id) {
  const post = await first(ask, `SELECT ${POST} FROM ${prefix}posts WHERE ID=${id}`);
  const meta = {};
  for (const { k: key, v: value } of await ask(
    `SELECT JSON_OBJECT('k',meta_key,'v',meta_value) FROM ${prefix}postmeta WHERE post_id=${id} ORDER BY meta_key, meta_id`,
  )) {
    if (IGNORED_META.has(key)) continue;
    const recorded =
      post?.post_type === 'tribe_venue' ? key.replace(/^_Event(?=ShowMap)/, '_VenueEvent') : key;
    meta[key] ??= [];
    meta[key].push(normalizeFlag(recorded, value));
  }
  const terms = await ask(
    `SELECT JSON_OBJECT('t',CONCAT(x.taxonomy,':',t.slug)) FROM ${prefix}term_relationships r JOIN ${prefix}term_taxonomy x USING (term_taxonomy_id) JOIN ${prefix}terms t USING (term_id) WHERE r.object_id=${id} ORDER BY x.taxonomy, t.slug`,
  );
  const event = await ask(`SELECT ${EVENT} FROM ${prefix}tec_events WHERE post_id=${id}`);
  const occurrences = await ask(
    `SELECT ${OCCURRENCE} FROM ${prefix}tec_occurrences WHERE post_id=${id} ORDER BY start_date`,
  );
  return { post, meta, terms, event, occurrences: occurrences.map((row) => hashed(id, row)) };
}

/** Flags that the calendar plugin writes in several forms and reads as one. */
function normalizeFlag(key, value) {
  if (key === '_EventAllDay') return /^(1|yes|y|true|on)$/i.test(value ?? '') ? 'yes' : 'no';
  if (/^_(Venue|VenueEvent)ShowMap(Link)?$/.test(key))
    return /^(1|yes|y|true|on)$/i.test(value ?? '') ? '1' : '';
  return value;
}

/** An occurrence with the length of its hash, which must match the row. */
function hashed(id, { hash, ...row }) {
  const { start_date, end_date, start_date_utc, end_date_utc, duration } = row;
  const text = [id, start_date, end_date, start_date_utc, end_date_utc, duration].join(':');
  const isValid = createHash('sha1').update(text).digest('hex') === hash;
  return { ...row, hash_length: isValid ? 40 : `not the sha1 of the row: ${hash}` };
}
