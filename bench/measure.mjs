import { load, quantile } from './client.mjs';
import { settled } from './processes.mjs';

/** The number in the middle of some. */
export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/**
 * Loads servers in turn, so that all meet the same noise, for some rounds after one that does not count.
 * A side is `{ server, database, next(round), status, mayRefuse }`, whose requests come from `next` (round 0 is the one that does
 * not count). Answers the medians of each side.
 */
export async function alternate(sides, { rounds, seconds, connections }) {
  const measured = sides.map(() => []);
  for (let round = 0; round <= rounds; round++)
    for (const [at, side] of sides.entries()) {
      const one = await oneRound(side, round, { seconds, connections });
      if (round > 0) measured[at].push(one);
      // What was begun behind the answers shall not weigh on others.
      else await settled(10, [side.server, side.database]);
    }
  return measured.map(medians);
}

async function oneRound({ server, database, next, ...side }, round, how) {
  const before = [server.cpu(), database.cpu()];
  const { times, ...counted } = await load(server.url, next(round), { ...how, ...side });
  const { count } = counted;
  if (count === 0) throw new Error(`${server.url}: no request was sent`);
  return {
    ...counted,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    serverCpu: (server.cpu() - before[0]) / count,
    databaseCpu: (database.cpu() - before[1]) / count,
  };
}

function medians(rounds) {
  const names = ['rate', 'p50', 'p99', 'serverCpu', 'databaseCpu'];
  const middle = Object.fromEntries(names.map((name) => [name, median(rounds.map((one) => one[name]))]));
  return {
    ...middle,
    count: rounds.reduce((sum, { count }) => sum + count, 0),
    refused: rounds.reduce((sum, { refused }) => sum + refused, 0),
    rates: rounds.map((r) => r.rate),
  };
}
