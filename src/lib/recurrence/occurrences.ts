import { Budget, MAX_STEPS } from './budget.js';
import { DAY } from './calendar-days.js';
import { expandRule } from './expand-rule.js';
import { mergeSorted } from './merge-sorted.js';
import { RecurrenceError } from './recurrence-error.js';
import type { BoundRule, Duration, Override, RecurrenceSet } from './recurrence-set.js';

/** One date of a recurring event; all in seconds. */
export interface Occurrence {
  /** On the clock of the series; `end` of whole days is the midnight after them. */
  start: number;
  end: number;
  startUtc: number;
  endUtc: number;
  /** Whether an `RDATE` adds it. */
  isRdate: boolean;
  /** Its key: the original start in epoch seconds, of whole days the wall seconds of midnight. */
  recurrenceId: number;
  /** The index of the override that changed it. */
  override?: number;
}

/** Options of computing occurrences; bounds are starts in epoch seconds. */
export interface OccurrenceOptions {
  from?: number;
  /** Exclusive. */
  until?: number;
  /** The maximum of occurrences, by default 2,000. */
  limit?: number;
  /** The maximum of steps of the computation. */
  maxSteps?: number;
}

/** Epoch seconds between which dates are wanted, about. */
interface Window {
  from: number;
  until: number;
}

const ALWAYS: Window = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

/** An unchanged date of a set. */
interface Instance {
  key: number;
  wall: number;
  isRdate: boolean;
  duration?: Duration;
}

const MAX_OCCURRENCES = 2000;
/** Longer than the difference between any two zones, and than any gap. */
const MARGIN = 3 * DAY;

/** The occurrences of a set in the order of their starts; not complete if the limit ended them. */
export function occurrences(
  set: RecurrenceSet,
  { limit = MAX_OCCURRENCES, ...options }: OccurrenceOptions = {},
): { list: Occurrence[]; isComplete: boolean } {
  const list: Occurrence[] = [];
  for (const one of eachOccurrence(set, options)) {
    if (list.length >= limit) return { list, isComplete: false };
    list.push(one);
  }
  return { list, isComplete: true };
}

/** Yields the occurrences of a set, which may be endless; throws `RecurrenceError` when they take too long to compute. */
export function* eachOccurrence(
  set: RecurrenceSet,
  {
    from = Number.NEGATIVE_INFINITY,
    until = Number.POSITIVE_INFINITY,
    maxSteps = MAX_STEPS,
  }: Omit<OccurrenceOptions, 'limit'> = {},
): Generator<Occurrence> {
  const budget = new Budget(maxSteps);
  const ranges = set.overrides
    .map((override, index) => ({ override, index }))
    .filter(({ override }) => override.isRange)
    .sort((a, b) => a.override.id.key - b.override.id.key);
  const changed = set.overrides
    .map((override, index) => changedOccurrence(set, override, index))
    .filter((one) => one !== undefined)
    .sort((a, b) => a.startUtc - b.startUtc);
  const sections = [undefined, ...ranges].map((range, at) => {
    const end = ranges[at]?.override.id.key ?? Number.POSITIVE_INFINITY;
    return section(set, range, end, { from, until }, budget);
  });
  const all = sections.length === 1 && changed.length === 0 ? sections[0] : undefined;
  for (const one of all ?? mergeSorted([...sections, changed], ({ startUtc }) => startUtc)) {
    if (one.startUtc >= until) return;
    if (one.startUtc >= from) yield one;
  }
}

const YEAR = 366 * DAY;
/** The maximum of dates within a day. */
export const MAX_PER_DAY = 288;

/** Rejects a set that takes place more than every five minutes on any day of its first year. */
export function checkFrequency(set: RecurrenceSet, maxSteps = MAX_STEPS): void {
  const starts: number[] = [];
  for (const { startUtc } of eachOccurrence(set, { maxSteps })) {
    if (starts.length >= MAX_OCCURRENCES || startUtc - (starts[0] ?? startUtc) > YEAR) return;
    starts.push(startUtc);
    if (startUtc - (starts.at(-1 - MAX_PER_DAY) ?? Number.NEGATIVE_INFINITY) < DAY)
      throw new RecurrenceError('too_much', `it takes place more than ${MAX_PER_DAY} times in a day`);
  }
}

/** The occurrence that an override makes; also if its date is not one of the set. */
function changedOccurrence(set: RecurrenceSet, override: Override, index: number): Occurrence | undefined {
  const { id, isCancelled, start, startUtc, duration } = override;
  if (isCancelled) return undefined;
  return { ...occurrence(set, start, startUtc, duration, false, id.key), override: index };
}

