import { isPhpEmpty } from '../formatting/php-empty.js';
import { isNumeric, isWhole } from '../formatting/php-number.js';
import { BLANK, edges, execAt } from '../formatting/php-strings.js';
import { DateDraft } from './date-draft.js';
import { DATE_RULES } from './date-grammar.js';
import {
  type DateDetails,
  fromWallSeconds,
  parseWallClock,
  toDateDetails,
  toWallSeconds,
  type WallClock,
  weekdayOf,
} from './wall-clock.js';
import { buildZone, offsetAt, TIMESTAMP_ZONE, toEpoch, toFirstEpoch, UTC, type Zone } from './zones.js';

interface ParsedDateTime {
  /** Epoch seconds. */
  epoch: number;
  /** Wall seconds in `zone`, after gaps and overflowing parts are carried over. */
  wall: number;
  /** The wall seconds before a gap moves them. */
  written: number;
  /** Seconds that `zone` is ahead of UTC at that instant. */
  offset: number;
  /** The zone in the text, else the zone passed to the parser. */
  zone: Zone;
}

const END = /[\n\0]/;
const BLANK_EDGES = edges(BLANK);

/** PHP's `strtotime()`: epoch seconds of a date text at `now` (epoch seconds) in a zone, or false. */
export function strtotime(text: string, now: number, zone: Zone): number | false {
  return text === '' ? false : (parseDateTime(text, now, zone)?.epoch ?? false);
}

/** PHP's `date_create()`: parses a date text (empty means now); undefined where PHP fails. */
export function parseDateTime(text: string, now: number, zone: Zone): ParsedDateTime | undefined {
  const plain = parseWallClock(text);
  if (plain !== undefined) return locate(toEpoch(zone, plain), zone, plain);
  const draft = readTokens(text);
  if (!draft) return undefined;
  const wall = applyDraft(draft, fromWallSeconds(now + offsetAt(zone, now)));
  if (!Number.isSafeInteger(wall)) return undefined;
  const own = draft.zone;
  return own ? locate(toFirstEpoch(own, wall), own) : locate(toEpoch(zone, wall), zone, wall);
}

function locate(epoch: number, zone: Zone, written?: number): ParsedDateTime {
  const offset = offsetAt(zone, epoch);
  const wall = epoch + offset;
  return { epoch, wall, written: written ?? wall, offset, zone };
}

function readTokens(text: string): DateDraft | undefined {
  const input = text.replace(BLANK_EDGES, '').split(END, 1)[0] ?? '';
  const draft = new DateDraft();
  for (let at = 0; at < input.length && !draft.failed; ) {
    let end = at;
    let apply = () => {};
    for (const rule of DATE_RULES) {
      const match = execAt(rule.pattern, input, at);
      if (!match || rule.pattern.lastIndex <= end) continue;
      end = rule.pattern.lastIndex;
      apply = () => rule.apply(draft, match.groups ?? {});
    }
    if (end === at) return undefined;
    apply();
    at = end;
  }
  return draft.failed ? undefined : draft;
}

/** Wall seconds of a draft, with missing fields from `now`; the order of the steps is PHP's. */
function applyDraft(draft: DateDraft, now: WallClock): number {
  const open = draft.hasDate && !draft.hasTime ? { ...now, hour: 0, minute: 0, second: 0 } : now;
  const base = { ...open, ...draft.parts };
  const shift = { ...draft.shift };
  if (draft.ofMonth) {
    base.month += shift.month + (draft.ofMonth === 'end' ? 1 : 0);
    base.day = 1;
    shift.month = 0;
  }
  if (draft.weekday) base.day += daysToWeekday(draft, weekdayOf(toWallSeconds(base)));
  const wall = fromWallSeconds(toWallSeconds(base));
  for (const unit of Object.keys(shift) as (keyof WallClock)[]) wall[unit] += shift[unit];
  if (draft.edge) {
    wall.day = draft.edge === 'first' ? 1 : 0;
    if (draft.edge === 'last') wall.month++;
  }
  wall.second = Math.floor(wall.second);
  const seconds = toWallSeconds(wall);
  return seconds + businessDays(draft.businessDays, weekdayOf(seconds)) * 86400;
}

function daysToWeekday({ weekday, shift }: DateDraft, today: number): number {
  if (!weekday) return 0;
  const { day, rule } = weekday;
  if (rule === 2) return (day === 0 ? 7 : day) - (today === 0 ? 7 : today);
  if (day < 0) return -day - today - 7;
  const days = day - today;
  const passed = shift.day < 0 ? days < 0 : days <= -rule;
  return passed ? days + 7 : days;
}

/** Converts business days after a weekday to days; a weekend counts as the following business day. */
function businessDays(count: number, today: number): number {
  if (count === 0) return 0;
  const weekday = today === 0 ? 7 : today;
  const ahead = count > 0;
  const start = weekday > 5 ? (ahead ? 5 : 8) : weekday;
  const days = Math.trunc(count / 5) * 7 + (count % 5);
  const end = start + (count % 5);
  const weekend = ahead ? end > 5 : end < (start === 8 ? 8 : 1);
  return start - weekday + days + (weekend ? (ahead ? 2 : -2) : 0);
}

/** Parses a date parameter at `now` (epoch seconds); empty means now, a zone inside the text wins. */
export function buildDateObject(value: unknown, zoneText: string, now: number): ParsedDateTime | undefined {
  const zone = buildZone(zoneText);
  if (!value || value === '0') return locate(now, zone);
  const timestamp = toTimestamp(value);
  if (timestamp !== undefined) return locate(timestamp, TIMESTAMP_ZONE);
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return parseDateTime(String(value), now, zone);
}

/** Whether a value is a date parameter: a number, or a text that PHP reads as a time but the epoch. */
export function isTime(value: unknown, now: number): boolean {
  if (isNumeric(value)) return true;
  return typeof value === 'string' && /[^\s\0]/.test(value) && Boolean(strtotime(value, now, UTC));
}

const INT_LIMIT = 2 ** 63;

/** Whether a value is a timestamp in epoch seconds: numeric, whole, within 64 bits. */
export function isTimestamp(value: unknown): boolean {
  return toTimestamp(value) !== undefined;
}

/** The epoch seconds of a timestamp; undefined for other values. */
function toTimestamp(value: unknown): number | undefined {
  return isWhole(value) && Math.abs(Number(value)) < INT_LIMIT ? Number(value) : undefined;
}

/** The parts of a stored date in any form that PHP parses, else 1970-01-01; `now` is epoch seconds. */
export function storedDateDetails(text: string, now: number): DateDetails {
  return toDateDetails(strtotime(text, now, UTC) || 0);
}

/** Wall seconds (or a timestamp) of a stored date; undefined for an unreadable (R18) or zero one. */
export function storedWallSeconds(text: string | undefined, now: number): number | undefined {
  if (text === undefined || isPhpEmpty(text) || text.startsWith('0000-00-00')) return undefined;
  const seconds = toTimestamp(text) ?? strtotime(text, now, UTC);
  return seconds === false ? undefined : seconds;
}
