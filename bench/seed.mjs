// Fills the calendar of an existing site with made-up records, the same for the same arguments:
//   DATABASE_URL=mysql://… npm run seed -- --events 100000 [--seed 1] [--around 2026-01-01]
// For databases that may be thrown away: nothing takes the rows out again.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { eventDates, stamp } from './event-dates.mjs';
import { picker, randomNumbers } from './random.mjs';
import { description, eventTitle, organizerName, slugOf, venueName } from './texts.mjs';

const DAY = 86_400_000;
/** Events lie between one year before and two years after the given day. */
const SPAN = { before: 365, days: 3 * 365 };
const ROWS_PER_INSERT = 1000;

const POST =
  'ID, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, comment_status, ping_status, post_name, to_ping, pinged, post_modified, post_modified_gmt, post_content_filtered, guid, post_type';
const META = 'post_id, meta_key, meta_value';
const TERM = 'term_id, name, slug';
const TERM_TAXONOMY = 'term_taxonomy_id, term_id, taxonomy, description, parent, count';
const RELATIONSHIP = 'object_id, term_taxonomy_id';
const TEC_EVENT =
  'event_id, post_id, start_date, end_date, timezone, start_date_utc, end_date_utc, duration, hash';
const OCCURRENCE =
  'event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash, updated_at';

/** Writes `events` events with venues, organizers, categories and tags in proportion; answers the numbers written. */
export async function seed(
  connection,
  { events, prefix = 'wp_', seed: number = 1, around, progress = () => {} },
) {
  const pick = picker(randomNumbers(number));
  const rows = new Rows(connection, prefix);
  await connection.query("SET SESSION sql_mode = '', unique_checks = 0, foreign_key_checks = 0");
  const site = {
    home: await value(connection, `SELECT option_value FROM ${prefix}options WHERE option_name = 'home'`),
    author: await value(connection, `SELECT MIN(ID) FROM ${prefix}users`),
    from: around - SPAN.before * DAY,
    nextPost: 1 + Number(await value(connection, `SELECT MAX(ID) FROM ${prefix}posts`)),
    nextTerm: 1 + Number(await value(connection, `SELECT MAX(term_id) FROM ${prefix}terms`)),
    nextTaxonomy:
      1 + Number(await value(connection, `SELECT MAX(term_taxonomy_id) FROM ${prefix}term_taxonomy`)),
    nextEvent: 1 + Number(await value(connection, `SELECT MAX(event_id) FROM ${prefix}tec_events`)),
  };
  await connection.beginTransaction();
  const venues = await many(5 + Math.floor(events / 50), (at) => addVenue(rows, site, pick, at));
  const organizers = await many(3 + Math.floor(events / 100), (at) => addOrganizer(rows, site, pick, at));
  const categories = await many(Math.min(200, 10 + Math.floor(events / 500)), (at, before) =>
    // A quarter of them stands on top, the others below an earlier one.
    addTerm(
      rows,
      site,
      'tribe_events_cat',
      `Category ${at + 1}`,
      at % 4 === 0 ? undefined : pick.one(before),
    ),
  );
  const tags = await many(Math.min(1000, 20 + Math.floor(events / 100)), (at) =>
    addTerm(rows, site, 'post_tag', `Tag ${at + 1}`),
  );
  for (let at = 0; at < events; at++) {
    await addEvent(rows, site, pick, { venues, organizers, categories, tags });
    if ((at + 1) % 100_000 === 0) progress(at + 1);
  }
  await rows.flush();
  await countTerms(connection, prefix);
  await keepRange(connection, prefix);
  await connection.query(`DELETE FROM ${prefix}options WHERE option_name = 'tribe_events_cat_children'`);
  await connection.query(
    `UPDATE ${prefix}options SET option_value = ? WHERE option_name = 'tribe_last_save_post'`,
    [(Date.now() / 1000).toFixed(4)],
  );
  await connection.commit();
  return {
    events,
    venues: venues.length,
    organizers: organizers.length,
    terms: categories.length + tags.length,
  };
}

/** Rows waiting to be inserted, table by table. */
class Rows {
  waiting = new Map();
  written = Promise.resolve();

  constructor(connection, prefix) {
    this.connection = connection;
    this.prefix = prefix;
  }