/** The unchanged occurrences from a `THISANDFUTURE` on, which shifts them, up to the next one. */
function* section(
  set: RecurrenceSet,
  range: { override: Override; index: number } | undefined,
  end: number,
  window: Window,
  budget: Budget,
): Generator<Occurrence> {
  const { override } = range ?? {};
  if (override?.isCancelled) return;
  const own = override && (set.isAllDay ? override.id.key : set.clock.toWall(override.id.key));
  const shift = override && own !== undefined ? override.start - own : 0;
  const keys = new Set(set.overrides.map(({ id }) => id.key));
  const days = new Set(set.overrides.flatMap(({ id }) => id.day ?? []));
  const begin = override?.id.key ?? Number.NEGATIVE_INFINITY;
  const duration = override?.duration ?? set.duration;
  const near = { from: Math.max(window.from - shift, begin), until: Math.min(window.until - shift, end) };
  for (const one of instances(set, near, budget)) {
    if (one.key >= end) return;
    if (one.key < begin || keys.has(one.key) || days.has(Math.floor(one.wall / DAY))) continue;
    const wall = one.wall + shift;
    const startUtc = shift === 0 && !set.isAllDay ? one.key : set.clock.toEpoch(wall);
    const found = occurrence(set, wall, startUtc, one.duration ?? duration, one.isRdate, one.key);
    yield range ? { ...found, override: range.index } : found;
  }
}

/** The occurrence with its end; a million are made at once, so each is one literal. */
function occurrence(
  { clock, isAllDay }: RecurrenceSet,
  start: number,
  startUtc: number,
  { days, seconds }: Duration,
  isRdate: boolean,
  recurrenceId: number,
): Occurrence {
  if (isAllDay) {
    const end = start + days * DAY + seconds;
    return { start, end, startUtc, endUtc: clock.toEpoch(end), isRdate, recurrenceId };
  }
  const endUtc = (days === 0 ? startUtc : clock.toEpoch(start + days * DAY)) + seconds;
  return { start, end: clock.toWall(endUtc), startUtc, endUtc, isRdate, recurrenceId };
}

/** The dates of rules and `RDATE` without the excluded ones, each once, by key. */
function* instances(set: RecurrenceSet, window: Window, budget: Budget): Generator<Instance> {
  const { clock, isAllDay, rules, exclusionRules, excluded, added } = set;
  const dates: Instance[] = added.map(({ key, duration }) => ({
    key,
    wall: isAllDay ? key : clock.toWall(key),
    isRdate: true,
    ...(duration && { duration }),
  }));
  // Without a rule the start is the first date.
  if (rules.length === 0) {
    const wall = isAllDay ? set.startKey : clock.toWall(set.startKey);
    dates.unshift({ key: set.startKey, wall, isRdate: false });
  }
  // Of two with the same start a PERIOD says how long it lasts.
  dates.sort((a, b) => a.key - b.key || Number(b.duration !== undefined) - Number(a.duration !== undefined));
  const keys = new Set(excluded.flatMap(({ key }) => key ?? []));
  const days = new Set(excluded.flatMap(({ day }) => day ?? []));
  const exclusions = exclusionRules.map((rule) => cursor(ruleInstances(set, rule, window, budget)));
  let last = Number.NaN;
  // Dates come first, so that the duration of a PERIOD counts.
  const sources = [dates, ...rules.map((rule) => ruleInstances(set, rule, window, budget))];
  for (const one of sources.length === 1 ? dates : mergeSorted(sources, ({ key }) => key)) {
    if (one.key === last) continue;
    last = one.key;
    if (keys.has(one.key) || days.has(Math.floor(one.wall / DAY))) continue;
    if (exclusions.some((reaches) => reaches(one.key))) continue;
    yield one;
  }
}

/** Yields the keys of one rule of a set. */
export function* ruleKeys(set: RecurrenceSet, rule: BoundRule): Generator<number> {
  for (const { key } of ruleInstances(set, rule, ALWAYS, new Budget())) yield key;
}

/** Tells for ascending keys whether a rule yields them. */
function cursor(source: Generator<Instance>): (key: number) => boolean {
  let next = source.next();
  return (key) => {
    while (!next.done && next.value.key < key) next = source.next();
    return !next.done && next.value.key === key;
  };
}

/** The dates of a rule by key; times in a gap move behind it, in the order of their instants. */
function* ruleInstances(
  { start, clock, isAllDay }: RecurrenceSet,
  { rule, until }: BoundRule,
  window: Window,
  budget: Budget,
): Generator<Instance> {
  let moved: Instance[] = [];
  const [from, to] = [window.from - MARGIN, Math.min(window.until, until) + MARGIN];
  for (const wall of expandRule(rule, start.wall, budget, from, to)) {
    if (isAllDay) {
      if (wall > until) return;
      yield { key: wall, wall, isRdate: false };
      continue;
    }
    const key = clock.toEpoch(wall);
    const actual = clock.toWall(key);
    if (moved.length > 0) {
      for (const one of moved) if (one.wall <= wall && one.key <= until) yield one;
      moved = moved.filter((one) => one.wall > wall);
    }
    if (actual !== wall) moved.push({ key, wall: actual, isRdate: false });
    else if (key > until) return;
    else yield { key, wall, isRdate: false };
  }
  for (const one of moved) if (one.key <= until) yield one;
}
