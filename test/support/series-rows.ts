import type { Ask } from './invariants.js';

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
