// Measures Almanac beside the floor (floor.mjs) on private MariaDBs that hold the tests' site and random events:
//   npm run build && npm run bench [-- --sizes 1000,100000 --only cold,hot --rounds 3 --seconds 3 --connections 8]
// A size of 10000x100 means as many series of a hundred dates each. docs/performance.md explains the numbers. With --save
// they are what the README shows, with --profile FOLDER profiles of our servers are kept, with --indexes sites have those of
// `almanac indexes --apply`.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { median } from './measure.mjs';
import { NODE_OPTIONS, settled, startServer } from './processes.mjs';
import { slowestStatements } from './profile.mjs';
import { READS } from './reads.mjs';
import { machineOf, Report } from './report.mjs';
import { SERIES_DATES } from './seed.mjs';
import { ask, KEPT, startSite } from './site.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ALMANAC = join(ROOT, 'dist/main.js');
const INDEXES = [join(ROOT, 'bin/almanac.cjs'), 'indexes', '--apply'];
const FLOOR = join(ROOT, 'bench/floor.mjs');
const WRITES = join(ROOT, 'bench/writes.mjs');
const PROFILER = join(ROOT, 'bench/profiler.mjs');
const BASE = '/cal/events/v1';
/** Milliseconds until a server has begun its background reads after the start, and seconds that these may take and pause. */
const BEHIND = 6000;
const MAX_BEHIND = 3600;
const PAUSES = 4;
/** The number of events that the floor of lists has, whatever ours are. */
const SMALL = 1000;
const KINDS = ['start', 'ready', ...Object.keys(READS), 'create', 'memory'];

const { values: given } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000' },
    only: { type: 'string', default: KINDS.join() },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    connections: { type: 'string', default: '8' },
    profile: { type: 'string' },
    indexes: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
  },
});
const only = given.only.split(',');
const options = {
  seconds: Number(given.seconds),
  rounds: Number(given.rounds),
  connections: Number(given.connections),
};

/** All measurements of one size; `small` is the site and the floor with the fewest events. */
async function benchSize(site, small, report, isSeries) {
  const servers = [];
  const env = { DATABASE_URL: site.uri, LOG_LEVEL: 'error', NODE_ENV: 'production' };
  const add = (row) => report.add({ ...row, events: site.events, isSeries });
  try {
    if (given.indexes) execFileSync(process.execPath, INDEXES, { env: { ...process.env, ...env } });
    const almanac = await startAlmanac(env, add);
    const began = performance.now();
    servers.push(almanac);
    const floor = site === small.site ? small.floor : await startServer(FLOOR, '/events', env);
    if (floor !== small.floor) servers.push(floor);
    await sleep(BEHIND);
    await settled(MAX_BEHIND, [almanac, site], PAUSES);
    if (only.includes('ready'))
      add({ work: 'ready', unit: 's', value: (performance.now() - began) / 1000, serverCpu: almanac.cpu() });
    const idle = almanac.memory().now;
    const smallFloor = { ...small.floor, database: small.site };
    const bench = { site, almanac, floor, smallFloor, base: BASE, options };
    for (const [kind, measure] of Object.entries({ ...READS, create })) {
      if (!only.includes(kind)) continue;
      const file = given.profile && resolve(given.profile, `${kind}-${site.events}.cpuprofile`);
      const work = () => measure(bench);
      for (const row of await (file ? almanac.profile(file, work) : work())) add(row);
    }
    const { now, peak } = almanac.memory();
    if (only.includes('memory')) add({ work: 'memory', unit: 'MB', value: peak, idle, now });
    if (given.profile) await keepStatements(site);
  } finally {
    for (const server of servers) await server.stop();
  }
}

/** The last of some starts, whose times are the first row. */
async function startAlmanac(env, add) {
  const profile = given.profile ? ['--import', PROFILER] : [];
  const start = () => startServer(ALMANAC, `${BASE}/events`, env, [...NODE_OPTIONS, ...profile]);
  const times = [];
  for (let round = 1; only.includes('start') && round < options.rounds; round++) {
    const server = await start();
    times.push(server.took);
    await server.stop();
  }
  const server = await start();
  times.push(server.took);
  if (only.includes('start')) add({ work: 'start', unit: 'ms', value: median(times) });
  return server;
}

/** Creating events with the login of the recorded site, by four clients. */
async function create({ site, almanac }) {
  if (!existsSync(WRITES)) return [];
  const { measureWrites, writeHeaders } = await import(WRITES);
  const headers = writeHeaders();
  const cpu = () => [almanac.cpu(), site.cpu()];
  const work = { uri: site.uri, url: almanac.url, headers, cpu, ...options, clients: 4 };
  const { almanac: ours, bare, ratio } = await measureWrites(work);
  return [
    { work: 'create', unit: '/s', value: ours.rate, ...ours, floor: bare.rate, ratio, floorP99: bare.p99 },
  ];
}

/** What the database did since it started. */
async function keepStatements(site) {
  const text = await ask(site.uri, slowestStatements);
  writeFileSync(join(given.profile, `statements-${site.events}.txt`), `${text}\n`);
}

async function main() {
  const unknown = only.filter((kind) => !KINDS.includes(kind));
  if (unknown.length > 0) throw new Error(`There is no ${unknown}, there are ${KINDS}.`);
  if (!existsSync(ALMANAC)) throw new Error('There is no dist: npm run build first.');
  const began = Date.now();
  const say = (text) => console.error(`  ${((Date.now() - began) / 1000).toFixed()} s: ${text}`);
  const report = new Report(await machineOf(), options);
  const database = given.profile ? ['--performance-schema=ON'] : [];
  if (given.profile) mkdirSync(given.profile, { recursive: true });
  for (const text of given.sizes.split(',')) {
    const [size, isSeries] = [Number.parseInt(text, 10), text.endsWith(`x${SERIES_DATES}`)];
    // A copy for each size: creating events makes the one that it was measured on larger.
    const small = { site: await startSite(SMALL, say, database) };
    let site = small.site;
    try {
      if (size !== SMALL || isSeries) site = await startSite(size, say, database, 'root', isSeries);
      small.floor = await startServer(FLOOR, '/events', { DATABASE_URL: small.site.uri });
      await benchSize(site, small, report, isSeries);
    } finally {
      await small.floor?.stop();
      await small.site.stop();
      if (site !== small.site) await site.stop();
    }
  }
  if (given.save) report.write(join(ROOT, 'bench/results.json'), join(ROOT, 'docs/performance.svg'));
  else report.write(join(KEPT, 'results.json'), join(KEPT, 'performance.svg'));
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
