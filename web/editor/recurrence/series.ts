import { DAY } from '../../../src/lib/recurrence/calendar-days.js';
import { dateLine } from '../../../src/lib/recurrence/format-recurrence.js';
import { checkFrequency, eachOccurrence, type Occurrence } from '../../../src/lib/recurrence/occurrences.js';
import { clocksOf, isStartLine, parseRecurrence } from '../../../src/lib/recurrence/parse-recurrence.js';
import { parseProperty } from '../../../src/lib/recurrence/parse-values.js';
import { RecurrenceError } from '../../../src/lib/recurrence/recurrence-error.js';
import type { RecurrenceSet } from '../../../src/lib/recurrence/recurrence-set.js';
import { parseWallClock } from '../../../src/lib/wordpress-text/dates/wall-clock.js';
import { type RecurrenceText, recurrenceText } from '../../../src/pages/recurrence/recurrence-text.js';
import { fill } from '../../../src/pages/texts/fill.js';
import { LOCALE, plural, TEXTS } from '../catalogue.js';
import type { Field, Row, Values } from '../model.js';

const T = TEXTS.recurrence;

/** A field's value for an event on several dates without a known rule. */
export const UNKNOWN_RULE = 'unknown';

/** The recurrence of a response (docs/recurrence.md#members). */
interface Recurrence {
  lines: readonly string[];
  event_id: number;
}

/** When an event begins and ends, on its own clock. */
export interface EventSpan {
  /** Wall seconds. */
  start: number;
  end: number;
  allDay: boolean;
  timezone: string;
}

/** What the server allows for an imported file: a page must not hang. */
const MAX_STEPS = 400_000;
const MAX_COUNTED = 10_000;
const PREVIEW_LENGTH = 10;

/** How an event on several dates recurs; undefined for a single one, and from servers that show no lines. */
export function recurrenceOf(row: Row | undefined): Recurrence | undefined {
  const found = row?.['recurrence'] as Recurrence | undefined;
  return found?.lines && found;
}

/** Whether a record is one date of an event on several. */
export function isDateOf(row: Row): boolean {
  const recurrence = recurrenceOf(row);
  return recurrence !== undefined && recurrence.event_id !== row.id;
}

/** The field's value of a record: its lines without the start. */
export function storedLines(row: Row): string {
  const recurrence = recurrenceOf(row);
  if (!recurrence) return '';
  return withoutStart(recurrence.lines) || UNKNOWN_RULE;
}

/** The field's value of lines that say when their series begins. */
export const withoutStart = (lines: readonly string[]) =>
  lines.filter((line) => !isStartLine(line)).join('\n');

/** How an event recurs: lines of RFC 5545, empty for a single event. */
export const recurrenceField: Field = {
  name: 'recurrence',
  label: TEXTS.fields.repeats,
  kind: 'recurrence',
  read: storedLines,
  write: (value) => (value === '' ? null : String(value).split('\n')),
};

/** The span in the fields of a form; undefined while one of them is incomplete. */
export function spanOf(values: Values): EventSpan | undefined {
  const allDay = values['all_day'] === true;
  const wallOf = (name: 'start_date' | 'end_date') => {
    const text = String(values[name] ?? '');
    return parseWallClock(allDay ? text.slice(0, 10) : text);
  };
  const [start, end] = [wallOf('start_date'), wallOf('end_date')];
  if (start === undefined || (!allDay && !String(values['start_date']).includes('T'))) return undefined;
  return { start, end: Math.max(start, end ?? start), allDay, timezone: String(values['timezone'] ?? '') };
}

/** Parses lines for an event that begins at another time, by default that of the span; throws `RecurrenceError`. */
export function parseLines(
  lines: readonly string[],
  { start, end, allDay, timezone }: EventSpan,
  anchor?: readonly string[],
): RecurrenceSet {
  const begin = [
    dateLine('DTSTART', [{ isDay: allDay, wall: start }]),
    `DURATION:${allDay ? `P${Math.floor((end - start) / DAY) + 1}D` : `PT${end - start}S`}`,
  ];
  const set = parseRecurrence([...(anchor ?? begin), ...lines], { zones: clocksOf(timezone) });
  checkFrequency(set, MAX_STEPS);
  return set;
}

/** The lines of a response that say when its series begins. */
export const anchorOf = (row: Row | undefined) => recurrenceOf(row)?.lines.filter(isStartLine) ?? [];

/** The first date of a series. */
export function firstOf(set: RecurrenceSet): Occurrence | undefined {
  const [first] = eachOccurrence(set, { maxSteps: MAX_STEPS });
  return first;
}

