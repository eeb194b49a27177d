import { Transform } from 'class-transformer';
import type { TransformParams } from '../../../http/params/check-context.js';
import { makeCheck } from '../../../http/params/make-check.js';
import { RestArg } from '../../../http/params/rest-arg.js';
import { unfoldedLines } from '../../../lib/ical/content-line.js';
import { parseProperty } from '../../../lib/recurrence/parse-values.js';

/** The maximum of characters of all lines, so that they fit a TEXT column. */
export const MAX_RECURRENCE_CHARACTERS = 60_000;
/** The members of the object form, with the properties of RFC 5545 that they become. */
export const MEMBERS = { rrule: 'RRULE', exrule: 'EXRULE', rdates: 'RDATE', exdates: 'EXDATE' } as const;
const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(MEMBERS));
/** Members of a response, which a client may send back. */
const IGNORED: ReadonlySet<string> = new Set(['lines', 'event_id', 'series_id', 'occurrence_ids']);
const DATE = /^\d{8}(?:T\d{6}Z?)?$/;
const WALL_CLOCK = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?(Z)?)?$/i;
const DURATION = /^P[\dWDTHMS]{1,40}$/i;
/** The input of a response that shows neither a rule nor a date, as the rule is not known. */
export const UNKNOWN_RULE: readonly string[] = [''];

const IsRecurrence = makeCheck(
  'isRecurrence',
  'must be an object with rrule, rdates, exdates or exrule, or lines of RFC 5545.',
  (value) => {
    const lines = linesOf(value);
    return typeof lines !== 'string' || lines;
  },
  {
    type: ['object', 'array', 'string', 'null'],
    properties: Object.fromEntries(
      Object.keys(MEMBERS).map((name) => [name, { type: 'array', items: { type: 'string' } }]),
    ),
    items: { type: 'string' },
    examples: [{ rrule: ['FREQ=WEEKLY;COUNT=10'], exdates: ['2027-05-04'] }],
  },
);

/** `recurrence` of a write: content lines of RFC 5545 without `DTSTART`; none where the event recurs no more. */
export const RecurrenceArg = (): PropertyDecorator =>
  RestArg(
    {
      undeclared: true,
      nullable: true,
      maxLength: MAX_RECURRENCE_CHARACTERS,
      description:
        'How it recurs (docs/recurrence.md): an object with `rrule`, `rdates`, `exdates`, `exrule`, or lines of RFC 5545; null or empty makes it a single event.',
    },
    IsRecurrence(),
    Transform(({ value }: TransformParams) => (value === undefined ? undefined : linesOf(value))),
  );

/** The content lines of an input, or what is wrong with it. */
export function linesOf(value: unknown): string[] | string {
  if (value === null || value === '') return [];
  const found = typeof value === 'object' && !Array.isArray(value) ? ofObject(value) : ofLines(value);
  if (typeof found === 'string') return found;
  const size = found.reduce((sum, line) => sum + line.length + 1, 0);
  return size > MAX_RECURRENCE_CHARACTERS
    ? `may hold at most ${MAX_RECURRENCE_CHARACTERS} characters.`
    : found;
}

function ofLines(value: unknown): string[] | string {
  const texts = Array.isArray(value) ? value : [value];
  if (!texts.every((text) => typeof text === 'string')) return 'must hold texts only.';
  const lines = texts.flatMap(unfoldedLines).map((line) => line.trim());
  const found = lines.filter((line) => line !== '');
  for (const line of found) {
    const name = parseProperty(line)?.name;
    if (name === 'DTSTART' || name === 'DTEND' || name === 'DURATION')
      return `must not hold ${name}: start_date, end_date, timezone and all_day say when it begins and ends.`;
    if (name === undefined || ![...NAMES.values()].includes(name))
      return `must hold RRULE, RDATE, EXDATE and EXRULE lines only: "${line.slice(0, 80)}" is none.`;
  }
  return found;
}

function ofObject(value: object): string[] | string {
  const lines: string[] = [];
  for (const [member, given] of Object.entries(value)) {
    if (IGNORED.has(member)) continue;
    const name = NAMES.get(member);
    if (name === undefined) return `must not hold "${member.slice(0, 80)}".`;
    if (given === null) continue;
    const texts: unknown[] = Array.isArray(given) ? given : [given];
    for (const text of texts) {
      const line = typeof text === 'string' ? lineOf(name, text) : undefined;
      if (line === undefined) {
        const what = name.endsWith('RULE')
          ? 'rules such as FREQ=WEEKLY'
          : 'dates such as 2027-03-01 18:00:00';
        return `must hold ${what} in ${member}.`;
      }
      if (line !== '') lines.push(line);
    }
  }
  const isResponse = Object.keys(value).some((member) => IGNORED.has(member));
  return lines.length === 0 && isResponse ? [...UNKNOWN_RULE] : lines;
}

/** A rule or date as a line; '' for an empty one. */
function lineOf(name: string, text: string): string | undefined {
  if (text.trim() === '') return '';
  if (name.endsWith('RULE')) {
    const rule = text.trim().replace(new RegExp(`^${name}:`, 'i'), '');
    return /[:\r\n]/.test(rule) ? undefined : `${name}:${rule}`;
  }
  const [date, end, ...more] = text.split('/').map((part) => compact(part.trim()));
  if (date === undefined || DURATION.test(date) || more.length > 0) return undefined;
  if (!text.includes('/')) return `${name}${date.length === 8 ? ';VALUE=DATE' : ''}:${date}`;
  return name === 'RDATE' && end !== undefined ? `${name};VALUE=PERIOD:${date}/${end}` : undefined;
}

/** `2027-03-01 18:00`, `2027-03-01T18:00:00Z` or `20270301T180000` in the last form, a duration; undefined for others. */
function compact(text: string): string | undefined {
  if (DATE.test(text) || DURATION.test(text)) return text.toUpperCase();
  const [, year, month, date, hour, minute, second = '00', utc = ''] = WALL_CLOCK.exec(text) ?? [];
  if (year === undefined) return undefined;
  const time = hour === undefined ? '' : `T${hour}${minute}${second}${utc.toUpperCase()}`;
  return `${year}${month}${date}${time}`;
}
