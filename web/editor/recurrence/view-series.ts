import { DAY } from '../../../src/lib/recurrence/calendar-days.js';
import type { RecurrenceSet } from '../../../src/lib/recurrence/recurrence-set.js';
import { formatWallClock } from '../../../src/lib/wordpress-text/dates/wall-clock.js';
import { lastDay } from '../../../src/pages/recurrence/recurrence-text.js';
import { momentOf } from '../common-fields.js';
import type { Row, Values } from '../model.js';
import { ownTimes } from '../texts.js';
import { movedChoice, type RuleChoice, toChoice, toRule } from './rule-choice.js';
import {
  anchorOf,
  attempt,
  compactWall,
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
} from './series.js';

/** What a form shows of a recurrence. */
export interface SeriesView {
  span: EventSpan;
  /** Whether the stored recurrence is shown. */
  isStored: boolean;
  /** Its lines, for the start in the form. */
  parts: SplitLines;
  /** Its rule as the picker expresses it; undefined without one, or for another one. */
  choice?: RuleChoice;
  set?: RecurrenceSet;
  preview?: Preview;
  /** By how many seconds the dates of the preview move. */
  shift: number;
  /** Why it cannot be used. */
  problem?: string;
  /** Where the event would have to begin instead, in wall seconds. */
  misfit?: number;
}

/** The span of a stored record. */
export function spanOfRow(row: Row): EventSpan | undefined {
  const { start, end } = ownTimes(row);
  const { all_day, timezone = '' } = row;
  return spanOf({
    start_date: momentOf(start),
    end_date: momentOf(end),
    all_day: all_day === true,
    timezone: String(timezone),
  });
}

/** What there is to show of a form; `now` in epoch seconds. */
export function viewSeries(values: Values, row: Row | undefined, now: number): SeriesView | undefined {
  const span = spanOf(values);
  if (!span) return undefined;
  const value = String(values['recurrence'] ?? '');
  const isStored = row !== undefined && value === storedLines(row);
  const begin = (isStored && spanOfRow(row)) || span;
  const shift = span.start - begin.start;
  const base: SeriesView = { span, isStored, parts: splitLines(value), shift };
  if (value === '' || value === UNKNOWN_RULE) return base;
  const lines = value.split('\n');
  const { result, problem } = attempt(() => {
    const set = isStored ? parseLines(lines, begin, anchorOf(row)) : newSet(lines, span, row);
    return { set, preview: previewOf(set, now - shift) };
  });
  if (!result) return { ...base, problem };
  const { set, preview } = result;
  const choice = movedBy(set, shift);
  const isMoved = shift !== 0 || begin.timezone !== span.timezone || begin.allDay !== span.allDay;
  if (!isMoved) return { ...base, ...result, choice, ...(!isStored && misfitOf(preview, span)) };
  const parts = movedParts(base.parts, set, shift);
  const moved =
    choice &&
    attempt(() => {
      const start = set.start.wall + shift;
      const all = parseLines(joinLines(parts).split('\n'), {
        ...span,
        start,
        end: start + span.end - span.start,
      });
      return { set: all, preview: previewOf(all, now) };
    }).result;
  return { ...base, ...result, ...(moved && { ...moved, shift: 0 }), parts, choice };
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

function misfitOf({ first, set }: Preview, { start }: EventSpan) {
  if (!first) return { problem: 'no date is left' };
  const isFirst = first.start === start || first.startUtc === set.clock.toEpoch(start);
  return isFirst ? {} : { misfit: first.start };
}

function movedBy(set: RecurrenceSet, shift: number): RuleChoice | undefined {
  const [rule, ...others] = set.rules;
  if (!rule || others.length > 0 || set.exclusionRules.length > 0) return undefined;
  const choice = toChoice(rule, set);
  if (!choice || shift === 0) return choice;
  const moved = movedChoice(choice, set.start.wall, set.start.wall + shift);
  if (moved.end.kind !== 'until') return moved;
  const until = lastDay(set, rule.until) + days(set, shift) * DAY;
  return { ...moved, end: { kind: 'until', day: formatWallClock(until).slice(0, 10) } };
}

/** By how many days the dates of a series move. */
const days = ({ start }: RecurrenceSet, shift: number) =>
  Math.floor((start.wall + shift) / DAY) - Math.floor(start.wall / DAY);

/** The lines of a series whose dates move by a time on the wall clock, as the server moves them. */
function movedParts(parts: SplitLines, set: RecurrenceSet, shift: number): SplitLines {
  const choice = movedBy(set, shift);
  const wallOf = (key: number) => (set.isAllDay ? key : set.clock.toWall(key)) + shift;
  return {
    rules: choice ? [toRule(choice, set.start.wall + shift)] : parts.rules,
    others: parts.others,
    added: set.added.map(({ key }) => addedLine(wallOf(key), set.isAllDay)),
    excluded: set.excluded.map(({ key, day }) =>
      day === undefined
        ? excludedLine(wallOf(key ?? 0), set.isAllDay)
        : excludedLine((day + days(set, shift)) * DAY, true),
    ),
  };
}

/** Lines of one date on the clock of the event. */
export const addedLine = (wall: number, isDay: boolean) => dateLine('RDATE', wall, isDay);
export const excludedLine = (wall: number, isDay: boolean) => dateLine('EXDATE', wall, isDay);

const dateLine = (name: string, wall: number, isDay: boolean) =>
  isDay ? `${name};VALUE=DATE:${compactWall(wall).slice(0, 8)}` : `${name}:${compactWall(wall)}`;

/** The values of a form whose start has changed: a rule that was chosen here follows. */
export function withMovedRule(values: Values, old: Values): Values {
  const [from, to] = [spanOf(old), spanOf(values)];
  const value = values['recurrence'];
  if (!from || !to || from.start === to.start || typeof value !== 'string' || value === '') return values;
  const parts = splitLines(value);
  const { result } = attempt(() => {
    const set = parseLines(value.split('\n'), from);
    const [rule, ...others] = set.rules;
    const choice = rule && others.length === 0 && toChoice(rule, set);
    return choice && toRule(movedChoice(choice, from.start, to.start), to.start);
  });
  return result ? { ...values, recurrence: joinLines({ ...parts, rules: [result] }) } : values;
}
