import { isNumeric } from '../formatting/php-number.js';
import { beginningOfDay, endOfDay, localizeDate } from './convert.js';
import { isTimestamp, strtotime } from './strtotime.js';
import { formatWallClock, fromWallSeconds, toWallSeconds } from './wall-clock.js';
import { UTC } from './zones.js';

const DAY = 86400;
const EDGES = ['starts_before', 'starts_after', 'ends_before', 'ends_after'] as const;
const STRICT = new Set(['1', 'true', 'on', 'yes']);
const NAMES = ['start_date', 'end_date', ...EDGES] as const;

export type ListDateName = (typeof NAMES)[number];

/** Date parameters, as sent (`unknown`) or formatted. */
type Dates<T = string> = Readonly<Partial<Record<ListDateName, T>>>;

/** The default start (`yesterday 23:59` in UTC) and end (`+24 months`) of a list; `now` is epoch seconds. */
export function defaultListDates(
  zone: string,
  now: number,
): { start_date: string | false; end_date: string } {
  const here = fromWallSeconds(now);
  return {
    start_date: localizeDate(Math.floor(now / DAY) * DAY - 60, zone, now),
    end_date: formatWallClock(toWallSeconds({ ...here, month: here.month + 24 })),
  };
}

/** Whether `strict_dates` selects exact times. */
export function isStrictDates(value: unknown): boolean {
  return STRICT.has(String(value).toLowerCase());
}

/**
 * The date filters of a list as `rest_url` repeats them, each `YYYY-MM-DD HH:MM:SS` on the site's clock: the parameters,
 * else the default dates unless an edge parameter is set. `cutoff` is the option `multiDayCutoff`, `now` epoch seconds.
 */
export function listDates(
  given: Dates<unknown>,
  strict: boolean,
  { zone, cutoff }: { zone: string; cutoff: string },
  now: number,
): Dates {
  const hasEdge = EDGES.some((name) => given[name] !== undefined);
  const usual: Dates<unknown> = hasEdge ? given : defaultListDates(zone, now);
  const dates: Partial<Record<ListDateName, string>> = {};
  for (const name of NAMES) {
    const value = given[name] ?? usual[name];
    if (value === undefined || isMeaningless(value, now)) continue;
    const bound = name === 'start_date' ? beginningOfDay : endOfDay;
    const date = strict ? localizeDate(value, zone, now) : bound(value, cutoff, now);
    if (date) dates[name] = date;
  }
  return dates;
}

/** Edges that are numbers but no time (`ends_before=1e9`): they mean now, links omit them, as recorded. */
export function edgesAsNow(given: Dates<unknown>, zone: string, now: number): Dates {
  const unreadable = EDGES.filter((name) => given[name] !== undefined && isMeaningless(given[name], now));
  if (unreadable.length === 0) return {};
  const here = localizeDate(now, zone, now) || formatWallClock(now);
  return Object.fromEntries(unreadable.map((name) => [name, here]));
}

/** The effective filters: `starts_after` replaces `start_date`, `ends_before` replaces `end_date`. */
export function effectiveDates(dates: Dates): Dates {
  const { start_date, end_date, ...edges } = dates;
  return {
    ...edges,
    ...(start_date !== undefined && edges.starts_after === undefined && { start_date }),
    ...(end_date !== undefined && edges.ends_before === undefined && { end_date }),
  };
}

/** Whether a number is no time (`1e9`; `20.06` is six past eight); such pass validation, as recorded. */
function isMeaningless(value: unknown, now: number): boolean {
  const text = String(value);
  return isNumeric(text) && strtotime(isTimestamp(text) ? `@${text}` : text, now, UTC) === false;
}
