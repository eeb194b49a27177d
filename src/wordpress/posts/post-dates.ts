import { fromUtc, toUtc } from '../../lib/wordpress-text/dates/convert.js';
import { addSeconds, formatWallClock, parseWallClock } from '../../lib/wordpress-text/dates/wall-clock.js';
import { fixedUtcOffset } from '../../lib/wordpress-text/dates/zones.js';
import type { WriteSite } from '../options/site-settings.js';

/** The stored value of an unset date. */
const ZERO_DATE = '0000-00-00 00:00:00';

/** Statuses of posts without a fixed publication date. */
const FLOATING = new Set(['draft', 'pending', 'auto-draft']);

/** Whether the publication date of posts in this status floats: the UTC date stays zero until it is set or they are published. */
export function isFloating(status: string): boolean {
  return FLOATING.has(status);
}

/** The columns `post_date` and `post_date_gmt` and the resulting status. */
export interface Publication {
  date: string;
  dateGmt: string;
  status: string;
}

/** The requested status and dates, `YYYY-MM-DD HH:MM:SS` on the site's clock and in UTC. */
interface PublicationInput {
  status: string;
  date?: string;
  dateGmt?: string;
}

/** The current time on the site's clock and in UTC. */
export function nowInZone(now: number, zone: string): { local: string; utc: string } {
  const utc = formatWallClock(Math.floor(now / 1000));
  return { local: toLocal(utc, zone), utc };
}

/** Dates and status of a new post (docs/behaviour/writes.md#publication); floating ones have no UTC date. */
export function newPublication(input: PublicationInput, now: number, zone: string): Publication {
  const date = input.date ?? (input.dateGmt ? toLocal(input.dateGmt, zone) : nowInZone(now, zone).local);
  const dateGmt = input.dateGmt ?? (isFloating(input.status) ? ZERO_DATE : toGmt(date, zone));
  return { date, dateGmt, status: scheduled(input.status, dateGmt, now) };
}

/** Dates and status after an update: fields that were not sent stay, except for effects of a changed status (W1). */
export function changedPublication(
  before: Publication,
  input: PublicationInput,
  now: number,
  zone: string,
): Publication {
  let { date, dateGmt } = before;
  const floated = isFloating(before.status) && dateGmt === ZERO_DATE;
  const floats = isFloating(input.status);
  if (input.date !== undefined || input.dateGmt !== undefined) {
    date = input.date ?? toLocal(input.dateGmt ?? ZERO_DATE, zone);
    dateGmt = input.dateGmt ?? (floats ? ZERO_DATE : toGmt(date, zone));
  } else if (floated && !floats) {
    ({ local: date, utc: dateGmt } = nowInZone(now, zone));
    // A trashed draft was never published: its date stays.
    if (input.status === 'trash') ({ date } = before);
  } else if (floats && !isFloating(before.status)) dateGmt = ZERO_DATE;
  if (!floats && dateGmt === ZERO_DATE) dateGmt = toGmt(date, zone);
  return { date, dateGmt, status: scheduled(input.status, dateGmt, now) };
}

// Unlike event dates, publication dates read `UTC-0.5` as half an hour.
function toLocal(utc: string, zone: string): string {
  const offset = fixedUtcOffset(zone);
  return offset === undefined ? fromUtc(utc, zone) : addSeconds(utc, offset);
}

function toGmt(local: string, zone: string): string {
  const offset = fixedUtcOffset(zone);
  return offset === undefined ? toUtc(local, zone) : addSeconds(local, -offset);
}

/** The status by date: at least a minute ahead is `future`, else `publish`. */
function scheduled(status: string, dateGmt: string, now: number): string {
  if (status !== 'publish' && status !== 'future') return status;
  const at = parseWallClock(dateGmt) ?? 0;
  return at - Math.floor(now / 1000) >= 60 ? 'future' : 'publish';
}

/** Whether a scheduled post is due; without a UTC date the local one counts. An invalid date is never due. */
export function isDue({ date, dateGmt }: Omit<Publication, 'status'>, now: number, zone: string): boolean {
  const at = parseWallClock(dateGmt === ZERO_DATE ? toGmt(date, zone) : dateGmt);
  return at !== undefined && at * 1000 <= now;
}

/** Meta: the status before the post was trashed. */
export const TRASH_STATUS = '_wp_trash_meta_status';

/** Meta: when the post was trashed, in epoch seconds. */
export const TRASH_TIME = '_wp_trash_meta_time';

/** Whether a value of `TRASH_TIME` is a time not later than `since` (epoch seconds). */
export function isTrashedSince(trashedAt: string | null | undefined, since: number): boolean {
  return /^[1-9]\d*$/.test(trashedAt ?? '') && Number(trashedAt) <= since;
}

/** The site's wall clock in seconds, as the plugin's bookkeeping stores it. */
export function localSeconds({ now, settings }: WriteSite): number {
  return parseWallClock(nowInZone(now, settings.zone).local) ?? 0;
}
