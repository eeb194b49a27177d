import type { Caller, Send } from './calendar-client.js';
import type { Ask } from './invariants.js';
import { BASE } from './recurring-events.js';
import type { DatabaseName } from './sites.js';

/** A row of `tec_occurrences`. */
export interface DateRow {
  id: number;
  start: string;
  end: string;
  utc: string;
  duration: number;
}

/** The dates of an event in the tables, by start. */
export async function dateRows(ask: Ask, id: unknown): Promise<DateRow[]> {
  const rows = await ask(
    `SELECT o.occurrence_id AS id, o.start_date AS start, o.end_date AS finish, o.start_date_utc AS utc, o.duration AS duration
     FROM wp_tec_occurrences o WHERE o.post_id = ${Number(id)} ORDER BY o.start_date_utc`,
  );
  return rows.map((row) => ({
    id: Number(row['id']),
    start: String(row['start']),
    end: String(row['finish']),
    utc: String(row['utc']),
    duration: Number(row['duration']),
  }));
}

/** The values of a meta key of an event. */
export async function metaValues(ask: Ask, id: unknown, key: string): Promise<string[]> {
  const rows = await ask(
    `SELECT meta_value AS value FROM wp_postmeta WHERE post_id = ${Number(id)} AND meta_key = '${key}' ORDER BY meta_id`,
  );
  return rows.map(({ value }) => String(value));
}

/** The event that series tests write: in Berlin, two weeks before the end of summer time, on a Tuesday. */
export const TUESDAY = {
  title: 'Choir',
  timezone: 'Europe/Berlin',
  start_date: '2091-10-16 19:00:00',
  end_date: '2091-10-16 21:00:00',
};
/** Its dates every week, four times. */
export const WEEKLY = { rrule: ['FREQ=WEEKLY;COUNT=4'] };
export const DATES = ['2091-10-16', '2091-10-23', '2091-10-30', '2091-11-06'];

/** A site with the rows and requests that series tests need; `fixture` is called when they run. */
export function seriesOn(fixture: () => { ask: Ask; send: Send }, defaults: object = TUESDAY) {
  const ask: Ask = (sql) => fixture().ask(sql);
  const rowsOf = (id: unknown) => dateRows(ask, id);
  /** Sends a request that must succeed; returns the response. */
  const send = async (method: string, path: string, fields?: object, caller: Caller = 'admin') => {
    const { status, body } = await fixture().send(caller, method, path, fields);
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
    return body;
  };
  return {
    ask,
    send,
    rowsOf,
    startsOf: async (id: unknown) => (await rowsOf(id)).map(({ start }) => start),
    daysOf: async (id: unknown) => (await rowsOf(id)).map(({ start }) => start.slice(0, 10)),
    linesOf: async (id: unknown) =>
      (await metaValues(ask, id, '_almanac_recurrence')).flatMap((text) => text.split('\n')),
    /** Creates a series; returns its id and rows. */
    make: async (fields: object = {}, caller: Caller = 'admin') => {
      const { id } = await send('POST', '/events', { recurrence: WEEKLY, ...defaults, ...fields }, caller);
      return { id: Number(id), rows: await rowsOf(id) };
    },
    /** The path of a date by its row. */
    date: (row?: Pick<DateRow, 'id'>) => `/events/${BASE + Number(row?.id)}`,
  };
}

/** Adds to the tables what the premium add-on adds. */
export async function addAddOn(ask: Ask, database: DatabaseName): Promise<void> {
  const key = database === 'SQLite' ? 'INTEGER PRIMARY KEY' : 'BIGINT AUTO_INCREMENT PRIMARY KEY';
  for (const statement of [
    'ALTER TABLE wp_tec_events ADD COLUMN rset TEXT NULL',
    'ALTER TABLE wp_tec_occurrences ADD COLUMN has_recurrence TINYINT DEFAULT 0',
    'ALTER TABLE wp_tec_occurrences ADD COLUMN sequence BIGINT DEFAULT 0',
    'ALTER TABLE wp_tec_occurrences ADD COLUMN is_rdate TINYINT DEFAULT 0',
    `CREATE TABLE wp_tec_series_relationships (relationship_id ${key}, series_post_id BIGINT, event_id BIGINT, event_post_id BIGINT)`,
  ])
    await ask(statement);
}

const NO_REVISION = `post_type <> 'revision'`;
/** What a restore leaves of any event, as recorded, and the bookkeeping of times. */
const LEFT = "'_tribe_ignored_event_previous_status', '_wp_old_slug', '_tribe_modified_fields', '_edit_lock'";
const TABLES = {
  posts: `SELECT * FROM wp_posts WHERE ${NO_REVISION} ORDER BY ID`,
  postmeta: `SELECT post_id, meta_key, meta_value FROM wp_postmeta m WHERE meta_key NOT IN (${LEFT})
    AND EXISTS (SELECT 1 FROM wp_posts p WHERE p.ID = m.post_id AND ${NO_REVISION}) ORDER BY post_id, meta_key, meta_value`,
  tec_events: 'SELECT * FROM wp_tec_events ORDER BY event_id',
  tec_occurrences: 'SELECT * FROM wp_tec_occurrences ORDER BY occurrence_id',
  term_relationships: 'SELECT * FROM wp_term_relationships ORDER BY object_id, term_taxonomy_id',
  term_taxonomy: 'SELECT * FROM wp_term_taxonomy ORDER BY term_taxonomy_id',
};
const TIMES = new Set(['post_modified', 'post_modified_gmt', 'updated_at']);

/** All rows of a site's events by table, without times of changes. */
export async function siteRows(ask: Ask): Promise<Record<string, unknown[]>> {
  const all: Record<string, unknown[]> = {};
  for (const [name, select] of Object.entries(TABLES))
    all[name] = (await ask(select)).map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => !TIMES.has(column))),
    );
  return all;
}