/** The dates of a series that come next, and how many there are in all. */
export interface Preview {
  set: RecurrenceSet;
  first?: Occurrence;
  dates: readonly Occurrence[];
  /** Whether all of them are over. */
  isOver: boolean;
  /** Undefined for a series without an end. */
  total?: number;
  /** Whether there are more than were counted. */
  isMore: boolean;
  last?: Occurrence;
}

/** The dates of a series that are not over at a time in epoch seconds; the last ones if all are. */
export function previewOf(set: RecurrenceSet, now: number): Preview {
  const isEndless = set.rules.some(({ rule }) => rule.count === undefined && rule.until === undefined);
  let [first, last]: (Occurrence | undefined)[] = [];
  let total = 0;
  let isMore = false;
  const next: Occurrence[] = [];
  let before: Occurrence[] = [];
  for (const one of eachOccurrence(set, { maxSteps: MAX_STEPS })) {
    first ??= one;
    total += 1;
    if (total > MAX_COUNTED) {
      isMore = true;
      break;
    }
    last = one;
    if (one.endUtc <= now) before = [...before.slice(1 - PREVIEW_LENGTH), one];
    else if (next.length < PREVIEW_LENGTH) next.push(one);
    else if (isEndless) break;
  }
  return {
    set,
    first,
    dates: next.length > 0 ? next : before,
    isOver: next.length === 0,
    isMore,
    ...(!isEndless && { total, last }),
  };
}

const FORMATS = new Map<boolean, Intl.DateTimeFormat>();

/** A wall clock with its weekday, as people write it, and the end if it is another one. */
export function formatWall(wall: number, isDay: boolean, end = wall): string {
  const format =
    FORMATS.get(isDay) ??
    new Intl.DateTimeFormat(LOCALE, {
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      ...(!isDay && { hour: 'numeric', minute: '2-digit' }),
      timeZone: 'UTC',
    });
  FORMATS.set(isDay, format);
  return format.formatRange(wall * 1000, end * 1000);
}

/** How many dates there are, and up to when. */
export function describeSize({ total, isMore, last }: Preview, isDay: boolean): string {
  if (total === undefined) return T.endless;
  if (isMore) return fill(T.manyDates, { n: (total - 1).toLocaleString(LOCALE) });
  if (!last || total === 1) return plural(T.countDates, total);
  return plural(T.countUntil, total, { date: formatWall(last.start, isDay) });
}

/** Runs work on a recurrence; returns why it cannot be used, in words. */
export function attempt<T>(work: () => T): { result?: T; problem?: string } {
  try {
    return { result: work() };
  } catch (error) {
    if (!(error instanceof RecurrenceError)) throw error;
    return { problem: error.message };
  }
}

/** A recurrence in words. */
export const inWords = (set: RecurrenceSet): RecurrenceText =>
  recurrenceText(set, { tag: LOCALE, texts: TEXTS.rules });

/** The words for a recurrence, with an ellipsis if they do not say all of it; empty without words. */
export function wordsFor(set: RecurrenceSet): string {
  const { text, isComplete } = inWords(set);
  return isComplete || text === '' ? text : `${text} …`;
}

/** The rules of a record in words, for lists, without single dates; empty where there are none. */
export function shownRecurrence(row: Row): string {
  const recurrence = recurrenceOf(row);
  if (!recurrence) return '';
  const { result } = attempt(() => {
    const set = parseRecurrence(recurrence.lines, { zones: clocksOf(String(row['timezone'] ?? '')) });
    return set.rules.length > 0 ? inWords({ ...set, added: [], excluded: [] }) : undefined;
  });
  return result?.isComplete ? result.text : T.several;
}

/** Lines by what they hold; lists of dates become lines of one date. */
export interface SplitLines {
  rules: readonly string[];
  /** `EXRULE` and others. */
  others: readonly string[];
  added: readonly string[];
  excluded: readonly string[];
}

export function splitLines(value: string): SplitLines {
  const found = {
    rules: [] as string[],
    others: [] as string[],
    added: [] as string[],
    excluded: [] as string[],
  };
  for (const line of value === UNKNOWN_RULE ? [] : value.split('\n')) {
    const property = parseProperty(line);
    const head = line.slice(0, line.lastIndexOf(':') + 1);
    const dates = () =>
      (property?.value ?? '').split(',').flatMap((date) => (date.trim() === '' ? [] : head + date.trim()));
    if (property?.name === 'RRULE') found.rules.push(property.value);
    else if (property?.name === 'RDATE') found.added.push(...dates());
    else if (property?.name === 'EXDATE') found.excluded.push(...dates());
    else if (line !== '') found.others.push(line);
  }
  return found;
}

export const joinLines = ({ rules, others, added, excluded }: SplitLines) =>
  [...rules.map((rule) => `RRULE:${rule}`), ...others, ...added, ...excluded].join('\n');
