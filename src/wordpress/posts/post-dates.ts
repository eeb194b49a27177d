import { fromUtc, toUtc } from '../../lib/wordpress-text/dates/convert.js';
import { fixedUtcOffset } from '../../lib/wordpress-text/dates/utc-offset.js';
import { addSeconds, formatWallClock, parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import type { WriteSite } from './write-site.js';

/** What an unset date is stored as. */
const ZERO_DATE = '0000-00-00 00:00:00';

/** Statuses of posts that have no publication date of their own yet. */
const FLOATING = new Set(['draft', 'pending', 'auto-draft']);

/** Whether posts of this status float: their UTC date stays zero until somebody sets it or publishes them. */
export function isFloating(status: string): boolean {
  return FLOATING.has(status);
}

/** Columns `post_date`, `post_date_gmt` and the status that follows from them. */
export interface Publication {
  date: string;
  dateGmt: string;
  status: string;
}

/** What was asked for: wall clocks as `YYYY-MM-DD HH:MM:SS`, of the site and of UTC. */
export interface PublicationInput {
  status: string;
  date?: string;
  dateGmt?: string;
}

/** The present on a site's clock and on UTC's. */
export function present(now: number, zone: string): { local: string; utc: string } {
  const utc = formatWallClock(Math.floor(now / 1000));
  return { local: toLocal(utc, zone), utc };
}

/**
 * Dates and status of a new post (docs/behaviour/writes.md#publication): each date follows from the other, floating
 * posts keep a zero UTC date.
 */
export function newPublication(wish: PublicationInput, now: number, zone: string): Publication {
  const date = wish.date ?? (wish.dateGmt ? toLocal(wish.dateGmt, zone) : present(now, zone).local);
  const dateGmt = wish.dateGmt ?? (isFloating(wish.status) ? ZERO_DATE : toGmt(date, zone));
  return { date, dateGmt, status: scheduled(wish.status, dateGmt, now) };
}

/** Dates and status after an update: what was not sent stays, but for what a change of status brings (W1). */
export function changedPublication(
  before: Publication,
  wish: PublicationInput,
  now: number,
  zone: string,
): Publication {
  let { date, dateGmt } = before;
  const floated = isFloating(before.status) && dateGmt === ZERO_DATE;
  const floats = isFloating(wish.status);
  if (wish.date !== undefined || wish.dateGmt !== undefined) {
    date = wish.date ?? toLocal(wish.dateGmt ?? ZERO_DATE, zone);
    dateGmt = wish.dateGmt ?? (floats ? ZERO_DATE : toGmt(date, zone));
  } else if (floated && !floats) {
    ({ local: date, utc: dateGmt } = present(now, zone));
    // What goes to the trash was never published: its date stays.
    if (wish.status === 'trash') ({ date } = before);
  } else if (floats && !isFloating(before.status)) dateGmt = ZERO_DATE;
  if (!floats && dateGmt === ZERO_DATE) dateGmt = toGmt(date, zone);
  return { date, dateGmt, status: scheduled(wish.status, dateGmt, now) };
}

// Publication dates know nothing of the calendar's reading of offsets: `UTC-0.5` is half an hour here.
function toLocal(utc: string, zone: string): string {
  const offset = fixedUtcOffset(zone);
  return offset === undefined ? fromUtc(utc, zone) : addSeconds(utc, offset);
}

function toGmt(local: string, zone: string): string {
  const offset = fixedUtcOffset(zone);
  return offset === undefined ? toUtc(local, zone) : addSeconds(local, -offset);
}

/** A publication at least a minute ahead is scheduled; a scheduled one whose time has come is published. */
function scheduled(status: string, dateGmt: string, now: number): string {
  if (status !== 'publish' && status !== 'future') return status;
  const at = parseWallClock(dateGmt) ?? 0;
  return at - Math.floor(now / 1000) >= 60 ? 'future' : 'publish';
}

/** Whether the time of a scheduled post has come; one without a UTC date has its site's. A date that is none never comes. */
export function isDue({ date, dateGmt }: Omit<Publication, 'status'>, now: number, zone: string): boolean {
  const at = parseWallClock(dateGmt === ZERO_DATE ? toGmt(date, zone) : dateGmt);
  return at !== undefined && at * 1000 <= now;
}

/** Meta that says which status a post had before it was trashed. */
export const TRASH_STATUS = '_wp_trash_meta_status';

/** Meta that says when a post was trashed, in epoch seconds. */
export const TRASH_TIME = '_wp_trash_meta_time';

/** Whether a value of `TRASH_TIME` is a time, and no later than this one (epoch seconds). */
export function isTrashedSince(trashedAt: string | null | undefined, since: number): boolean {
  return /^[1-9]\d*$/.test(trashedAt ?? '') && Number(trashedAt) <= since;
}

/** The site's clock as epoch seconds plus its offset, as the importer's bookkeeping has it. */
export function localSeconds({ now, settings }: WriteSite): number {
  return parseWallClock(present(now, settings.zone).local) ?? 0;
}
