import { DAY } from '../recurrence/calendar-days.js';
import { dateOfKey } from '../recurrence/edit-recurrence.js';
import { formatDate } from '../recurrence/format-recurrence.js';
import { eachOccurrence, ruleKeys } from '../recurrence/occurrences.js';
import { RecurrenceError } from '../recurrence/recurrence-error.js';
import type { BoundRule, RecurrenceSet } from '../recurrence/recurrence-set.js';
import { UTC_CLOCK, type ZoneClock, zoneClock } from '../recurrence/zone-clock.js';
import { formatWallClock } from '../wordpress-text/dates/wall-clock.js';
import { isDescribed, writtenZone } from './write-time-zone.js';

/**
 * A series in the form that other programs read alike: at most one rule, of which `DTSTART` is the first date, with an end
 * in UTC; all dates on the clock of `DTSTART` and as long as the first one. Undefined for a series that this form does not
 * hold: several rules, `EXRULE`, `SKIP`, a zone without a name.
 */
export function portableSeries(set: RecurrenceSet): RecurrenceSet | undefined {
  const { rules, exclusionRules } = set;
  if (rules.length > 1 || exclusionRules.length > 0) return undefined;
  if (rules.some(({ rule }) => rule.skip !== 'OMIT')) return undefined;
  try {
    const own = namedSeries(set);
    return own && isFirst(own) ? { ...own, ...datesOf(own) } : undefined;
  } catch (error) {
    if (error instanceof RecurrenceError) return undefined;
    throw error;
  }
}

/** A series in a zone that files can name, with ends in UTC; undefined for a zone without a name. */
export function namedSeries(set: RecurrenceSet): RecurrenceSet | undefined {
  const { isAllDay, start, duration, rules, exclusionRules, added, excluded } = set;
  const clock = isAllDay ? set.clock : writtenClock(set.clock);
  if (!clock || !(isAllDay || isDescribed(formatWallClock(start.wall)))) return undefined;
  const own = { ...set, clock, start: isAllDay ? start : { ...start, clock } };
  return {
    ...own,
    hasEnd: isAllDay || duration.days === 0,
    rules: rules.map((one) => ended(set, one)),
    exclusionRules: exclusionRules.map((one) => ended(set, one)),
    added: added.map((one) => ({ ...one, value: dateOfKey(own, one.key) })),
    excluded: excluded.map((one) =>
      one.key === undefined ? one : { ...one, value: dateOfKey(own, one.key) },
    ),
  };
}

/** The clock of a zone under the name that files have for it; undefined for one without a name. */
function writtenClock(clock: ZoneClock): ZoneClock | undefined {
  const name = writtenZone(clock.name);
  if (name !== 'UTC') return zoneClock(name);
  return clock.toWall(0) === 0 ? UTC_CLOCK : undefined;
}

/** The rule with its end in UTC, as RFC 5545 requires beside a `TZID`; of whole days as a day. */
function ended({ isAllDay }: RecurrenceSet, { rule, until }: BoundRule): BoundRule {
  if (rule.until === undefined) return { rule, until };
  const value = { isDay: isAllDay, wall: until, ...(!isAllDay && { clock: UTC_CLOCK }) };
  return { rule: { ...rule, until: formatDate(value) }, until };
}

/** Whether `DTSTART` is the first date of the rule: others count it as a date in any case. */
function isFirst(set: RecurrenceSet): boolean {
  const [rule] = set.rules;
  return !rule || ruleKeys(set, rule).next().value === set.startKey;
}

/** Added and excluded dates, each once; an excluded day becomes the dates that begin on it. */
function datesOf(set: RecurrenceSet): Pick<RecurrenceSet, 'added' | 'excluded'> {
  const days = new Set(set.excluded.flatMap(({ day }) => day ?? []));
  const excluded = new Set([...set.excluded.flatMap(({ key }) => key ?? []), ...keysOn(set, days)]);
  // Without a rule, ical.js takes DTSTART for a date only where RDATE has it.
  const added = new Set([
    ...(set.rules.length === 0 ? [set.startKey] : []),
    ...set.added.map(({ key }) => key),
  ]);
  const dates = (keys: ReadonlySet<number>) =>
    [...keys].toSorted((a, b) => a - b).map((key) => ({ value: dateOfKey(set, key), key }));
  return { added: dates(added), excluded: dates(excluded) };
}

/** The keys of the dates that begin on some days of the clock, without regard to exclusions. */
function keysOn(set: RecurrenceSet, days: ReadonlySet<number>): number[] {
  if (days.size === 0) return [];
  const until = set.clock.toEpoch((Math.max(...days) + 1) * DAY);
  return [...eachOccurrence({ ...set, excluded: [] }, { until })]
    .filter(({ start }) => days.has(Math.floor(start / DAY)))
    .map(({ recurrenceId }) => recurrenceId);
}
