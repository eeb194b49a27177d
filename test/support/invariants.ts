import { createHash } from 'node:crypto';
import { asMap, unserialize } from '../../src/lib/wordpress-text/php-serialize.js';

/** Runs a SELECT; dates are text. */
export type Ask = (sql: string) => Promise<Row[]>;
type Row = Record<string, string | number | null>;

const LINKS = [
  ['_EventVenueID', 'tribe_venue'],
  ['_EventOrganizerID', 'tribe_organizer'],
  ['_thumbnail_id', 'attachment'],
] as const;

/** Meta keys of a complete record of a type, one row each. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  tribe_events: [
    '_EventOrigin',
    '_EventStartDate',
    '_EventEndDate',
    '_EventStartDateUTC',
    '_EventEndDateUTC',
    '_EventTimezone',
    '_EventTimezoneAbbr',
    '_EventShowMap',
    '_EventShowMapLink',
  ],
  tribe_venue: ['_VenueOrigin', '_VenueStateProvince', '_VenueShowMap', '_VenueShowMapLink'],
  tribe_organizer: ['_OrganizerOrigin'],
};
const TABLES = {
  posts: 'ID AS id, post_type AS type, post_status AS status, post_name AS name, post_parent AS parent',
  postmeta: 'meta_id AS id, post_id AS post, meta_key AS name, meta_value AS value',
  terms: 'term_id AS id, name, slug',
  term_taxonomy: 'term_taxonomy_id AS id, term_id AS term, taxonomy, parent, count',
  term_relationships: 'object_id AS post, term_taxonomy_id AS term',
  tec_events:
    'event_id AS id, post_id AS post, start_date, end_date, start_date_utc, end_date_utc, timezone, duration, hash',
  tec_occurrences:
    'occurrence_id AS id, event_id AS event, post_id AS post, start_date, end_date, start_date_utc, end_date_utc, duration, hash',
} as const;
const DATES = [
  ['start_date', '_EventStartDate'],
  ['end_date', '_EventEndDate'],
  ['start_date_utc', '_EventStartDateUTC'],
  ['end_date_utc', '_EventEndDateUTC'],
] as const;
const MAX_DURATION = 8_388_607;
/** Statuses whose records have no slug of their own yet. */
const FLOATING = ['draft', 'pending', 'auto-draft'];
const COUNTED = ['tribe_events_cat', 'post_tag'];

/**
 * Inconsistencies in a site's rows, one line each: partial records, orphaned rows, stale copies of dates, wrong counts and
 * hashes, duplicate slugs. A recorded site has some: compare with a list from before the test.
 */
export async function brokenRows(ask: Ask, prefix = 'wp_'): Promise<string[]> {
  const site = await readSite(ask, prefix);
  return [
    ...brokenRecords(site),
    ...brokenDates(site),
    ...brokenTerms(site),
    ...orphans(site),
    ...brokenRange(site, await option(ask, prefix, 'tribe_events_calendar_options')),
  ].sort();
}

type Site = Awaited<ReturnType<typeof readSite>>;

async function readSite(ask: Ask, prefix: string) {
  const read = async (name: keyof typeof TABLES) =>
    ask(`SELECT ${TABLES[name]} FROM ${prefix}${name} ORDER BY 1, 2`);
  const posts = await read('posts');
  const meta = new Map<number, Map<string, string[]>>();
  const metaRows = await read('postmeta');
  for (const { post, name, value } of metaRows) {
    const ofPost = getOrMake(meta, Number(post), () => new Map());
    getOrMake<string, string[]>(ofPost, String(name), () => []).push(String(value ?? ''));
  }
  return {
    posts,
    byId: new Map(posts.map((post) => [Number(post['id']), post])),
    metaRows,
    meta: (post: Row) => meta.get(Number(post['id'])) ?? new Map<string, string[]>(),
    terms: await read('terms'),
    taxonomy: await read('term_taxonomy'),
    relations: await read('term_relationships'),
    events: await read('tec_events'),
    occurrences: await read('tec_occurrences'),
  };
}

