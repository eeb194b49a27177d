// Measures Almanac beside the floor (floor.mjs) on a private MariaDB that holds the tests' site and made-up events:
//   npm run build && npm run bench [-- --events 1000,100000 --seconds 5 --rounds 3 --connections 16]
// Rounds alternate between the two servers, so that both meet the same noise; each number is the median of the rounds.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { createConnection } from 'mysql2/promise';
import { startMariadb, startServer } from './processes.mjs';
import { picker, randomNumbers } from './random.mjs';
import { seed } from './seed.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DUMP = join(ROOT, 'test/fixtures/conformance/site-a/site.sql');
const ALMANAC = join(ROOT, 'dist/main.js');
const FLOOR = join(ROOT, 'bench/floor.mjs');
const BASE = '/cal/events/v1';
const DAY = 86_400_000;
/** Answers below which a measurement says little, and the seconds that it then takes. */
const MANY = 100;
const LONGEST = 20;

const options = parseArgs({
  options: {
    events: { type: 'string', default: '1000,100000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '16' },
  },
}).values;

/** The paths that each kind of page asks for, in turn. */
function scenarios(eventIds) {
  const { below, one } = picker(randomNumbers(7));
  const today = Date.parse(new Date().toISOString().slice(0, 10));
  const day = (offset) => new Date(today + offset * DAY).toISOString().slice(0, 10);
  const paths = (make) => Array.from({ length: 500 }, make);
  return {
    'default list': ['/events'],
    'list from a random date': paths(
      () => `/events?start_date=${day(below(900) - 300)}%20${10 + below(10)}:00:00`,
    ),
    'month window': paths(() => {
      const start = below(700) - 200;
      return `/events?start_date=${day(start)}&end_date=${day(start + 30)}`;
    }),
    'one event': paths(() => `/events/${one(eventIds)}`),
    '50 per page': paths(() => `/events?per_page=50&start_date=${day(below(600))}`),
  };
}

async function measure(url, paths, seconds = Number(options.seconds)) {
  const result = await autocannon({
    url,
    connections: Number(options.connections),
    duration: seconds,
    timeout: 60,
    requests: paths.map((path) => ({ path })),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}${paths[0]}: ${result.non2xx} answers were not 200, ${result.errors} failed`);
  // Pages that take seconds need a longer look.
  if (result.requests.total < MANY && seconds < LONGEST) return measure(url, paths, LONGEST);
  return { rate: result.requests.total / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
}

async function compare(events, name, paths, servers) {
  const rounds = { almanac: [], floor: [] };
  const asked = { almanac: paths.map((path) => BASE + path), floor: paths };
  for (let round = 0; round < Number(options.rounds); round++)
    for (const server of ['almanac', 'floor'])
      rounds[server].push(await measure(servers[server].url, asked[server]));
  const [almanac, floor] = [middle(rounds.almanac), middle(rounds.floor)];
  const cells = [
    events,
    name,
    ...numbers(almanac),
    ...numbers(floor),
    (almanac.rate / floor.rate).toFixed(2),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

const numbers = ({ rate, p50, p99 }) => [rate.toFixed(rate < 10 ? 1 : 0), p50, p99];

/** The round with the median rate. */
const middle = (rounds) => rounds.toSorted((a, b) => a.rate - b.rate)[rounds.length >> 1];

async function makeSite(server, events) {
  const name = `bench_${events}`;
  const connection = await createConnection({ uri: server, multipleStatements: true, charset: 'utf8mb4' });
  try {
    await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`);
    await connection.query(`USE ${name}; SET autocommit = 0; ${await readFile(DUMP, 'utf8')}\nCOMMIT`);
    await seed(connection, { events, around: Date.parse(new Date().toISOString().slice(0, 10)) });
    await connection.query('ANALYZE TABLE wp_posts, wp_postmeta, wp_tec_occurrences, wp_term_relationships');
    const [rows] = await connection.query(
      `SELECT o.post_id AS id FROM wp_tec_occurrences o JOIN wp_posts p ON p.ID = o.post_id
       WHERE p.post_status = 'publish' AND p.post_password = '' ORDER BY o.hash LIMIT 1000`,
    );
    return { uri: server + name, eventIds: rows.map(({ id }) => id) };
  } finally {
    await connection.end();
  }
}

async function main() {
  if (!existsSync(ALMANAC)) throw new Error('There is no dist: npm run build first.');
  const folder = await mkdtemp(join(tmpdir(), 'almanac-bench-'));
  const running = [];
  const started = async (server) => {
    running.push(await server);
    return running.at(-1);
  };
  try {
    const mariadb = await started(startMariadb(join(folder, 'mariadb')));
    console.log(
      `Node ${process.versions.node}, ${cpus().length} cores shared by server, database and client; ${options.connections} connections\n`,
    );
    console.log(
      '| Events | Page | Almanac req/s | p50 ms | p99 ms | Floor req/s | p50 ms | p99 ms | Ratio |',
    );
    console.log('|---|---|---|---|---|---|---|---|---|');
    for (const events of options.events.split(',').map(Number)) {
      const { uri, eventIds } = await makeSite(mariadb.uri, events);
      const env = { DATABASE_URL: uri, LOG_LEVEL: 'error', NODE_ENV: 'production' };
      const almanac = await started(startServer(ALMANAC, `${BASE}/events`, env));
      const floor = await started(startServer(FLOOR, '/events', env));
      for (const [name, paths] of Object.entries(scenarios(eventIds)))
        await compare(events, name, paths, { almanac, floor });
      await almanac.stop();
      await floor.stop();
    }
  } finally {
    for (const server of running.reverse()) await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
