import ICAL from 'ical.js';
import { parseWallClock } from '../wordpress-text/dates/wall-clock.js';
import { preparedLine } from './date-lines.js';
import type { ContentLine } from './read-lines.js';
import { wallOf } from './wall-time.js';
import { withinTime } from './within-time.js';

/** One `STANDARD` or `DAYLIGHT` of a `VTIMEZONE`; offsets in seconds, times in wall seconds. */
interface Observance {
  from: number;
  to: number;
  start: number;
  /** `start` as a value of ical.js. */
  first: ICAL.Time;
  rule?: ICAL.Recur;
  dates: number[];
  /** Onsets of the rule up to the end of a year, cached by year. */
  onsets: Map<number, readonly number[]>;
}

/** The maximum of onsets of one rule. */
const MAX_ONSETS = 1000;
/** The maximum of cached years of one rule. */
const MAX_YEARS = 100;

/** A zone defined by a `VTIMEZONE`, parsed on first use. */
export class DescribedZone {
  private observances?: Observance[];

  constructor(private readonly lines: readonly ContentLine[]) {}

  /**
   * Seconds ahead of UTC at wall seconds: of an ambiguous time the first offset, in a gap the one before it. Undefined
   * before the first onset; throws when its rules take too long to evaluate.
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

  /** The offset before the first onset; undefined for an empty definition. */
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

/** The observance of a component; none where a required property is missing. */
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
      onsets: new Map(),
      ...(rule instanceof ICAL.Recur && { rule }),
    },
  ];
}

function secondsOf(time: unknown): number | undefined {
  return time instanceof ICAL.Time ? parseWallClock(wallOf(time)) : undefined;
}

/** The last onset up to wall seconds. */
function lastOnset(one: Observance, wall: number): number | undefined {
  const { from, start, rule, dates, onsets } = one;
  if (start > wall) return undefined;
  const onset = Math.max(start, ...dates.filter((date) => date <= wall));
  if (!rule) return onset;
  const until = secondsOf(rule.until);
  // `UNTIL` is in UTC.
  const shift = rule.until?.zone === ICAL.Timezone.utcTimezone ? from : 0;
  const end = Math.min(wall, until === undefined ? wall : until + shift);
  const year = new Date(end * 1000).getUTCFullYear();
  const times =
    onsets.get(year) ??
    withinTime(
      () => timesUntil(rule, one.first, year),
      () => new Error('the zone takes too long to evaluate'),
    );
  if (onsets.size >= MAX_YEARS) onsets.clear();
  onsets.set(year, times);
  return Math.max(onset, times.findLast((time) => time <= end) ?? onset);
}

/** The onsets of a rule up to the end of a year; of a yearly rule only the last ones. */
function timesUntil(rule: ICAL.Recur, first: ICAL.Time, year: number): number[] {
  const endless = rule.clone();
  endless.until = null;
  const begin = first.clone();
  if (rule.freq === 'YEARLY' && rule.interval === 1 && !rule.count)
    begin.year = Math.max(first.year, year - 2);
  const iterator = endless.iterator(begin);
  const times: number[] = [];
  for (let time = iterator.next(); time && time.year <= year; time = iterator.next()) {
    if (times.length === MAX_ONSETS) throw new Error('it changes too often');
    times.push(secondsOf(time) ?? 0);
  }
  return times;
}
