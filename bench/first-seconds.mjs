// New lists (`cold`) second by second: from the moment a server listens, and from the moment a whole table has changed. No list is
// asked for twice. The floor at 1,000 events runs before and after, on the same machine, for the same number of seconds:
//   npm run build && node bench/first-seconds.mjs [--events 100000 --seconds 10 --connections 8 --only start,modified]
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { load, quantile } from './client.mjs';
import { median } from './measure.mjs';
import { NODE_OPTIONS, startServer } from './processes.mjs';
import { machineOf, machineText } from './report.mjs';
import { below, newLists } from './requests.mjs';
import { ask, startSite } from './site.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const BASE = '/cal/events/v1';
const SMALL = 1000;
const EVENTS = "post_type = 'tribe_events'";
/** What changes a whole table, by name. */
const CHANGES = {
  modified: `UPDATE wp_posts SET post_modified = post_modified + INTERVAL 1 SECOND WHERE ${EVENTS}`,
  posted: `UPDATE wp_posts SET post_date = post_date + INTERVAL 1 MINUTE WHERE ${EVENTS}`,
  dates: 'UPDATE wp_tec_occurrences SET start_date = start_date + INTERVAL 1 MINUTE',
  altered: 'ALTER TABLE wp_posts FORCE',
};

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '8' },
    only: { type: 'string', default: ['start', ...Object.keys(CHANGES)].join() },
    profile: { type: 'string' },
  },
});
const [events, seconds, connections] = [given.events, given.seconds, given.connections].map(Number);
const only = given.only.split(',');

const began = Date.now();
const say = (text) => console.error(`  ${((Date.now() - began) / 1000).toFixed()} s: ${text}`);

/** Rate, p99 and slowest of each second from now on; answers count in the second in which they end. */
async function windows(url, next, forSeconds = seconds) {
  const began = performance.now();
  const found = Array.from({ length: forSeconds }, () => []);
  const each = (ms) => found[Math.floor((performance.now() - began) / 1000)]?.push(ms);
  const { refused } = await load(url, next, { connections, seconds: forSeconds, each, mayRefuse: true });
  if (refused > 0) say(`${refused} answers of 503`);
  return found.map((times) => {
    const sorted = Float64Array.from(times).sort();
    return { rate: sorted.length, p99: quantile(sorted, 0.99) ?? 0, slowest: sorted.at(-1) ?? 0 };
  });
}

const floorRate = async (small, number) => {
  const floor = await startServer(here('floor.mjs'), '/events', { DATABASE_URL: small.uri });
  try {
    await windows(floor.url, newLists(small, number), 3);
    return median((await windows(floor.url, newLists(small, number + 1))).map(({ rate }) => rate));
  } finally {
    await floor.stop();
  }
};

async function measured(site) {
  const env = { DATABASE_URL: site.uri, LOG_LEVEL: 'warn', NODE_ENV: 'production' };
  const options = given.profile ? [...NODE_OPTIONS, '--import', here('profiler.mjs')] : NODE_OPTIONS;
  const server = await startServer(here('../dist/main.js'), undefined, env, options);
  const lists = below(BASE, newLists(site, 900));
  const runs = [];
  try {
    const first = () => windows(server.url, lists);
    runs.push({
      name: 'start',
      rows: await (given.profile ? server.profile(given.profile, first) : first()),
    });
    for (const [name, change] of Object.entries(CHANGES)) {
      if (!only.includes(name)) continue;
      let took = 0;
      // The load goes on while the table changes.
      const before = load(server.url, lists, { connections, seconds: 2, mayRefuse: true });
      const changing = ask(site.uri, async (connection) => {
        await sleep(1000);
        const began = performance.now();
        await connection.query(change);
        took = performance.now() - began;
      });
      await Promise.all([before, changing]);
      say(`${name} took ${took.toFixed()} ms`);
      runs.push({ name: `${name} (${took.toFixed()} ms)`, rows: await windows(server.url, lists) });
    }
    return runs;
  } finally {
    await server.stop();
  }
}

const small = await startSite(SMALL, say);
const site = await startSite(events, say);
try {
  const before = await floorRate(small, 700);
  const runs = await measured(site);
  const after = await floorRate(small, 800);
  const floor = (before + after) / 2;
  const machine = machineText(await machineOf());
  console.log(`${machine}; ${events} events; floor ${before}/s before, ${after}/s after\n`);
  for (const { name, rows } of runs) {
    console.log(`| ${name}: second | /s | of the floor | p99 ms | slowest ms |\n|---|---|---|---|---|`);
    for (const [at, { rate, p99, slowest }] of rows.entries())
      console.log(
        `| ${at + 1} | ${rate} | ${(rate / floor).toFixed(2)} | ${p99.toFixed()} | ${slowest.toFixed()} |`,
      );
    console.log();
  }
} finally {
  await site.stop();
  await small.stop();
}
