import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import { stamp } from './event-dates.mjs';

const PAUSE = 100;
const HOUR = 3_600_000;

/** What a program beside us writes, in turn: a post, the text and cost of an event, the dates of an event. */
const WRITES = [
  async (query, at) => {
    const [{ insertId: id }] = await query(
      `INSERT INTO wp_posts (post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_name,
         to_ping, pinged, post_modified, post_modified_gmt, post_content_filtered, guid, post_type)
       VALUES (1, NOW(), NOW(), 'Some news.', ?, '', ?, '', '', NOW(), NOW(), '', '', 'post')`,
      [`News ${at}`, `news-${at}`],
    );
    await meta(query, id, '_edit_last', '1');
  },
  async (query, at, id) => {
    await query(
      "UPDATE wp_posts SET post_content = CONCAT('Changed: ', post_content), post_modified = NOW() WHERE ID = ?",
      [id],
    );
    await meta(query, id, '_EventCost', String(at));
  },
  async (query, at, id) => {
    const start = Date.now() + (at % 500) * 24 * HOUR;
    const dates = [stamp(start), stamp(start + 2 * HOUR), stamp(start), stamp(start + 2 * HOUR)];
    const names = ['_EventStartDate', '_EventEndDate', '_EventStartDateUTC', '_EventEndDateUTC'];
    for (const [n, name] of names.entries()) await meta(query, id, name, dates[n]);
    for (const table of ['tec_events', 'tec_occurrences'])
      await query(
        `UPDATE wp_${table} SET start_date = ?, end_date = ?, start_date_utc = ?, end_date_utc = ? WHERE post_id = ?`,
        [...dates, id],
      );
    await query('UPDATE wp_posts SET post_modified = NOW() WHERE ID = ?', [id]);
  },
];

/** Writes ten records a second with plain SQL, one transaction each, until the answered function is called. */
export async function startOtherProgram(site) {
  const connection = await createConnection({ uri: site.uri, charset: 'utf8mb4' });
  const query = (statement, values) => connection.query(statement, values);
  let going = true;
  const work = (async () => {
    for (let at = 0; going; at++) {
      const next = sleep(PAUSE);
      await connection.beginTransaction();
      await WRITES[at % WRITES.length](query, at, site.records[at % site.records.length].id);
      await connection.commit();
      await next;
    }
  })();
  return async () => {
    going = false;
    await work;
    await connection.end();
  };
}

async function meta(query, id, key, value) {
  const [{ affectedRows }] = await query(
    'UPDATE wp_postmeta SET meta_value = ? WHERE post_id = ? AND meta_key = ?',
    [value, id, key],
  );
  if (affectedRows === 0) await query('INSERT INTO wp_postmeta VALUES (NULL, ?, ?, ?)', [id, key, value]);
}
