import { DAY, mod } from '../../../src/lib/recurrence/calendar-days.js';
import { dateLine } from '../../../src/lib/recurrence/format-recurrence.js';
import { moveRecurrence } from '../../../src/lib/recurrence/move-recurrence.js';
import type { RecurrenceSet } from '../../../src/lib/recurrence/recurrence-set.js';
import { TEXTS } from '../catalogue.js';
import { momentOf } from '../common-fields.js';
import type { Row, Values } from '../model.js';
import { ownTimes } from '../texts.js';
import { movedChoice, type RuleChoice, toChoice, toRule } from './rule-choice.js';
import {
  anchorOf,
  attempt,
  type EventSpan,
  firstOf,
  isDateOf,
  joinLines,
  type Preview,
  parseLines,
  previewOf,
  type SplitLines,
  spanOf,
  splitLines,
  storedLines,
  UNKNOWN_RULE,
  withoutStart,
} from './series.js';

/** What a form shows of a recurrence. */
export interface SeriesView {
  span: EventSpan;
  /** Its lines, for the start in the form. */
  parts: SplitLines;
  /** Its rule as the picker expresses it; undefined without one, or for another one. */
  choice?: RuleChoice;
  set?: RecurrenceSet;
  preview?: Preview;
  /** Why it cannot be used. */
  problem?: string;
  /** Where the event would have to begin instead, in wall seconds. */
  requiredStart?: number;
}

/** When a stored record is, as the fields of a form. */
export function timesOf(row: Row): Values {
  const { start, end } = ownTimes(row);
  const { all_day, timezone = '' } = row;
  return {
    start_date: momentOf(start),
    end_date: momentOf(end),
    all_day: all_day === true,
    timezone: String(timezone),
  };
}

/** What there is to show of a form; `now` in epoch seconds. */
export function viewSeries(values: Values, row: Row | undefined, now: number): SeriesView | undefined {
  const span = spanOf(values);
  if (!span) return undefined;
  const value = String(values['recurrence'] ?? '');
  const isStored = row !== undefined && value === storedLines(row);
  const base: SeriesView = { span, parts: splitLines(value) };
  if (value === '' || value === UNKNOWN_RULE) return base;
  const { result, problem } = attempt(() => {
    const found = isStored
      ? storedSeries(row, value, span)
      : { set: newSet(value.split('\n'), span, row), value };
    const isPart = !isStored && row && isDateOf(row);
    const preview = previewOf(isPart ? fromStart(found.set) : found.set, now);
    return { set: found.set, parts: splitLines(found.value), preview, choice: choiceOf(found.set) };
  });
  if (!result) return { ...base, problem };
  return { ...base, ...result, ...(!isStored && checkStart(result.preview, span)) };
}

/** A stored recurrence as the server moves it with its event, or with one of its dates. */
function storedSeries(row: Row, value: string, span: EventSpan): { set: RecurrenceSet; value: string } {
  const before = spanOf(timesOf(row)) ?? span;
  const set = parseLines(value.split('\n'), before, anchorOf(row));
  const isMoved =
    before.start !== span.start || before.timezone !== span.timezone || before.allDay !== span.allDay;
  if (!isMoved) return { set, value };
  const lines = moveRecurrence(set, before.start, span.start, (start) =>
    parseLines([], { ...span, start, end: start + span.end - span.start }),
  );
  return { set: parseLines([], span, lines), value: withoutStart(lines) };
}

/** A changed recurrence: it begins with the form's date, or where the stored one does. */
function newSet(lines: readonly string[], span: EventSpan, row: Row | undefined): RecurrenceSet {
  const anchor = row && !isDateOf(row) ? anchorOf(row) : [];
  if (anchor.length > 0) {
    const set = parseLines(lines, span, anchor);
    if (firstOf(set)?.start === span.start) return set;
  }
  return parseLines(lines, span);
}

/** A set without the added dates before its start, which stay with the dates before it. */
function fromStart(set: RecurrenceSet): RecurrenceSet {
  return { ...set, added: set.added.filter(({ key }) => key >= set.startKey) };
}

/** The field's value for the date in the form and all later ones. */
export function followingValue(values: Values, row: Row): string {
  const { parts, set } = viewSeries(values, row, 0) ?? {};
  const value = String(values['recurrence']);
  if (!parts || !set) return value;
  const isLater = (at: number) => (set.added[at]?.key ?? set.startKey) >= set.startKey;
  return joinLines({ ...parts, added: parts.added.filter((_, at) => isLater(at)) });
}

function checkStart({ first, set }: Preview, { start }: EventSpan) {
  if (!first) return { problem: TEXTS.recurrence.noneLeft };
  const isFirst = first.start === start || first.startUtc === set.clock.toEpoch(start);
  return isFirst ? {} : { requiredStart: first.start };
}

/** A recurrence of one rule as the picker expresses it. */
function choiceOf(set: RecurrenceSet): RuleChoice | undefined {
  const [rule, ...others] = set.rules;
  return rule && others.length + set.exclusionRules.length === 0 ? toChoice(rule, set) : undefined;
}

/** Lines of one date on the clock of the event. */
export const addedLine = (wall: number, isDay: boolean) => dateLine('RDATE', [{ isDay, wall }]);
export const excludedLine = (wall: number, isDay: boolean) => dateLine('EXDATE', [{ isDay, wall }]);

/** The values of a form whose start has changed: a rule that was chosen here follows, days stay left out. */
export function withMovedRule(values: Values, old: Values): Values {
  const [from, to] = [spanOf(old), spanOf(values)];
  const value = values['recurrence'];
  if (!from || !to || typeof value !== 'string' || value === '') return values;
  if (from.start === to.start && from.timezone === to.timezone) return values;
  const parts = splitLines(value);
  const [oldTime, newTime] = [mod(from.start, DAY), mod(to.start, DAY)];
  const { result } = attempt(() => {
    const set = parseLines(value.split('\n'), from);
    // A date of the rule stays left out at another time of its day.
    const exclude = (line: string, at: number) => {
      const { key } = set.excluded[at] ?? {};
      const wall = set.isAllDay || key === undefined ? key : set.clock.toWall(key);
      const isOfRule = wall !== undefined && mod(wall, DAY) === oldTime;
      return isOfRule ? excludedLine(wall - oldTime + newTime, to.allDay) : line;
    };
    const choice = choiceOf(set);
    if (!choice) return undefined;
    const rule = toRule(movedChoice(choice, from.start, to.start), to.start);
    return { rules: [rule], excluded: parts.excluded.map(exclude) };
  });
  return result ? { ...values, recurrence: joinLines({ ...parts, ...result }) } : values;
}
