import { isNumeric } from '../formatting/php-number.js';
import { beginningOfDay, endOfDay, localizeDate } from './convert.js';
import { isTimestamp, strtotime } from './strtotime.js';
import { formatWallClock, fromWallSeconds, toWallSeconds } from './wall-clock.js';
import { UTC } from './zones.js';

const DAY = 86400;
const EDGES = ['starts_before', 'starts_after', 'ends_before', 'ends_after'] as const;
const STRICT = new Set(['1', 'true', 'on', 'yes']);
const NAMES = ['start_date', 'end_date', ...EDGES] as const;

/** The date parameters of the event list. */
export type ListDateName = (typeof NAMES)[number];

/** Date parameters, as sent (`unknown`) or formatted. */
type Dates<T = string> = Readonly<Partial<Record<ListDateName, T>>>;

/** The site settings that date filters depend on. */
export interface ListDateSite {
  /** The site's zone text, see `siteZone`. */
  zone: string;
  /** Option `multiDayCutoff`, `HH:MM`. */
  cutoff: string;
}

/** The default start and end of a list, before rounding to days; `now` is epoch seconds. */
export function defaultListDates(
  zone: string,
  now: number,
): { start_date: string | false; end_date: string } {
  return { start_date: defaultStart(zone, now), end_date: defaultEnd(now) };
}

/** `yesterday 23:59` in UTC. */
function defaultStart(zone: string, now: number): string | false {
  return localizeDate(Math.floor(now / DAY) * DAY - 60, zone, now);
}

/** `+24 months` in UTC. */
function defaultEnd(now: number): string {
  const here = fromWallSeconds(now);
  return formatWallClock(toWallSeconds({ ...here, month: here.month + 24 }));
}

/** Whether `strict_dates` selects exact times. */
export function isStrictDates(value: unknown): boolean {
  return STRICT.has(String(value).toLowerCase());
}

const hasEdge = (given: Dates<unknown>): boolean => EDGES.some((name) => given[name] !== undefined);

/**
 * The date filters of a list as `rest_url` repeats them, each `YYYY-MM-DD HH:MM:SS` on the site's clock: the parameters,
 * else yesterday's last minute to two years from now unless an edge parameter is set. `now` is epoch seconds.
 */
export function listDates(given: Dates<unknown>, strict: boolean, site: ListDateSite, now: number): Dates {
  const isOpen = !hasEdge(given);
  const absent = (name: ListDateName): unknown => {
    if (!isOpen) return given[name];
    if (name === 'start_date') return defaultStart(site.zone, now);
    return name === 'end_date' ? defaultEnd(now) : undefined;
  };
  const dateOf = (name: ListDateName): string | undefined => {
    const value = given[name] ?? absent(name);
    if (value === undefined || isMeaningless(value, now)) return undefined;
    if (strict) return localizeDate(value, site.zone, now) || undefined;
    return (name === 'start_date' ? beginningOfDay : endOfDay)(value, site.cutoff, now);
  };
  const dates: Partial<Record<ListDateName, string>> = {};
  for (const name of NAMES) {
    const date = dateOf(name);
    if (date !== undefined) dates[name] = date;
  }
  return dates;
}

/**
 * Edges that are valid numbers but no time (`ends_before=1e9`): they count as now on the site's clock, but links do not
 * repeat them, as recorded. Such a `start_date` or `end_date` filters nothing.
 */
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

/**
 * Whether a number is no time, neither as epoch seconds (`3800000000`, never `1e9`) nor as a date text (`20.06` is six
 * past eight). Such numbers pass validation, as recorded.
 */
function isMeaningless(value: unknown, now: number): boolean {
  const text = String(value);
  return isNumeric(text) && strtotime(isTimestamp(text) ? `@${text}` : text, now, UTC) === false;
}
