import { compactDate, formatWallClock } from '../wordpress-text/dates/wall-clock.js';
import { DAY } from './calendar-days.js';
import type { AddedDate, DateValue, Duration, RecurrenceSet } from './recurrence-set.js';
import { formatRule } from './rule.js';
import { UTC_CLOCK } from './zone-clock.js';

/**
 * Formats a set as content lines of RFC 5545, unfolded: `DTSTART`, `DTEND` or `DURATION`, then rules and dates. Overrides
 * are components of their own.
 */
export function formatRecurrence(set: RecurrenceSet): string[] {
  return [
    dateLine('DTSTART', [set.start]),
    ...endLine(set),
    ...set.rules.map(({ rule }) => `RRULE:${formatRule(rule)}`),
    ...set.exclusionRules.map(({ rule }) => `EXRULE:${formatRule(rule)}`),
    ...addedLines(set.added),
    ...byForm(set.excluded.map(({ value }) => value)).map((values) => dateLine('EXDATE', values)),
  ];
}

/** Formats a `DATE` or `DATE-TIME` without its zone: `20270301T180000`. */
export function formatDate({ isDay, wall, clock }: DateValue): string {
  const text = compactDate(formatWallClock(wall));
  return isDay ? text.slice(0, 8) : `${text}${clock === UTC_CLOCK ? 'Z' : ''}`;
}

/** Formats a property with dates of one form. */
export function dateLine(name: string, values: readonly DateValue[]): string {
  const [first] = values;
  return `${name}${first ? formOf(first) : ''}:${values.map(formatDate).join(',')}`;
}

/** Formats a duration such as `P1DT2H`. */
export function formatDuration({ days, seconds }: Duration): string {
  const parts = [
    [Math.floor(seconds / 3600), 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const;
  const time = parts.map(([count, unit]) => (count ? `${count}${unit}` : '')).join('');
  if (days === 0 && time === '') return 'PT0S';
  return `P${days ? `${days}D` : ''}${time ? `T${time}` : ''}`;
}

/** The parameters that say how dates are written. */
function formOf({ isDay, clock }: DateValue): string {
  if (isDay) return ';VALUE=DATE';
  if (!clock || clock === UTC_CLOCK) return '';
  return `;TZID=${/[,;:]/.test(clock.name) ? `"${clock.name}"` : clock.name}`;
}

function endLine({ start, startKey, isAllDay, duration, hasEnd, clock }: RecurrenceSet): string[] {
  const { days, seconds } = duration;
  if (days + seconds === 0 || (isAllDay && !hasEnd && days === 1)) return [];
  if (!hasEnd) return [`DURATION:${formatDuration(duration)}`];
  if (isAllDay) return [dateLine('DTEND', [{ isDay: true, wall: start.wall + days * DAY }])];
  const end = startKey + seconds;
  const wall = clock.toWall(end);
  // The second of two wall clock times can only be written in UTC.
  if (clock.toEpoch(wall) !== end)
    return [dateLine('DTEND', [{ isDay: false, wall: end, clock: UTC_CLOCK }])];
  return [dateLine('DTEND', [{ ...start, wall }])];
}

function addedLines(added: readonly AddedDate[]): string[] {
  const plain = byForm(added.filter(({ duration }) => !duration).map(({ value }) => value));
  const periods = added.flatMap(({ value, duration }) =>
    duration ? [`RDATE;VALUE=PERIOD${formOf(value)}:${formatDate(value)}/${formatDuration(duration)}`] : [],
  );
  return [...plain.map((values) => dateLine('RDATE', values)), ...periods];
}

/** Groups dates that one line can hold. */
function byForm(values: readonly DateValue[]): DateValue[][] {
  const groups = new Map<string, DateValue[]>();
  for (const value of values) {
    const form = `${formOf(value)}/${value.clock?.name}`;
    groups.set(form, [...(groups.get(form) ?? []), value]);
  }
  return [...groups.values()];
}