async function option(ask: Ask, prefix: string, name: string): Promise<string> {
  const [row] = await ask(`SELECT option_value AS value FROM ${prefix}options WHERE option_name = '${name}'`);
  return String(row?.['value'] ?? '');
}

/** Records that are incomplete, have dangling links, or share a slug. */
function* brokenRecords({ posts, byId, meta }: Site): Generator<string> {
  const slugs = new Set<string>();
  for (const post of posts) {
    const { id, type, status, name } = post;
    const what = `${type} ${id} (${status})`;
    const rows = meta(post);
    const required = REQUIRED[String(type)];
    if (!required) continue;
    for (const key of required)
      if (rows.get(key)?.length !== 1) yield `${what}: ${rows.get(key)?.length ?? 0} rows of ${key}`;
    for (const [key, linked] of LINKS)
      for (const value of rows.get(key) ?? [])
        if (byId.get(Number(value))?.['type'] !== linked)
          yield `${what}: ${key} names ${value}, no ${linked}`;
    if (status === 'trash' && !rows.has('_wp_trash_meta_status')) yield `${what}: no status to return to`;
    if (FLOATING.includes(String(status))) continue;
    if (name === '' && status !== 'trash') yield `${what}: no slug`;
    const slug = `${type} ${name}`;
    if (name !== '' && slugs.has(slug)) yield `${what}: the slug ${name} is taken twice`;
    slugs.add(slug);
  }
}

/** Events whose metas, row and occurrence contradict each other. */
function* brokenDates({ posts, meta, events, occurrences }: Site): Generator<string> {
  const rowsOf = groupBy(events, (row) => Number(row['post']));
  const occurrencesOf = groupBy(occurrences, (row) => Number(row['post']));
  for (const post of posts) {
    if (post['type'] !== 'tribe_events' || post['status'] === 'auto-draft') continue;
    const what = `event ${post['id']}`;
    const [row, ...more] = rowsOf.get(Number(post['id'])) ?? [];
    const [occurrence, ...others] = occurrencesOf.get(Number(post['id'])) ?? [];
    if (!row || more.length > 0) yield `${what}: ${row ? 1 + more.length : 0} rows in tec_events`;
    if (!occurrence || others.length > 0) yield `${what}: ${occurrence ? 1 + others.length : 0} occurrences`;
    if (!row || !occurrence) continue;
    const value = (key: string) => meta(post).get(key)?.[0];
    for (const [column, key] of DATES) {
      if (row[column] !== value(key)) yield `${what}: ${column} ${row[column]}, ${key} ${value(key)}`;
      if (row[column] !== occurrence[column]) yield `${what}: ${column} of its occurrence differs`;
    }
    if (row['timezone'] !== value('_EventTimezone')?.slice(0, 30)) yield `${what}: zone ${row['timezone']}`;
    const seconds = epoch(row['end_date_utc']) - epoch(row['start_date_utc']);
    if (seconds < 0) yield `${what}: ends before it starts`;
    const duration = Math.min(seconds, MAX_DURATION);
    if (row['duration'] !== duration) yield `${what}: duration ${row['duration']} instead of ${duration}`;
    if (occurrence['duration'] !== duration) yield `${what}: duration of its occurrence differs`;
    if (Number(value('_EventDuration') ?? seconds) !== seconds)
      yield `${what}: _EventDuration ${value('_EventDuration')} instead of ${seconds}`;
    if (occurrence['event'] !== row['id']) yield `${what}: its occurrence belongs to ${occurrence['event']}`;
    if (occurrence['hash'] !== occurrenceHash(occurrence)) yield `${what}: wrong hash`;
  }
}

const epoch = (date: string | number | null | undefined) =>
  Date.parse(`${String(date).replace(' ', 'T')}Z`) / 1000;

