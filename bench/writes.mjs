// Creating events, durable: Almanac beside a bare mysql2 transaction that inserts the same rows, by as many clients.
//   npm run build && node bench/writes.mjs [--seconds 5 --rounds 3 --clients 4]
// The bare one knows the rows before: no password, no checks, no free slug, no turn, no answer.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createConnection, createPool } from 'mysql2/promise';
import { startMariadb, startServer } from './processes.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FIXTURES = join(ROOT, 'test/fixtures/conformance/site-a');
const BASE = '/cal/events/v1';

/** What the rows that Almanac wrote are copied from, table by table; `id` is the new post, `event` its row of events. */
const COPIED = [
  ['wp_posts', 'ID', 'ID'],
  ['wp_postmeta', 'post_id', 'meta_id'],
  ['wp_tec_events', 'post_id', 'event_id'],
  ['wp_tec_occurrences', 'post_id', 'occurrence_id'],
];

/**
 * Creates events per second: `almanac` through the server at `url`, `bare` by mysql2 on the database `uri`, which must be
 * set to be durable. Each round measures one after the other; the answer holds the rounds with the median rates, and their ratio.
 */
export async function measureWrites({ uri, url, headers, seconds = 5, rounds = 3, clients = 4 }) {
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
      measured.almanac.push(await rate(create, clients, seconds));
      measured.bare.push(await rate(() => insert(pool, rows, ++number), clients, seconds));
    }
    const [almanac, bare] = [middle(measured.almanac), middle(measured.bare)];
    return { almanac, bare, ratio: almanac.rate / bare.rate };
  } finally {
    await pool.end();
  }
}

const event = (number) => ({
  title: `Measured evening ${number}`,
  description: '<p>An evening with <strong>music</strong>, talks and food.</p>',
  start_date: '2031-05-01 19:00:00',
  end_date: '2031-05-01 22:00:00',
  cost: '12',
  website: `https://example.com/evenings/${number}`,
});

/** The rows of one event as lists of columns and values, without their own ids. */
async function rowsOf(pool, id) {
  const tables = [];
  for (const [table, column, own] of COPIED) {
    const [found] = await pool.query('SELECT * FROM ?? WHERE ?? = ? ORDER BY ??', [table, column, id, own]);
    const columns = Object.keys(found[0]).filter((name) => name !== own);
    tables.push({ table, columns, rows: found.map((row) => columns.map((name) => row[name])) });
  }
  return tables;
}

async function insert(pool, tables, number) {
  const connection = await pool.getConnection();
  try {
    await connection.beginTransaction();
    const ids = {};
    for (const { table, columns, rows } of tables) {
      const values = rows.map((row) => row.map((value, at) => own(columns[at], value, ids, number)));
      const [{ insertId }] = await connection.query('INSERT INTO ?? (??) VALUES ?', [table, columns, values]);
      if (table === 'wp_posts') ids.post_id = insertId;
      if (table === 'wp_tec_events') ids.event_id = insertId;
    }
    await connection.commit();
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
  return { rate: (took.length * 1000) / (performance.now() - begun), p50: at(0.5), p99: at(0.99) };
}

const middle = (rounds) => rounds.toSorted((a, b) => a.rate - b.rate)[rounds.length >> 1];

async function main() {
  const { values } = parseArgs({
    options: {
      seconds: { type: 'string', default: '5' },
      rounds: { type: 'string', default: '3' },
      clients: { type: 'string', default: '4' },
    },
  });
  const folder = await mkdtemp(join(tmpdir(), 'almanac-writes-'));
  const running = [];
  try {
    const mariadb = await startMariadb(join(folder, 'mariadb'));
    running.push(mariadb);
    const uri = `${mariadb.uri}writes`;
    const connection = await createConnection({
      uri: mariadb.uri,
      multipleStatements: true,
      charset: 'utf8mb4',
    });
    await connection.query('SET GLOBAL innodb_flush_log_at_trx_commit = 1');
    await connection.query(
      'CREATE DATABASE writes CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci; USE writes',
    );
    await connection.query(await readFile(join(FIXTURES, 'site.sql'), 'utf8'));
    await connection.end();
    const env = { DATABASE_URL: uri, LOG_LEVEL: 'error', NODE_ENV: 'production', RATE_LIMIT: 'off' };
    const server = await startServer(join(ROOT, 'dist/main.js'), `${BASE}/events`, env);
    running.push(server);
    const { users } = JSON.parse(await readFile(join(FIXTURES, 'write.json'), 'utf8'));
    const { login, password } = users.admin;
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
    };
    const numbers = Object.fromEntries(Object.entries(values).map(([name, text]) => [name, Number(text)]));
    const { almanac, bare, ratio } = await measureWrites({ uri, url: server.url, headers, ...numbers });
    for (const [name, { rate: each, p50, p99 }] of Object.entries({ almanac, bare }))
      console.log(`${name}: ${each.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
    console.log(`ratio: ${ratio.toFixed(2)}`);
  } finally {
    for (const one of running.reverse()) await one.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
