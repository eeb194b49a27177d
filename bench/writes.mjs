// Creating events, durable: Almanac beside a bare mysql2 transaction that inserts the same rows, by as many clients.
//   npm run build && npm run bench -- --only create
// The bare one knows the rows before: no password, no checks, no free slug, no turn, no answer.
import { readFileSync } from 'node:fs';
import { createPool } from 'mysql2/promise';

const BASE = '/cal/events/v1';
const LOGINS = new URL('../test/fixtures/conformance/site-a/write.json', import.meta.url);

/** Headers of a write by the administrator of the recorded site. */
export function writeHeaders() {
  const { login, password } = JSON.parse(readFileSync(LOGINS, 'utf8')).users.admin;
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
  return { 'Content-Type': 'application/json', Authorization: authorization };
}

/** What the rows that Almanac wrote are copied from, table by table; `id` is the new post, `event` its row of events. */
const COPIED = [
  ['wp_posts', 'ID', 'ID'],
  ['wp_postmeta', 'post_id', 'meta_id'],
  ['wp_tec_events', 'post_id', 'event_id'],
  ['wp_tec_occurrences', 'post_id', 'occurrence_id'],
];

/**
 * Creates events per second: `almanac` through the server at `url`, `bare` by mysql2 on the database `uri`, which must be
 * set to be durable. `cpu` answers what server and database have used. Each round measures one after the other; the answer
 * holds the rounds with the median rates, and their ratio.
 */
export async function measureWrites({ uri, url, headers, cpu, seconds = 5, rounds = 3, clients = 4 }) {
  const pool = createPool({ uri, charset: 'utf8mb4', dateStrings: true, connectionLimit: clients });
  try {
    let number = 0;
    const create = async () => {
      const body = JSON.stringify(event(++number));
      const answer = await fetch(`${url}${BASE}/events`, { method: 'POST', headers, body });
      const text = await answer.text();
      if (answer.status !== 201) throw new Error(`${answer.status} ${text}`);
      return JSON.parse(text).id;
    };
    const rows = await rowsOf(pool, await create());
    const measured = { almanac: [], bare: [] };
    for (let round = 0; round < rounds; round++) {
      const before = cpu();
      const one = await rate(create, clients, seconds);
      const [serverCpu, databaseCpu] = cpu().map((used, at) => (used - before[at]) / one.count);
      measured.almanac.push({ ...one, serverCpu, databaseCpu });
      measured.bare.push(await rate(() => insert(pool, rows, ++number), clients, seconds));
    }
    const [almanac, bare] = [middle(measured.almanac), middle(measured.bare)];
    return { almanac, bare, ratio: almanac.rate / bare.rate };
  } finally {
    await pool.end();
  }
}

/** What is sent to create an event. */
export const event = (number) => ({
  title: `Measured evening ${number}`,
  description: '<p>An evening with <strong>music</strong>, talks and food.</p>',
  start_date: '2031-05-01 19:00:00',
  end_date: '2031-05-01 22:00:00',
  cost: '12',
  website: `https://example.com/evenings/${number}`,
});

/** The rows of one event as lists of columns and values, without their own ids. */
export async function rowsOf(pool, id) {
  const tables = [];
  for (const [table, column, own] of COPIED) {
    const [found] = await pool.query('SELECT * FROM ?? WHERE ?? = ? ORDER BY ??', [table, column, id, own]);
    const columns = Object.keys(found[0]).filter((name) => name !== own);
    tables.push({ table, columns, rows: found.map((row) => columns.map((name) => row[name])) });
  }
  return tables;
}

/** Inserts the rows of one event once more, in one transaction, and returns its id; `before` and `after` may ask more of it. */
export async function insert(pool, tables, number, before = () => {}, after = () => {}) {
  const connection = await pool.getConnection();
  try {
    await connection.beginTransaction();
    await before(connection);
    const ids = {};
    for (const { table, columns, rows } of tables) {
      const values = rows.map((row) => row.map((value, at) => own(columns[at], value, ids, number)));
      const [{ insertId }] = await connection.query('INSERT INTO ?? (??) VALUES ?', [table, columns, values]);
      if (table === 'wp_posts') ids.post_id = insertId;
      if (table === 'wp_tec_events') ids.event_id = insertId;
    }
    await after(connection, ids.post_id);
    await connection.commit();
    return ids.post_id;
  } finally {
    connection.release();
  }
}

/** Ids of rows that were just inserted, and what must differ between any two events. */
function own(column, value, ids, number) {
  if (column in ids) return ids[column];
  if (column === 'post_name') return `bare-evening-${number}`;
  return column === 'hash' && value !== '' ? String(number).padStart(40, '0') : value;
}

/** How often the clients get it done in a second, and how long it takes in milliseconds. */
async function rate(work, clients, seconds) {
  const took = [];
  const begun = performance.now();
  const end = begun + seconds * 1000;
  const client = async () => {
    for (let last = performance.now(); last < end; ) {
      await work();
      took.push(performance.now() - last);
      last = performance.now();
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  took.sort((a, b) => a - b);
  const at = (share) => took[Math.floor(took.length * share)];
  return {
    count: took.length,
    rate: (took.length * 1000) / (performance.now() - begun),
    p50: at(0.5),
    p99: at(0.99),
  };
}

const middle = (rounds) => rounds.toSorted((a, b) => a.rate - b.rate)[rounds.length >> 1];
