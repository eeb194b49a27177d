import { picker, randomNumbers } from './random.mjs';
import { phrase } from './texts.mjs';

const DAY = 86_400_000;

/** Below the interface's namespace and, on the floor, below its root. */
export const LIST = '/events?per_page=10';
export const LONG_LIST = '/events?per_page=50';

/** Gives the same request for ever. */
export const again =
  (path, headers = '') =>
  () => ({ path, headers });

/** Lists from a random date, two thirds of them with a filter; no list is given twice, whatever the number. */
export function newLists(site, number, more = '') {
  const pick = picker(randomNumbers(number));
  const day = days(pick);
  const filters = Object.entries(site.filters);
  return once(() => {
    const kind = pick.below(9);
    if (kind < 3) return `/events?strict_dates=true&start_date=${day(-300, 400)}%20${clock(pick)}${more}`;
    if (kind === 8) return `/events?featured=true&start_date=${day(-300, 400)}${more}`;
    // Categories and tags more often than venues and organizers.
    const [name, ids] = filters[[0, 1, 2, 2, 3][kind - 3]];
    return `/events?${name}=${pick.one(ids)}&start_date=${day(-300, 400)}%20${clock(pick)}${more}`;
  });
}

/** Pages of lists of fifty that begin `off` records after the first. */
export function farPages(number, off) {
  const pick = picker(randomNumbers(number));
  const day = days(pick);
  return once(() => {
    const start = `${day(-365, -340)}%20${clock(pick)}`;
    return `/events?strict_dates=true&per_page=50&page=${1 + off / 50 + pick.below(20)}&start_date=${start}`;
  });
}

/** Searches in all events for a part of a text. */
export function searches(number) {
  const pick = picker(randomNumbers(number));
  const day = days(pick);
  return once(() => `/events?search=${encodeURIComponent(phrase(pick))}&start_date=${day(-500, -366)}`);
}

const byIdOrSlug = ({ id, slug }, at) => (at % 2 === 0 ? `/events/${id}` : `/events/by-slug/${slug}`);

/** Each of these records once, by id or by slug. */
export function eachOnce(records) {
  let at = 0;
  return () => (at < records.length ? { path: byIdOrSlug(records[at], at++) } : undefined);
}

/** These records for ever, each time with another password that they do not need. */
export function eachAgain(records) {
  let at = 0;
  return () => ({ path: `${byIdOrSlug(records[at % records.length], at)}?password=none-${at++}` });
}

/** The same requests on a server whose interface lies below `base`. */
export const below = (base, next) => () => {
  const request = next();
  return request && { ...request, path: base + request.path };
};

function once(make) {
  const given = new Set();
  return () => {
    for (let tries = 0; tries < 1000; tries++) {
      const path = make();
      if (given.has(path)) continue;
      given.add(path);
      return { path };
    }
    return undefined;
  };
}

function days(pick) {
  const today = Date.parse(new Date().toISOString().slice(0, 10));
  return (from, to) => new Date(today + (from + pick.below(to - from)) * DAY).toISOString().slice(0, 10);
}

const two = (number) => String(number).padStart(2, '0');
const clock = ({ below }) => `${two(below(24))}:${two(below(60))}:${two(below(60))}`;
