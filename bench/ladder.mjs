// What each layer between bare node:http and Almanac costs, in milliseconds of CPU per request, all in one run:
//   npm run build && node bench/ladder.mjs [--events 1000 --rounds 5 --requests 500]
// docs/performance.md#the-ladder explains the steps.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { load } from './client.mjs';
import { median } from './measure.mjs';
import { NODE_OPTIONS, settled, startServer } from './processes.mjs';
import { below, eachAgain, newLists } from './requests.mjs';
import { startSite } from './site.mjs';
import { event } from './writes.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const BASE = '/cal/events/v1';
const ALMANAC = { name: 'Almanac: our parameters, links, texts, JSON, headers' };
const READS = [
  { name: 'node:http, an answer of 4 KB', ROWS: 'none' },
  { name: '+ the statements of the floor, JSON', ROWS: 'mysql2' },
  { name: '+ TypeORM around them', ROWS: 'typeorm' },
  { name: '+ Express', ROWS: 'typeorm', TRANSPORT: 'express' },
  { name: '+ Nest, a guard, a pipe, an interceptor', ROWS: 'typeorm', TRANSPORT: 'nest' },
  ALMANAC,
];
const WRITES = [
  { name: 'node:http, six statements that insert', ROWS: 'mysql2' },
  { name: '+ user, turn, slug, ends, reading back', ROWS: 'mysql2', TRUTH: 'yes' },
  { name: '+ TypeORM around them', ROWS: 'typeorm', TRUTH: 'yes' },
  { name: '+ Express', ROWS: 'typeorm', TRUTH: 'yes', TRANSPORT: 'express' },
  { name: '+ Nest, a guard, a pipe, an interceptor', ROWS: 'typeorm', TRUTH: 'yes', TRANSPORT: 'nest' },
  ALMANAC,
];

const { values: given } = parseArgs({
  options: {
    events: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '500' },
  },
});
const [rounds, requests] = [Number(given.rounds), Number(given.requests)];
/** Rounds' worth of requests by which each step warms up: V8 compiles for as long. */
const WARM = 5;

/** Has `work(step, count)` ask all steps in turn for `most` answers, some rounds after one that warms up; prints the medians. */
async function ladder(kind, site, steps, most, work) {
  const costs = steps.map(() => []);
  for (let round = 0; round <= rounds; round++)
    for (const [at, step] of steps.entries()) {
      const before = [step.cpu(), site.cpu()];
      const count = round === 0 ? WARM * most : most;
      await work(step, count);
      if (round > 0) costs[at].push([step.cpu() - before[0], site.cpu() - before[1]].map((ms) => ms / count));
      else await settled(10, [step, site]);
    }
  console.log(`\n| ${kind} | Server | Database | Both, more than the step before |\n|---|---|---|---|`);
  let last = 0;
  for (const [at, { name }] of steps.entries()) {
    const [server, database] = [0, 1].map((part) => median(costs[at].map((cost) => cost[part])));
    const ms = [server, database, server + database - last].map((value) => `${value.toFixed(2)} ms`);
    console.log(`| ${name} | ${ms.join(' | ')} |`);
    last = server + database;
  }
}

/** Servers of the steps, while they are needed. */
async function withSteps(steps, env, use) {
  const servers = [];
  try {
    for (const { name, ...step } of steps) {
      const isOurs = name === ALMANAC.name;
      const base = isOurs ? BASE : '';
      const script = here(isOurs ? '../dist/main.js' : 'ladder-step.mjs');
      servers.push({
        ...(await startServer(script, `${base}/events`, { ...env, ...step }, NODE_OPTIONS)),
        name,
        base,
      });
    }
    return await use(servers);
  } finally {
    for (const server of servers) await server.stop();
  }
}

async function main() {
  const site = await startSite(Number(given.events), console.error);
  try {
    const env = { DATABASE_URL: site.uri, LOG_LEVEL: 'error', NODE_ENV: 'production' };
    await withSteps(READS, env, async (steps) => {
      const ask = (next) => (step, count) => read(step, next(), count);
      await ladder(
        '`one`',
        site,
        steps,
        requests,
        ask(() => eachAgain(site.records)),
      );
      let lists = 0;
      await ladder(
        '`cold`',
        site,
        steps,
        requests,
        ask(() => newLists(site, ++lists)),
      );
    });
    await withSteps([ALMANAC], env, async ([almanac]) => {
      const EVENT = String(await create(almanac, 0));
      let number = 0;
      const write = async (step, count) => {
        let left = count;
        const client = async () => {
          while (left-- > 0) await create(step, ++number);
        };
        await Promise.all([client(), client(), client(), client()]);
      };
      // As long for fewer: one costs five times of what an answer does.
      const most = Math.ceil(requests / 5);
      await withSteps(WRITES.slice(0, -1), { ...env, EVENT }, (steps) =>
        ladder('`create`', site, [...steps, almanac], most, write),
      );
    });
  } finally {
    await site.stop();
  }
}

const { login, password } = JSON.parse(
  readFileSync(here('../test/fixtures/conformance/site-a/write.json'), 'utf8'),
).users.admin;
const headers = {
  'Content-Type': 'application/json',
  Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
};

/** Asks for so many answers, by eight connections. */
async function read({ url, base }, source, count) {
  let left = count;
  const next = below(base, () => (left-- > 0 ? source() : undefined));
  await load(url, next, { connections: 8, seconds: Number.POSITIVE_INFINITY });
}

/** Creates an event and returns its id. */
async function create({ url, base }, number) {
  const body = JSON.stringify(event(number));
  const answer = await fetch(`${url}${base}/events`, { method: 'POST', headers, body });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`${answer.status} ${text}`);
  const { id, ID } = JSON.parse(text);
  return id ?? ID;
}

main().catch((error) => {
  console.error(error.stack);
  process.exitCode = 1;
});
