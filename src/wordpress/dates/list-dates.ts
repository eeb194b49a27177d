import { isNumeric } from '../formatting/php-number.js';
import { localizeDate } from './convert.js';
import { beginningOfDay, endOfDay } from './day-bounds.js';
import { isTimestamp } from './is-timestamp.js';
import { strtotime } from './strtotime.js';
import { formatWallClock } from './wall-clock.js';
import { UTC } from './zone.js';

const EDGES = ['starts_before', 'starts_after', 'ends_before', 'ends_after'] as const;
const STRICT = new Set(['1', 'true', 'on', 'yes']);

/** The date parameters of the event list. */
export type ListDateName = 'start_date' | 'end_date' | (typeof EDGES)[number];

/** What a site decides about date filters. */
export interface ListDateSite {
  /** The site's zone text, see `siteZone`. */
  zone: string;
  /** Option `multiDayCutoff`, `HH:MM`. */
  cutoff: string;
}

/** What a list without any date starts and ends with, before days are rounded; `now` is epoch seconds. */
export function defaultListDates(
  zone: string,
  now: number,
): { start_date: string | false; end_date: string } {
  return {
    start_date: localizeDate(strtotime('yesterday 23:59', now, UTC), zone, now),
    end_date: formatWallClock(strtotime('+24 months', now, UTC) || 0),
  };
}

/** Whether `strict_dates` asks for exact times. */
export function isStrictDates(value: unknown): boolean {
  return STRICT.has(String(value).toLowerCase());
}

/**
 * The date filters of a list as `rest_url` shows them, each `YYYY-MM-DD HH:MM:SS` on the site's clock: what was given, else
 * from yesterday's last minute to two years from now unless another edge was given. `now` is epoch seconds.
 */
export function listDates(
  given: Readonly<Partial<Record<ListDateName, unknown>>>,
  strict: boolean,
  site: ListDateSite,
  now: number,
): Partial<Record<ListDateName, string>> {
  const values = { ...given };
  if (EDGES.every((name) => given[name] === undefined)) {
    const defaults = defaultListDates(site.zone, now);
    values.start_date ??= defaults.start_date;
    values.end_date ??= defaults.end_date;
  }
  const dates: Partial<Record<ListDateName, string>> = {};
  for (const name of ['start_date', 'end_date', ...EDGES] as const) {
    const value = values[name];
    const date = value === undefined ? undefined : listDate(name, value, strict, site, now);
    if (date !== undefined) dates[name] = date;
  }
  return dates;
}

/**
 * Edges that name no time although they passed as numbers (`ends_before=1e9`): they take effect as now on the site's clock,
 * but links do not repeat them, as recorded. `start_date` and `end_date` of that kind filter nothing.
 */
export function edgesAsNow(
  given: Readonly<Partial<Record<ListDateName, unknown>>>,
  zone: string,
  now: number,
): Partial<Record<ListDateName, string>> {
  const here = localizeDate(now, zone, now) || formatWallClock(now);
  const unreadable = EDGES.filter((name) => given[name] !== undefined && isMeaningless(given[name], now));
  return Object.fromEntries(unreadable.map((name) => [name, here]));
}

/** The filters that take effect: `starts_after` replaces `start_date`, `ends_before` replaces `end_date`. */
export function effectiveDates(
  dates: Readonly<Partial<Record<ListDateName, string>>>,
): Partial<Record<ListDateName, string>> {
  const { start_date, end_date, ...edges } = dates;
  const effective: Partial<Record<ListDateName, string>> = edges;
  if (start_date !== undefined && edges.starts_after === undefined) effective.start_date = start_date;
  if (end_date !== undefined && edges.ends_before === undefined) effective.end_date = end_date;
  return effective;
}

function listDate(
  name: ListDateName,
  value: unknown,
  strict: boolean,
  site: ListDateSite,
  now: number,
): string | undefined {
  if (isMeaningless(value, now)) return undefined;
  if (strict) return localizeDate(value, site.zone, now) || undefined;
  return name === 'start_date' ? beginningOfDay(value, site.cutoff, now) : endOfDay(value, site.cutoff, now);
}

/**
 * Whether a number says no time, neither as epoch seconds (`3800000000`, never `1e9`) nor as what the date parser makes of
 * its digits (`20.06` is six past eight). Such numbers pass the check of the parameter, as recorded.
 */
function isMeaningless(value: unknown, now: number): boolean {
  const text = String(value);
  return isNumeric(text) && strtotime(isTimestamp(text) ? `@${text}` : text, now, UTC) === false;
}
