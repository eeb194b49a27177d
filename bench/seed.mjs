// Fills the calendar of an existing site with generated records, the same for the same arguments:
//   DATABASE_URL=mysql://… npm run seed -- --events 100000 [--series 1000] [--seed 1] [--around 2026-01-01]
// `--series` of the events take place on a hundred dates, a week apart.
// For databases that may be thrown away: nothing takes the rows out again.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { picker, randomNumbers } from './random.mjs';
import { addEvent, addOrganizer, addTerm, addVenue, Rows, SPAN } from './records.mjs';

const DAY = 86_400_000;
/** Larger transactions make the database keep what it may have to undo. */
const EVENTS_PER_COMMIT = 100_000;
const SERIES_PER_COMMIT = 1000;
/** Dates of a series. */
export const SERIES_DATES = 100;
/** Writes `events` events, the first `series` of them on a hundred dates, with venues, organizers, categories and tags in proportion; answers the numbers written. */
export async function seed(
  connection,
  { events, series = 0, prefix = 'wp_', seed: number = 1, around, progress = () => {} },
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
    await addEvent(
      rows,
      site,
      pick,
      { venues, organizers, categories, tags },
      at < series ? SERIES_DATES - 1 : 0,
    );
    if ((at + 1) % (at < series ? SERIES_PER_COMMIT : EVENTS_PER_COMMIT) === 0) {
      await rows.flush();
      await connection.commit();
      await connection.beginTransaction();
      progress(at + 1);
    }
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
  const records = [];
  for (let at = 0; at < count; at++) records.push(await make(at, records));
  return records;
}

async function value(connection, statement) {
  const [[row]] = await connection.query(statement);
  return row ? Object.values(row)[0] : null;
}

async function main() {
  const { values: given } = parseArgs({
    options: {
      events: { type: 'string', default: '1000' },
      series: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      around: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    },
  });
  const { DATABASE_URL: uri = '', TABLE_PREFIX: prefix } = process.env;
  const [events, series, number] = [given.events, given.series, given.seed].map(Number);
  const around = Date.parse(given.around);
  if (!/^(mysql|mariadb):/.test(uri) || ![events, series, number, around].every(Number.isInteger))
    throw new Error(
      'Usage: DATABASE_URL=mysql://… npm run seed -- --events N [--series N] [--seed N] [--around YYYY-MM-DD]',
    );
  const connection = await createConnection({ uri, charset: 'utf8mb4', timezone: 'Z' });
  try {
    const began = Date.now();
    const progress = (done) => console.log(`${done} events`);
    const written = await seed(connection, { events, series, prefix, seed: number, around, progress });
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
