import { Budget } from './budget.js';
import { DAY, mod } from './calendar-days.js';
import { expandRule } from './expand-rule.js';
import { formatDate, formatRecurrence } from './format-recurrence.js';
import { eachOccurrence, ruleKeys } from './occurrences.js';
import { rebaseRule } from './rebase-rule.js';
import { RecurrenceError } from './recurrence-error.js';
import type { BoundRule, DateValue, ExcludedDate, RecurrenceSet } from './recurrence-set.js';
import { UTC_CLOCK } from './zone-clock.js';

/** The set without one date, as an `EXDATE`; an override of that date is removed. */
export function dropOccurrence(set: RecurrenceSet, key: number): RecurrenceSet {
  return {
    ...set,
    excluded: [...set.excluded, { value: dateOfKey(set, key), key }],
    overrides: set.overrides.filter((one) => one.isRange || one.id.key !== key),
  };
}

/** The set with a date that `dropOccurrence` has removed; undefined without its `EXDATE`. */
export function restoreOccurrence(set: RecurrenceSet, key: number): RecurrenceSet | undefined {
  const at = set.excluded.findLastIndex((one) => one.key === key);
  return at < 0 ? undefined : { ...set, excluded: set.excluded.toSpliced(at, 1) };
}

/**
 * Splits a set before one of its dates: `COUNT` becomes `UNTIL` and the rest of it, the dates are divided. Throws
 * `RecurrenceError` where the key is none of its dates or the first one, or where rules could not go on as before.
 */
export function splitAt(
  whole: RecurrenceSet,
  key: number,
): { before: RecurrenceSet; following: RecurrenceSet } {
  checkSplit(whole, key);
  const set = fromFirstDate(whole);
  const value = dateOfKey(set, key, true);
  const day = Math.floor(value.wall / DAY);
  const isBefore = (one: ExcludedDate) =>
    (one.key ?? Number.POSITIVE_INFINITY) < key || (one.day ?? day) < day;
  const isAfter = (one: ExcludedDate) => (one.key ?? key) >= key && (one.day ?? day) >= day;
  const before: RecurrenceSet = {
    ...set,
    rules: set.rules.map((rule) => endBefore(set, rule, key)),
    exclusionRules: set.exclusionRules.map((rule) => endBefore(set, rule, key)),
    added: set.added.filter((one) => one.key < key),
    excluded: set.excluded.filter((one) => isBefore(one) || one.day === day),
    overrides: set.overrides.filter(({ id }) => id.key < key),
  };
  const following: RecurrenceSet = {
    ...set,
    start: value,
    startKey: key,
    rules: set.rules.flatMap((rule) => restFrom(set, rule, key, value.wall)),
    exclusionRules: set.exclusionRules.flatMap((rule) => restFrom(set, rule, key, value.wall)),
    added: set.added.filter((one) => one.key >= key),
    excluded: set.excluded.filter(isAfter),
    overrides: set.overrides.filter(({ id }) => id.key >= key),
  };
  const [first] = eachOccurrence({ ...following, overrides: [] });
  // The start cannot be a time that a gap of the clock has moved.
  if (first?.recurrenceId !== key)
    throw new RecurrenceError('unsupported', 'a change of the clock has moved this date');
  return { before, following };
}

/**
 * Joins the parts of a set that was split before a key, with the dates that each excludes now; undefined where a part has
 * changed in another way. Throws `RecurrenceError` where the key is none of its dates any more.
 */
export function joinParts(
  whole: RecurrenceSet,
  key: number,
  parts: { before: RecurrenceSet; following: RecurrenceSet },
): RecurrenceSet | undefined {
  const found = new Map(
    [...parts.before.excluded, ...parts.following.excluded].map((one) => [nameOf(one), one]),
  );
  const remaining = whole.excluded.filter((one) => found.has(nameOf(one)));
  for (const one of remaining) found.delete(nameOf(one));
  const joined = { ...whole, excluded: [...remaining, ...found.values()] };
  const split = splitAt(joined, key);
  const isEqual = (a: RecurrenceSet, b: RecurrenceSet) =>
    formatRecurrence(a).join('\n') === formatRecurrence(b).join('\n');
  return isEqual(split.before, parts.before) && isEqual(split.following, parts.following)
    ? joined
    : undefined;
}

