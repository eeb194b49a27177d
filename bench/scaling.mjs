// What more processes, machines, a replica or a cluster do to rates, on one machine that all of them share:
//   npm run build && npm run bench:scaling [-- --only 'two workers,a replica' --rounds 3 --seconds 3]
// It tells what each way costs; how much faster it is with machines of its own cannot be seen here. docs/scaling.md has a run.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { load } from './client.mjs';
import { median } from './measure.mjs';
import { settled } from './processes.mjs';
import { machineOf, machineText, short } from './report.mjs';
import { again, below, LIST, newLists } from './requests.mjs';
import { newRun, SETUPS } from './setups.mjs';
import { ask } from './site.mjs';
import { event, writeHeaders } from './writes.mjs';

const BASE = '/cal/events/v1';
const EVENTS = 1000;
const CONNECTIONS = 12;
const WRITERS = 6;
/** How long a database may take until it holds what another one has committed. */
const PATIENCE = 10_000;
const headers = writeHeaders();

const { values: given } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(SETUPS).join() },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
  },
});
const [seconds, rounds] = [Number(given.seconds), Number(given.rounds)];

/** The same list; uncached lists; events created. All servers of a setup get requests at once. */
const WORKS = {
  hot: ({ servers }) => {
    const loads = servers.map(({ url }) => loaded(url, servers.length, again(LIST)));
    return Promise.all(loads);
  },
  cold: ({ servers, databases: [site] }, round) => {
    const next = newLists(site, 900 + round);
    return Promise.all(servers.map(({ url }) => loaded(url, servers.length, next)));
  },
  create: (setup) => {
    const end = performance.now() + seconds * 1000;
    const writers = Array.from({ length: WRITERS }, (_, at) => writer(setup, at, end));
    return Promise.all(writers);
  },
};

const loaded = async (url, among, next) =>
  (await load(url, below(BASE, next), { connections: CONNECTIONS / among, seconds })).count;

/** Creates events at one of the servers until the time is over; how many. */
async function writer({ servers, created }, at, end) {
  let count = 0;
  for (; performance.now() < end; count++) {
    const body = JSON.stringify(event(created.length));
    const { url } = servers[at % servers.length];
    const answer = await fetch(`${url}${BASE}/events`, { method: 'POST', headers, body });
    const text = await answer.text();
    if (answer.status !== 201) throw new Error(`${answer.status} ${text}`);
    created.push(JSON.parse(text));
  }
  return count;
}

/** The median rate of a work, and the CPU that all processes of a way used for one request. */
async function measure(setup, work) {
  const all = [...setup.servers, ...setup.databases, ...(setup.others ?? [])];
  const used = (some) => some.reduce((sum, { cpu }) => sum + cpu(), 0);
  const measured = [];
  for (let round = 0; round <= rounds; round++) {
    const before = [used(setup.servers), used(all)];
    const began = performance.now();
    const count = (await WORKS[work](setup, round)).reduce((sum, one) => sum + one, 0);
    const rate = (count * 1000) / (performance.now() - began);
    const [ours, whole] = [used(setup.servers) - before[0], used(all) - before[1]];
    // The first round warms all.
    if (round > 0) measured.push({ rate, ours: ours / count, others: (whole - ours) / count });
    await settled(5, all);
  }
  const middle = (name) => median(measured.map((one) => one[name]));
  return { rate: middle('rate'), ours: middle('ours'), others: middle('others') };
}

/** Everything that was answered with 201 is there, on each database, under a slug of its own. */
async function check({ databases, created }) {
  const ids = created.map(({ id }) => id);
  const slugs = new Set(created.map(({ slug }) => slug));
  if (slugs.size !== ids.length) throw new Error(`${ids.length - slugs.size} slugs were given twice.`);
  for (const { uri } of databases)
    await ask(uri, async (connection) => {
      for (const giveUp = Date.now() + PATIENCE; ; await sleep(100)) {
        const [[{ found }]] = await connection.query(
          "SELECT COUNT(DISTINCT post_name) AS found FROM wp_posts WHERE post_status = 'publish' AND ID IN (?)",
          [ids],
        );
        if (Number(found) === ids.length) return;
        if (Date.now() > giveUp) throw new Error(`${ids.length - found} of ${ids.length} events are lost.`);
      }
    });
}

console.log(`${machineText(await machineOf())}; ${rounds} rounds of ${seconds} s, ${EVENTS} events\n`);
console.log('| | Work | Rate | Beside one process | CPU ms, servers | CPU ms, the rest |');
console.log('|---|---|---|---|---|---|');
const alone = {};
for (const name of given.only.split(',')) {
  const start = SETUPS[name];
  if (!start) throw new Error(`There is no ${name}, there are ${Object.keys(SETUPS)}.`);
  const run = newRun(EVENTS, (text) => console.error(`  ${text}`));
  try {
    const setup = { ...(await start(run)), created: [] };
    for (const work of Object.keys(WORKS)) {
      const { rate, ours, others } = await measure(setup, work);
      alone[work] ??= rate;
      const ratio = (rate / alone[work]).toFixed(2);
      console.log(`| ${name} | ${work} | ${short(rate)}/s | ${ratio} | ${short(ours)} | ${short(others)} |`);
    }
    await check(setup);
  } finally {
    await run.stop();
  }
}
