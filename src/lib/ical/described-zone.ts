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

/** The maximum of parts of a definition: each time is compared with all of them. */
const MAX_OBSERVANCES = 500;
/** The maximum of parts with a rule, which cost most; zones have at most some dozens since 1800. */
const MAX_RULES = 100;
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

/** The observances of a definition; none where one is invalid, as the others would give wrong times. */
function observancesOf(lines: readonly ContentLine[]): Observance[] {
  const found: Observance[] = [];
  let rules = 0;
  let properties: PropertyLine[] = [];
  for (const { text } of lines) {
    if (/^BEGIN:/i.test(text)) properties = [];
    else if (/^END:\s*(?:STANDARD|DAYLIGHT)\s*$/i.test(text)) {
      const one = observanceOf(properties);
      rules += Number(one?.rule !== undefined);
      if (!one || found.length === MAX_OBSERVANCES || rules > MAX_RULES) return [];
      found.push(one);
    } else properties.push(...[parseProperty(text)].filter((one) => one !== undefined));
  }
  return found;
}

function observanceOf(properties: readonly PropertyLine[]): Observance | undefined {
  const values = (name: string) =>
    properties.filter((one) => one.name === name && one.value !== '').map(({ value }) => value);
  const to = secondsOf(values('TZOFFSETTO')[0]);
  const [given] = values('TZOFFSETFROM');
  const from = given === undefined ? to : secondsOf(given);
  const [text, ...others] = values('RRULE');
  if (to === undefined || from === undefined || others.length > 0) return undefined;
  try {
    const [start] = values('DTSTART').map(wallOf);
    const dates = values('RDATE')
      .flatMap((list) => list.split(','))
      .filter((date) => date.trim() !== '')
      .map(wallOf);
    const rule = text === undefined ? undefined : ruleOf(text, from);
    return start === undefined || dates.length > MAX_ONSETS
      ? undefined
      : { from, to, start, dates, onsets: new Map(), ...(rule && { rule }) };
  } catch (error) {
    if (error instanceof RecurrenceError) return undefined;
    throw error;
  }
}

const LOCAL: ZoneClocks = { local: UTC_CLOCK, find: () => undefined };

/** The wall seconds of a date; a period counts by its start. */
const wallOf = (text: string): number => parseDate(text.split('/', 1)[0] ?? '', LOCAL).wall;

/** A rule whose `UNTIL` is in UTC, as the one of a zone must be; its instants end by the offset before it. */
function ruleOf(text: string, from: number): BoundRule {
  const clock = {
    name: '',
    toEpoch: (wall: number) => wall - from,
    toWall: (epoch: number) => epoch + from,
  };
  return boundRule(text, { isAllDay: false, clock });
}

/** The seconds of `+0200` or `-033000`. */
function secondsOf(offset = ''): number | undefined {
  const [, sign, hours, minutes, seconds = 0] = /^([+-])(\d\d)(\d\d)(\d\d)?$/.exec(offset) ?? [];
  if (sign === undefined) return undefined;
  const size = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  if (size >= 86_400) return undefined;
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