  async add(table, columns, row) {
    const rows = this.waiting.get(table) ?? { columns, values: [] };
    this.waiting.set(table, rows);
    rows.values.push(row);
    if (rows.values.length >= ROWS_PER_INSERT) await this.insert(table, rows);
  }

  async flush() {
    for (const [table, rows] of this.waiting) if (rows.values.length > 0) await this.insert(table, rows);
    await this.written;
  }

  /** The rows that come next are made while these are written. */
  async insert(table, rows) {
    const statement = `INSERT INTO ${this.prefix}${table} (${rows.columns}) VALUES ?`;
    await this.written;
    this.written = this.connection.query(statement, [rows.values]);
    rows.values = [];
  }
}

async function addPost(rows, site, type, path, title, content, metas) {
  const id = site.nextPost++;
  const slug = `${slugOf(title)}-${id}`;
  // Published on one of the days before.
  const published = stamp(site.from - (id % 300) * DAY);
  await rows.add('posts', POST, [
    ...[
      id,
      site.author,
      published,
      published,
      content,
      title,
      '',
      'publish',
      'closed',
      'closed',
      slug,
      '',
      '',
    ],
    ...[published, published, '', `${site.home}/${path}/${slug}/`, type],
  ]);
  for (const [key, text] of metas) await rows.add('postmeta', META, [id, key, text]);
  return id;
}

function addVenue(rows, site, pick, number) {
  const metas = [
    ['_VenueOrigin', 'events-calendar'],
    ['_VenueAddress', `${1 + pick.below(200)} ${pick.one(['Mill Lane', 'Station Road', 'Long Street'])}`],
    ['_VenueCity', pick.one(['Berlin', 'London', 'Boston', 'Portland', 'Tokyo'])],
    ['_VenueCountry', pick.one(['Germany', 'United Kingdom', 'United States', 'Japan'])],
    ['_VenueProvince', ''],
    ['_VenueState', ''],
    ['_VenueZip', String(10_000 + pick.below(89_999))],
    ['_VenuePhone', `+1 555 ${1000 + pick.below(9000)}`],
    ['_VenueURL', `https://venue-${number}.example.org/`],
    ['_VenueStateProvince', ''],
    ['_VenueShowMap', '1'],
    ['_VenueShowMapLink', '1'],
  ];
  return addPost(rows, site, 'tribe_venue', 'venue', venueName(pick, number), description(pick), metas);
}

function addOrganizer(rows, site, pick, number) {
  const metas = [
    ['_OrganizerOrigin', 'events-calendar'],
    ['_OrganizerEmail', `desk-${number}@example.org`],
    ['_OrganizerWebsite', `https://organizer-${number}.example.org/`],
    ['_OrganizerPhone', `+1 555 ${1000 + pick.below(9000)}`],
  ];
  return addPost(rows, site, 'tribe_organizer', 'organizer', organizerName(pick, number), '', metas);
}

async function addTerm(rows, site, taxonomy, name, parent) {
  const term = { id: site.nextTerm++, taxonomyId: site.nextTaxonomy++ };
  await rows.add('terms', TERM, [term.id, name, `${slugOf(name)}-${term.id}`]);
  await rows.add('term_taxonomy', TERM_TAXONOMY, [
    term.taxonomyId,
    term.id,
    taxonomy,
    '',
    parent?.id ?? 0,
    0,
  ]);
  return term;
}

