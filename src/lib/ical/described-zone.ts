import ICAL from 'ical.js';
import { parseWallClock } from '../wordpress-text/dates/wall-clock.js';
import { preparedLine } from './date-lines.js';
import type { ContentLine } from './read-lines.js';
import { wallOf } from './wall-time.js';
import { withinTime } from './within-time.js';

/** One `STANDARD` or `DAYLIGHT` of a `VTIMEZONE`; offsets in seconds, times in seconds of its own wall clock. */
interface Observance {
  from: number;
  to: number;
  start: number;
  /** `start` for ical.js. */
  first: ICAL.Time;
  rule?: ICAL.Recur;
  dates: number[];
  /** What is known of the rule: its times up to the end of a year. */
  known: Map<number, readonly number[]>;
}

/** Most changes of one rule that are looked through, where no year of it stands for all. */
const MAX_CHANGES = 1000;
/** Years that are kept of one rule. */
const MAX_YEARS = 100;

/** A zone as the `VTIMEZONE` of a file describes it, read when it is first needed. */
export class DescribedZone {
  private observances?: Observance[];

  constructor(private readonly lines: readonly ContentLine[]) {}

  /**
   * Seconds ahead of UTC at seconds of its wall clock: of an hour that comes twice at the first one, of one that clocks leave out
   * before that. Undefined where it does not say; throws where that takes too long to find out.
   */
  offsetAt(wall: number): number | undefined {
    this.observances ??= observancesOf(this.lines);
    let last: { onset: number; from: number; to: number } | undefined;
    for (const one of this.observances) {
      const onset = lastOnset(one, wall);
      if (onset !== undefined && (!last || onset > last.onset)) last = { onset, from: one.from, to: one.to };
    }
    if (!last) return undefined;
    return wall < last.onset + last.to - last.from ? last.from : last.to;
  }

  /** What holds before its first change; undefined for a description of nothing. */
  firstOffset(): number | undefined {
    return this.observances?.toSorted((a, b) => a.start - b.start)[0]?.from;
  }
}

function observancesOf(lines: readonly ContentLine[]): Observance[] {
  const found: Observance[] = [];
  let properties: ICAL.Property[] = [];
  for (const { text } of lines) {
    if (/^BEGIN:/i.test(text)) properties = [];
    else if (/^END:/i.test(text)) found.push(...observanceOf(properties));
    else if (/^(?:DTSTART|TZOFFSETFROM|TZOFFSETTO|RRULE|RDATE)[;:]/i.test(text))
      properties.push(...propertyOf(text));
  }
  return found;
}

function propertyOf(text: string): ICAL.Property[] {
  try {
    const property = new ICAL.Property(ICAL.parse.property(preparedLine(text)));
    property.getValues();
    return [property];
  } catch {
    return [];
  }
}

/** None where it says too little. */
function observanceOf(properties: readonly ICAL.Property[]): Observance[] {
  const value = (name: string): unknown => properties.find((one) => one.name === name)?.getFirstValue();
  const [from, to, first] = [value('tzoffsetfrom'), value('tzoffsetto'), value('dtstart')];
  if (!(to instanceof ICAL.UtcOffset && first instanceof ICAL.Time)) return [];
  const start = secondsOf(first);
  if (start === undefined) return [];
  const rule = value('rrule');
  const dates = properties
    .filter(({ name }) => name === 'rdate')
    .flatMap((one) => one.getValues())
    .map((one: unknown) => secondsOf(one instanceof ICAL.Period ? one.start : one))
    .filter((one) => one !== undefined);
  const offset = to.toSeconds();
  const before = from instanceof ICAL.UtcOffset ? from.toSeconds() : offset;
  return [
    {
      from: before,
      to: offset,
      start,
      first,
      dates,
      known: new Map(),
      ...(rule instanceof ICAL.Recur && { rule }),
    },
  ];
}

function secondsOf(time: unknown): number | undefined {
  return time instanceof ICAL.Time ? parseWallClock(wallOf(time)) : undefined;
}

/** When it last began, up to seconds of the wall clock. */
function lastOnset(one: Observance, wall: number): number | undefined {
  const { from, start, rule, dates, known } = one;
  if (start > wall) return undefined;
  const onset = Math.max(start, ...dates.filter((date) => date <= wall));
  if (!rule) return onset;
  const until = secondsOf(rule.until);
  // `UNTIL` is in UTC.
  const shift = rule.until?.zone === ICAL.Timezone.utcTimezone ? from : 0;
  const end = Math.min(wall, until === undefined ? wall : until + shift);
  const year = new Date(end * 1000).getUTCFullYear();
  const times =
    known.get(year) ??
    withinTime(
      () => timesUntil(rule, one.first, year),
      () => new Error('the zone takes too long to work out'),
    );
  if (known.size >= MAX_YEARS) known.clear();
  known.set(year, times);
  return Math.max(onset, times.findLast((time) => time <= end) ?? onset);
}

/** The times of a rule up to the end of a year; of one that comes every year only the last ones. */
function timesUntil(rule: ICAL.Recur, first: ICAL.Time, year: number): number[] {
  const endless = rule.clone();
  endless.until = null;
  const begin = first.clone();
  if (rule.freq === 'YEARLY' && rule.interval === 1 && !rule.count)
    begin.year = Math.max(first.year, year - 2);
  const iterator = endless.iterator(begin);
  const times: number[] = [];
  for (let time = iterator.next(); time && time.year <= year; time = iterator.next()) {
    if (times.length === MAX_CHANGES) throw new Error('it changes too often');
    times.push(secondsOf(time) ?? 0);
  }
  return times;
}