function occurrenceHash(row: Row): string {
  const said = [row['post'], ...DATES.map(([column]) => row[column]), row['duration']];
  return createHash('sha1').update(said.join(':')).digest('hex');
}

/** Terms with a wrong count, a duplicate slug, or a missing parent. */
function* brokenTerms({ byId, terms, taxonomy, relations }: Site): Generator<string> {
  const published = relations.filter((row) => byId.get(Number(row['post']))?.['status'] === 'publish');
  const countOf = groupBy(published, (row) => Number(row['term']));
  const termOf = new Map(terms.map((term) => [Number(term['id']), term]));
  const slugs = new Set<string>();
  for (const { id, term, taxonomy: name, parent, count } of taxonomy) {
    const what = `${name} ${term}`;
    const found = countOf.get(Number(id))?.length ?? 0;
    if (COUNTED.includes(String(name)) && Number(count) !== found)
      yield `${what}: counts ${count}, has ${found}`;
    const slug = `${name} ${termOf.get(Number(term))?.['slug']}`;
    if (slugs.has(slug)) yield `${what}: the slug ${slug} is taken twice`;
    slugs.add(slug);
    if (Number(parent) !== 0 && !taxonomy.some((row) => row['term'] === parent && row['taxonomy'] === name))
      yield `${what}: no parent ${parent}`;
  }
}

/** Rows whose owner does not exist. */
function* orphans(site: Site): Generator<string> {
  const { posts, byId, metaRows, terms, taxonomy, relations, events, occurrences } = site;
  const has = (id: unknown) => byId.has(Number(id));
  const isEvent = (id: unknown) => byId.get(Number(id))?.['type'] === 'tribe_events';
  const idsOf = (rows: Row[], column: string) => new Set(rows.map((row) => Number(row[column])));
  const [termIds, termsUsed] = [idsOf(terms, 'id'), idsOf(taxonomy, 'term')];
  const [taxonomyIds, eventIds] = [idsOf(taxonomy, 'id'), idsOf(events, 'id')];
  for (const row of metaRows) if (!has(row['post'])) yield `meta ${row['id']} of no post`;
  for (const row of posts)
    if (row['type'] === 'revision' && !has(row['parent'])) yield `revision ${row['id']} of no post`;
  for (const row of terms) if (!termsUsed.has(Number(row['id']))) yield `term ${row['id']} in no taxonomy`;
  for (const row of taxonomy)
    if (!termIds.has(Number(row['term']))) yield `taxonomy row ${row['id']} of no term`;
  for (const { post, term } of relations)
    if (!has(post) || !taxonomyIds.has(Number(term))) yield `relation of post ${post} with term row ${term}`;
  for (const row of events) if (!isEvent(row['post'])) yield `tec_events ${row['id']} of no event`;
  for (const row of occurrences)
    if (!isEvent(row['post']) || !eventIds.has(Number(row['event'])))
      yield `occurrence ${row['id']} of no event`;
}

/** The calendar's first and last date, which PHP reads from an option. */
function* brokenRange({ byId, occurrences }: Site, calendar: string): Generator<string> {
  const listed = occurrences.filter((row) =>
    ['publish', 'private'].includes(String(byId.get(Number(row['post']))?.['status'])),
  );
  const options = asMap(unserialize(calendar));
  const first = listed.map((row) => String(row['start_date_utc'])).sort()[0];
  const last = listed
    .map((row) => String(row['end_date_utc']))
    .sort()
    .at(-1);
  if (options.get('earliest_date') !== first)
    yield `earliest_date ${options.get('earliest_date')}, not ${first}`;
  if (options.get('latest_date') !== last) yield `latest_date ${options.get('latest_date')}, not ${last}`;
}

function groupBy(rows: Row[], key: (row: Row) => number): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) getOrMake(groups, key(row), () => []).push(row);
  return groups;
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}