async function addEvent(rows, site, pick, { venues, organizers, categories, tags }) {
  const dates = eventDates(pick, { from: site.from, days: SPAN.days });
  const title = eventTitle(pick);
  const id = await addPost(rows, site, 'tribe_events', 'event', title, description(pick), [
    ['_EventOrigin', 'events-calendar'],
    ['_EventShowMapLink', '1'],
    ['_EventShowMap', '1'],
    ['_EventVenueID', String(pick.one(venues))],
    ['_EventOrganizerID', String(pick.one(organizers))],
    ...(dates.allDay ? [['_EventAllDay', 'yes']] : []),
    ['_EventStartDate', dates.start],
    ['_EventEndDate', dates.end],
    ['_EventStartDateUTC', dates.startUtc],
    ['_EventEndDateUTC', dates.endUtc],
    ...(dates.allDay ? [] : [['_EventDuration', String(dates.duration)]]),
    ['_EventCurrencySymbol', '€'],
    ['_EventCurrencyPosition', 'prefix'],
    ['_EventCost', pick.chance(0.3) ? '0' : String(5 * (1 + pick.below(12)))],
    ['_EventURL', pick.chance(0.5) ? `https://example.org/${slugOf(title)}` : ''],
    ...(pick.chance(0.01) ? [['_EventHideFromUpcoming', 'yes']] : []),
    ['_EventTimezone', dates.timezone],
    ['_EventTimezoneAbbr', dates.abbreviation],
    ...(pick.chance(0.05) ? [['_tribe_featured', '1']] : []),
  ]);
  const terms = new Set([pick.one(categories), pick.one(tags), pick.one(tags)]);
  for (const { taxonomyId } of terms) await rows.add('term_relationships', RELATIONSHIP, [id, taxonomyId]);
  const { start, end, startUtc, endUtc, timezone, duration } = dates;
  const event = site.nextEvent++;
  await rows.add('tec_events', TEC_EVENT, [event, id, start, end, timezone, startUtc, endUtc, duration, '']);
  const hash = createHash('sha1')
    .update([id, start, end, startUtc, endUtc, duration].join(':'))
    .digest('hex');
  const now = stamp(Date.now());
  await rows.add('tec_occurrences', OCCURRENCE, [
    event,
    id,
    start,
    startUtc,
    end,
    endUtc,
    duration,
    hash,
    now,
  ]);
}

function countTerms(connection, prefix) {
  return connection.query(
    `UPDATE ${prefix}term_taxonomy x SET count = (SELECT COUNT(*) FROM ${prefix}term_relationships r
       JOIN ${prefix}posts p ON p.ID = r.object_id
       WHERE r.term_taxonomy_id = x.term_taxonomy_id AND p.post_status = 'publish')
     WHERE x.taxonomy IN ('tribe_events_cat', 'post_tag')`,
  );
}

/** The first and last date of the calendar, where the plugin's options have them. */
async function keepRange(connection, prefix) {
  const where = `WHERE option_name = 'tribe_events_calendar_options'`;
  let options = await value(connection, `SELECT option_value FROM ${prefix}options ${where}`);
  if (options === null) return;
  const ends = [
    ['earliest_date', 'start_date_utc', 'ASC'],
    ['latest_date', 'end_date_utc', 'DESC'],
  ];
  for (const [name, column, way] of ends) {
    const [[end]] = await connection.query(
      `SELECT o.post_id AS id, CAST(o.${column} AS CHAR) AS date FROM ${prefix}tec_occurrences o
       STRAIGHT_JOIN ${prefix}posts p ON p.ID = o.post_id
       WHERE p.post_type = 'tribe_events' AND p.post_status IN ('publish', 'private')
       ORDER BY o.${column} ${way}, o.post_id LIMIT 1`,
    );
    options = options
      .replace(new RegExp(`("${name}";s:19:)"[^"]*"`), `$1"${end?.date}"`)
      .replace(new RegExp(`("${name}_markers";a:1:\\{i:0;i:)\\d+`), `$1${end?.id}`);
  }
  await connection.query(`UPDATE ${prefix}options SET option_value = ? ${where}`, [options]);
}

async function many(count, make) {
  const made = [];
  for (let at = 0; at < count; at++) made.push(await make(at, made));
  return made;
}

async function value(connection, statement) {
  const [[row]] = await connection.query(statement);
  return row ? Object.values(row)[0] : null;
}

async function main() {
  const { values: given } = parseArgs({
    options: {
      events: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      around: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    },
  });
  const { DATABASE_URL: uri = '', TABLE_PREFIX: prefix } = process.env;
  const [events, number, around] = [Number(given.events), Number(given.seed), Date.parse(given.around)];
  if (!/^(mysql|mariadb):/.test(uri) || ![events, number, around].every(Number.isInteger))
    throw new Error(
      'Usage: DATABASE_URL=mysql://… npm run seed -- --events N [--seed N] [--around YYYY-MM-DD]',
    );
  const connection = await createConnection({ uri, charset: 'utf8mb4', timezone: 'Z' });
  try {
    const began = Date.now();
    const progress = (done) => console.log(`${done} events`);
    const written = await seed(connection, { events, prefix, seed: number, around, progress });
    console.log(`Written in ${((Date.now() - began) / 1000).toFixed(1)} s:`, written);
  } finally {
    await connection.end();
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