const nameOf = ({ key, day }: ExcludedDate): string => `${key} ${day}`;

function checkSplit(set: RecurrenceSet, key: number): void {
  if (set.overrides.some(({ id, isRange }) => isRange && id.key < key))
    throw new RecurrenceError('unsupported', 'a change of all later dates is before it');
  const plain = { ...set, overrides: [] };
  const [first] = eachOccurrence(plain);
  if (first?.recurrenceId === key) throw new RecurrenceError('invalid', 'it is the first date');
  const from = set.isAllDay ? set.clock.toEpoch(key) : key;
  const [found] = eachOccurrence(plain, { from });
  if (found?.recurrenceId !== key) throw new RecurrenceError('invalid', 'it is none of the dates');
}

/** A set without rules as one that starts at its first date, which may be an `RDATE`. */
function fromFirstDate(set: RecurrenceSet): RecurrenceSet {
  const { rules, added, start, startKey } = set;
  const first = added.reduce((least, { key }) => Math.min(least, key), startKey);
  if (rules.length > 0 || first === startKey) return set;
  return {
    ...set,
    start: dateOfKey(set, first),
    startKey: first,
    added: [...added, { value: start, key: startKey }],
  };
}

/** The date of a key as the set writes its start; with `isStart` one that its rules can begin at. */
export function dateOfKey(set: RecurrenceSet, key: number, isStart = false): DateValue {
  const { start, clock, isAllDay } = set;
  if (isAllDay) return { isDay: true, wall: key };
  // A time in a gap is written as the rule has it, before it was moved.
  const nominal = clock.toWall(key - GAP) + GAP;
  const isWritten =
    mod(nominal, DAY) === mod(start.wall, DAY) ||
    (isStart && hasWall(set, nominal) && !hasWall(set, clock.toWall(key)));
  const isNominal = isWritten && clock.toEpoch(nominal) === key;
  const wall = isNominal ? nominal : clock.toWall(key);
  // The second of two wall clock times can only be written in UTC.
  return clock.toEpoch(wall) === key ? { ...start, wall } : { isDay: false, wall: key, clock: UTC_CLOCK };
}

/** Longer than any gap, except where a zone skipped a whole day. */
const GAP = 3 * 3600;

/** Whether a rule has a wall time. */
function hasWall({ rules, start }: RecurrenceSet, wall: number): boolean {
  const budget = new Budget();
  return rules.some(({ rule }) => [...expandRule(rule, start.wall, budget, wall, wall)].includes(wall));
}

/** The rule up to the last date before a key. */
function endBefore(set: RecurrenceSet, bound: BoundRule, key: number): BoundRule {
  if (bound.until < key || keysBefore(set, bound, key) === bound.rule.count) return bound;
  const { isAllDay, start, clock } = set;
  const until = isAllDay ? key - DAY : key - 1;
  const value: DateValue = isAllDay
    ? { isDay: true, wall: until }
    : start.clock
      ? { isDay: false, wall: until, clock: UTC_CLOCK }
      : { isDay: false, wall: clock.toWall(until) };
  const rule = { ...bound.rule, until: formatDate(value) };
  delete rule.count;
  return { rule, until };
}

/** The rule from a key on; none if it has ended. */
function restFrom(set: RecurrenceSet, bound: BoundRule, key: number, start: number): BoundRule[] {
  const { count } = bound.rule;
  const rest = count === undefined ? undefined : count - keysBefore(set, bound, key);
  if (bound.until < key || rest === 0) return [];
  const rule = rebaseRule(bound.rule, set.start.wall, start);
  return [{ ...bound, rule: rest === undefined ? rule : { ...rule, count: rest } }];
}

/** The number of dates of a rule with `COUNT` before a key. */
function keysBefore(set: RecurrenceSet, bound: BoundRule, key: number): number {
  if (bound.rule.count === undefined) return 0;
  let found = 0;
  for (const one of ruleKeys(set, bound)) {
    if (one >= key) break;
    found += 1;
  }
  return found;
}
