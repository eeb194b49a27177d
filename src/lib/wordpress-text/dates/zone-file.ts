import { daysFromCivil, fromWallSeconds } from './wall-clock.js';
import type { ReadTransitions, Transition } from './zone-offsets.js';

const HEADER = 44;

/** Parses a compiled zone (TZif, RFC 9636); undefined for other bytes, version 1 files and leap seconds. */
export function parseZoneFile(bytes: Buffer): ReadTransitions | undefined {
  if (!isHeader(bytes, 0) || bytes.readUInt8(4) < 0x32) return undefined;
  const start = HEADER + blockSize(countsAt(bytes, 0), 4);
  if (!isHeader(bytes, start)) return undefined;
  const counts = countsAt(bytes, start);
  const end = start + HEADER + blockSize(counts, 8);
  // The footer also shows that the file is complete.
  const [, footer] = /^\n(.*)\n$/.exec(bytes.toString('latin1', end)) ?? [];
  if (counts.leaps > 0 || counts.types === 0 || footer === undefined) return undefined;
  const times = start + HEADER;
  const types = times + counts.times * 8;
  const records = types + counts.times;
  const names = records + counts.types * 6;
  const typeAt = (index: number): Omit<Transition, 'at'> => {
    const record = records + index * 6;
    const name = names + bytes.readUInt8(record + 5);
    return {
      offset: bytes.readInt32BE(record),
      name: bytes.toString('latin1', name, bytes.indexOf(0, name)),
    };
  };
  const known: Transition[] = [];
  for (let index = 0; index < counts.times; index++)
    known.push({
      at: Number(bytes.readBigInt64BE(times + index * 8)),
      ...typeAt(bytes.readUInt8(types + index)),
    });
  return reader(typeAt(0), known, parsePosixZone(footer));
}

function reader(
  before: Omit<Transition, 'at'>,
  known: readonly Transition[],
  after: PosixZone | undefined,
): ReadTransitions {
  const end = known.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  return (from, to) => {
    const holds =
      after && from > end ? posixOffset(after, from) : (known.findLast(({ at }) => at <= from) ?? before);
    const listed = known.filter(({ at }) => at > from && at < to);
    const ruled = after && to > end ? posixTransitions(after, Math.max(from, end) + 1, to) : [];
    return [{ at: from, offset: holds.offset, name: holds.name }, ...listed, ...ruled];
  };
}

function isHeader(bytes: Buffer, at: number): boolean {
  return bytes.length >= at + HEADER && bytes.toString('latin1', at, at + 4) === 'TZif';
}

function countsAt(bytes: Buffer, at: number) {
  const [isUt = 0, isStandard = 0, leaps = 0, times = 0, types = 0, characters = 0] = [
    20, 24, 28, 32, 36, 40,
  ].map((offset) => bytes.readUInt32BE(at + offset));
  return { isUt, isStandard, leaps, times, types, characters };
}

function blockSize(
  { isUt, isStandard, leaps, times, types, characters }: ReturnType<typeof countsAt>,
  time: 4 | 8,
): number {
  return times * (time + 1) + types * 6 + characters + leaps * (time + 4) + isStandard + isUt;
}

const DAY = 86400;
const NAME = '(?:<([^>]+)>|([A-Za-z]{3,}))';
const TIME = '([+-]?\\d+(?::\\d+){0,2})';
const DATE = `(M\\d+\\.\\d\\.\\d|J?\\d+)(?:/${TIME})?`;
const TZ = new RegExp(`^${NAME}${TIME}(?:${NAME}${TIME}?,${DATE},${DATE})?$`);

/** The rules after the last transition of a zone file: a POSIX `TZ` string with the extensions of RFC 9636. */
interface PosixZone {
  standard: Omit<Transition, 'at'>;
  /** Daylight time; some zones have it in winter, behind standard time. */
  daylight?: Omit<Transition, 'at'> & { begins: YearRule; ends: YearRule };
}

/** A day of each year, and the wall clock time in seconds. */
interface YearRule {
  dayOf: (year: number) => number;
  seconds: number;
}

/** Parses a `TZ` string such as `PST8PDT,M3.2.0,M11.1.0`; undefined for other forms. */
export function parsePosixZone(text: string): PosixZone | undefined {
  const match = TZ.exec(text);
  if (!match) return undefined;
  const [, quoted, plain, west = '', otherQuoted, otherPlain, otherWest, begin, beginTime, end, endTime] =
    match;
  const standard = { offset: 0 - secondsOf(west), name: quoted ?? plain };
  const name = otherQuoted ?? otherPlain;
  if (begin === undefined || end === undefined || name === undefined) return { standard };
  const offset = otherWest === undefined ? standard.offset + 3600 : 0 - secondsOf(otherWest);
  return {
    standard,
    daylight: { offset, name, begins: yearRule(begin, beginTime), ends: yearRule(end, endTime) },
  };
}

/** The transitions of a POSIX zone between two epoch seconds, in order. */
function posixTransitions({ standard, daylight }: PosixZone, from: number, to: number): Transition[] {
  if (!daylight) return [];
  const found: Transition[] = [];
  const { begins, ends, ...summer } = daylight;
  const last = fromWallSeconds(to).year + 1;
  for (let year = fromWallSeconds(from).year - 1; year <= last; year++) {
    found.push({ ...summer, at: momentOf(begins, year) - standard.offset });
    found.push({ ...standard, at: momentOf(ends, year) - summer.offset });
  }
  return found.sort((a, b) => a.at - b.at).filter(({ at }) => at >= from && at < to);
}

export function posixOffset(zone: PosixZone, epoch: number): Omit<Transition, 'at'> {
  const [last] = posixTransitions(zone, epoch - 400 * DAY, epoch + 1).slice(-1);
  return last ?? zone.standard;
}

const momentOf = ({ dayOf, seconds }: YearRule, year: number): number => dayOf(year) * DAY + seconds;

function yearRule(date: string, time = '2'): YearRule {
  return { dayOf: dayRule(date), seconds: secondsOf(time) };
}

/** Days since 1970-01-01 of a rule: `M3.2.0` is the second Sunday of March, `J60` the 1st of March, `59` the 60th day. */
function dayRule(date: string): (year: number) => number {
  if (date.startsWith('M')) {
    const [month = 0, week = 0, weekday = 0] = date.slice(1).split('.').map(Number);
    return (year) => {
      const first = daysFromCivil(year, month, 1);
      // 1970-01-01 was a Thursday.
      const day = first + ((((weekday - first - 4) % 7) + 7) % 7) + (week - 1) * 7;
      return day < daysFromCivil(year, month + 1, 1) ? day : day - 7;
    };
  }
  const count = Number(date.replace('J', ''));
  if (!date.startsWith('J')) return (year) => daysFromCivil(year, 1, 1 + count);
  return (year) => (count < 60 ? daysFromCivil(year, 1, count) : daysFromCivil(year, 3, count - 59));
}

function secondsOf(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.replace(/^[+-]/, '').split(':').map(Number);
  const size = hours * 3600 + minutes * 60 + seconds;
  return text.startsWith('-') ? -size : size;
}
