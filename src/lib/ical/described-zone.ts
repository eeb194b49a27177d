import { Budget } from '../recurrence/budget.js';
import { expandRule } from '../recurrence/expand-rule.js';
import { boundRule } from '../recurrence/parse-recurrence.js';
import { type PropertyLine, parseDate, parseProperty } from '../recurrence/parse-values.js';
import { RecurrenceError } from '../recurrence/recurrence-error.js';
import { type BoundRule } from '../recurrence/recurrence-set.js';
import { UTC_CLOCK, type ZoneClocks } from '../recurrence/zone-clock.js';
import type { ContentLine } from './read-lines.js';

/** One `STANDARD` or `DAYLIGHT` of a `VTIMEZONE`; offsets in seconds, times in wall seconds. */
interface Observance {
  from: number;
  to: number;
  start: number;
  rule?: BoundRule;
  dates: number[];
  /** Onsets of the rule up to the end of a year, cached by year. */
  onsets: Map<number, readonly number[]>;
}

/** The maximum of onsets of one rule, and of steps to compute those of a year. */
const MAX_ONSETS = 1000;
const MAX_STEPS = 2000;
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
    const last = this.lastChange(() => wall);
    if (!last) return undefined;
    return wall < last.onset + last.to - last.from ? last.from : last.to;
  }

  /** Seconds ahead of UTC at an epoch second; otherwise as `offsetAt`. */
  offsetAtEpoch(epoch: number): number | undefined {
    return this.lastChange((from) => epoch + from)?.to;
  }

  private lastChange(
    wallBefore: (from: number) => number,
  ): { onset: number; from: number; to: number } | undefined {
    this.observances ??= observancesOf(this.lines);
    let last: { onset: number; from: number; to: number } | undefined;
    for (const one of this.observances) {
      const { from, to } = one;
      const onset = lastOnset(one, wallBefore(from));
      if (onset !== undefined && (!last || onset - from > last.onset - last.from)) last = { onset, from, to };
    }
    return last;
  }

  /** The offset before the first onset; undefined for an empty definition. */
  firstOffset(): number | undefined {
    return this.observances?.toSorted((a, b) => a.start - b.start)[0]?.from;
  }
}

function observancesOf(lines: readonly ContentLine[]): Observance[] {
  const found: Observance[] = [];
  let properties: PropertyLine[] = [];
  for (const { text } of lines) {
    if (/^BEGIN:/i.test(text)) properties = [];
    else if (/^END:/i.test(text)) found.push(...observanceOf(properties));
    else properties.push(...[parseProperty(text)].filter((one) => one !== undefined));
  }
  return found;
}

/** The observance of a component; none where a required property is missing or invalid. */
function observanceOf(properties: readonly PropertyLine[]): Observance[] {
  const value = (name: string) => properties.find((one) => one.name === name)?.value ?? '';
  const [start] = wallsOf(value('DTSTART'));
  const to = secondsOf(value('TZOFFSETTO'));
  if (start === undefined || to === undefined) return [];
  const from = secondsOf(value('TZOFFSETFROM')) ?? to;
  const dates = properties.filter(({ name }) => name === 'RDATE').flatMap((one) => wallsOf(one.value));
  const rule = ruleOf(value('RRULE'), from);
  return [{ from, to, start, dates, onsets: new Map(), ...(rule && { rule }) }];
}

const LOCAL: ZoneClocks = { local: UTC_CLOCK, find: () => undefined };

/** The wall seconds of dates; a period counts by its start, an invalid date not at all. */
function wallsOf(text: string): number[] {
  return text.split(',').flatMap((one) => {
    try {
      return [parseDate(one.split('/', 1)[0] ?? '', LOCAL).wall];
    } catch (error) {
      if (error instanceof RecurrenceError) return [];
      throw error;
    }
  });
}

/** A rule whose `UNTIL` is in UTC, as the one of a zone must be; its instants end by the offset before it. */
function ruleOf(text: string, from: number): BoundRule | undefined {
  try {
    const clock = {
      name: '',
      toEpoch: (wall: number) => wall - from,
      toWall: (epoch: number) => epoch + from,
    };
    return text === '' ? undefined : boundRule(text, { isAllDay: false, clock });
  } catch (error) {
    if (error instanceof RecurrenceError) return undefined;
    throw error;
  }
}

/** The seconds of `+0200` or `-033000`. */
function secondsOf(offset: string): number | undefined {
  const [, sign, hours, minutes, seconds = 0] = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(offset) ?? [];
  if (sign === undefined) return undefined;
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return sign === '-' ? -size : size;
}

/** The last onset up to wall seconds. */
function lastOnset(one: Observance, wall: number): number | undefined {
  const { from, start, rule, dates, onsets } = one;
  if (start > wall) return undefined;
  const onset = Math.max(start, ...dates.filter((date) => date <= wall));
  if (!rule) return onset;
  const end = Math.min(wall, rule.until + from);
  const year = new Date(end * 1000).getUTCFullYear();
  const times = onsets.get(year) ?? timesUntil(rule, start, year);
  if (onsets.size >= MAX_YEARS) onsets.clear();
  onsets.set(year, times);
  return Math.max(onset, times.findLast((time) => time <= end) ?? onset);
}

/** Years before the wanted one in which a yearly rule has an onset. */
const YEARS_BEFORE = 9;

/** The onsets of a rule up to the end of a year; of a yearly rule only the last ones. */
function timesUntil({ rule }: BoundRule, start: number, year: number): number[] {
  const isYearly = rule.freq === 'YEARLY' && rule.interval === 1;
  const from = isYearly ? Date.UTC(year - YEARS_BEFORE, 0) / 1000 : start;
  const times: number[] = [];
  for (const time of expandRule(rule, start, new Budget(MAX_STEPS), from, Date.UTC(year + 1, 0) / 1000 - 1)) {
    if (times.length === MAX_ONSETS) throw new Error('it changes too often');
    times.push(time);
  }
  return times;
}
