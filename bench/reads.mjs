// The kinds of work that read. Each is a function of the bench of one size, `{ site, almanac, floor, smallFloor, base,
// options }`, and answers rows; both floors run beside, at this size and at the smallest.
import { fileURLToPath } from 'node:url';
import { read } from './client.mjs';
import { isForTime } from './goals.mjs';
import { alternate, median } from './measure.mjs';
import { startOtherProgram } from './other-program.mjs';
import { startServer } from './processes.mjs';
import {
  again,
  below,
  eachAgain,
  eachOnce,
  farPages,
  LIST,
  LONG_LIST,
  newLists,
  searches,
} from './requests.mjs';
import { ask } from './site.mjs';

const CEILING = fileURLToPath(new URL('ceiling.mjs', import.meta.url));
const COMPARES = `SELECT COUNT(*) FROM wp_posts WHERE post_type = 'tribe_events' AND post_status = 'publish'
  AND (post_title LIKE ? OR post_excerpt LIKE ? OR post_content LIKE ?)`;

/** Records that must lie before a page far away. */
const FAR = 50_000;
/** Events from which on searches may be refused. */
const MANY = 1_000_000;

export const READS = {
  one: async (bench) => {
    // Each event once: one quarter warms both servers, and is not requested afterwards.
    const quarter = Math.floor(bench.site.records.length / (bench.options.rounds + 1));
    const part = (round) => bench.site.records.slice(round * quarter, (round + 1) * quarter);
    const next = (round) => (round === 0 ? eachAgain(part(0)) : eachOnce(part(round)));
    return [rate('one', await alternate([ours(bench, next), floorOf(bench, next)], bench.options))];
  },
  cold: async (bench) => [rate('cold', await listsOnce(bench, 1))],
  total: async (bench) => [
    await alone(bench, 'total', (round) => newLists(bench.site, 300 + round, '&per_page=1')),
  ],
  far: async (bench) =>
    bench.site.events < FAR * 1.9 ? [] : [await alone(bench, 'far', (round) => farPages(400 + round, FAR))],
  search: async (bench) => [await search(bench)],
  hot: async (bench) => [await hot(bench, 'hot', LIST), await hot(bench, 'hot 50', LONG_LIST)],
  conditional: async (bench) => {
    const { headers } = await read(bench.almanac.url + bench.base + LIST);
    const etag = headers.get('etag');
    if (!etag) return [{ work: '304', note: 'no ETag is offered' }];
    return [await hot(bench, '304', LIST, { status: 304, headers: `If-None-Match: ${etag}\r\n` })];
  },
  busy: async (bench) => {
    const stop = await startOtherProgram(bench.site);
    try {
      // What takes SQL too long is refused: where the goal is a time, this counts against it.
      return [rate('busy', await listsOnce(bench, 2, isForTime('busy', bench.site.events)))];
    } finally {
      await stop();
    }
  },
};

/** Uncached lists, on ours and on the floor with the fewest events. */
function listsOnce(bench, number, mayRefuse = false) {
  const { site, smallFloor, options } = bench;
  // One source for all rounds, so that no list comes twice; another one for the round that warms up.
  const source = (own) => {
    const [warm, measured] = [0, 1].map((at) => newLists(site, 10 * number + own + 2 * at));
    return (round) => (round === 0 ? warm : measured);
  };
  const floor = { server: smallFloor, database: smallFloor.database, next: source(1) };
  return alternate([{ ...ours(bench, source(0)), mayRefuse }, floor], options);
}

/** The same list again and again; the ceiling is a bare server that sends the same bytes. */
async function hot(bench, work, path, { status = 200, headers } = {}) {
  const ANSWER_URL = bench.almanac.url + bench.base + path;
  const bare = await startServer(CEILING, path, { ANSWER_URL });
  try {
    const next = () => again(path, headers);
    const ceiling = { server: bare, database: bench.site, next, status };
    const [result, most] = await alternate([{ ...ours(bench, next), status }, ceiling], bench.options);
    return { ...rate(work, [result]), ceiling: most.rate, ceilingCpu: most.serverCpu };
  } finally {
    await bare.stop();
  }
}

/** Searches; the ceiling is the bare statement that compares all texts, with the same words. */
async function search(bench) {
  // Phrases of common words, which SQL compares with all texts, take longer there than a statement may.
  const mayRefuse = bench.site.events >= MANY;
  const row = await alone(bench, 'search', (round) => searches(500 + round), mayRefuse);
  const times = await ask(bench.site.uri, (connection) => compared(connection, searches(501), bench.options));
  return { ...row, ceiling: median(times) };
}

/** Milliseconds of some statements that do nothing but read and compare the texts of all events. */
async function compared(connection, next, { seconds }) {
  const times = [];
  for (const end = performance.now() + seconds * 1000; performance.now() < end; ) {
    const { path } = next();
    const part = `%${new URL(path, 'http://localhost').searchParams.get('search')}%`;
    const began = performance.now();
    await connection.query(COMPARES, [part, part, part]);
    times.push(performance.now() - began);
  }
  return times;
}

/** One request after the other: how long each takes. */
async function alone(bench, work, next, mayRefuse = false) {
  const side = { ...ours(bench, next), mayRefuse };
  const [result] = await alternate([side], { ...bench.options, connections: 1 });
  return { work, unit: 'ms', value: result.p50, ...result };
}

const ours = ({ almanac, site, base }, next) => ({
  server: almanac,
  database: site,
  next: (round) => below(base, next(round)),
});
const floorOf = ({ floor, site }, next) => ({ server: floor, database: site, next });

/** The row of a work that is counted in requests per second. */
function rate(work, [result, floor]) {
  const row = { work, unit: '/s', value: result.rate, ...result };
  if (!floor) return row;
  const cpu = ({ serverCpu, databaseCpu }) => serverCpu + databaseCpu;
  const ratios = { ratio: result.rate / floor.rate, cpuRatio: cpu(floor) / cpu(result) };
  return { ...row, ...ratios, floor: floor.rate, floorP99: floor.p99, floorCpu: cpu(floor) };
}
