import type { Rule } from './rule.js';
import type { ZoneClock } from './zone-clock.js';

/** A date of a recurrence, with its spelling. */
export interface DateValue {
  /** Whether it is a `DATE`, a whole day. */
  isDay: boolean;
  /** Wall seconds on its own clock; of a day its midnight. */
  wall: number;
  /** The clock that it is written in; absent without `TZID` and `Z`. */
  clock?: ZoneClock;
}

/** How long an occurrence lasts: first nominal days, then exact seconds (RFC 5545, 3.8.5.3). */
export interface Duration {
  days: number;
  seconds: number;
}

/** A rule with the end that its `UNTIL` means. */
export interface BoundRule {
  rule: Rule;
  /** The last key that it may yield. */
  until: number;
}

/** An `RDATE`. */
export interface AddedDate {
  value: DateValue;
  key: number;
  /** Of a `PERIOD`. */
  duration?: Duration;
}

/** An `EXDATE`: the key of an occurrence, or the day (from 1970) of all that begin on it. */
export interface ExcludedDate {
  value: DateValue;
  key?: number;
  day?: number;
}

/** A component with `RECURRENCE-ID`. */
export interface Override {
  /** The original start of the occurrence. */
  id: ExcludedDate & { key: number };
  /** Whether it also changes the later ones (`RANGE=THISANDFUTURE`). */
  isRange: boolean;
  isCancelled: boolean;
  /** Wall seconds on the clock of the series. */
  start: number;
  startUtc: number;
  duration: Duration;
}

/**
 * The dates of a recurring event. A key identifies an occurrence by its original start: epoch seconds, of whole days the
 * wall seconds of midnight.
 */
export interface RecurrenceSet {
  start: DateValue;
  startKey: number;
  isAllDay: boolean;
  /** The clock of `DTSTART`. */
  clock: ZoneClock;
  duration: Duration;
  /** Whether the duration is given as `DTEND`, so that it is exact. */
  hasEnd: boolean;
  rules: readonly BoundRule[];
  exclusionRules: readonly BoundRule[];
  added: readonly AddedDate[];
  excluded: readonly ExcludedDate[];
  overrides: readonly Override[];
}
