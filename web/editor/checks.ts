import { fill } from '../../src/pages/texts/fill.js';
import { TEXTS } from './catalogue.js';
import { type Field, isSame, isWholeDay, TOGETHER, type Values } from './model.js';
import { ZONES } from './zones.js';

const T = TEXTS.form;

/** What is wrong with the fields, and what is only odd, by their names. */
export interface Findings {
  errors: Readonly<Record<string, string>>;
  warnings: Readonly<Record<string, string>>;
}

type Said = string | undefined;

const DAY_MS = 86_400_000;

/** How texts of these types look, and what is said of others; a `number` is the number of a record. */
export const NUMBERS: Readonly<Record<string, readonly [form: RegExp, fault: string]>> = {
  number: [/^[1-9]\d*$/, T.noNumber],
  integer: [/^[+-]?\d+$/, T.noWholeNumber],
  decimal: [/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i, T.noDecimal],
};

/** Looks for what people get wrong before the interface is asked; `before` are the stored values of an old record. */
export function check(
  fields: readonly Field[],
  values: Values,
  before: Values | undefined,
  now: number,
): Findings {
  const errors = fields.map((field) => [field.name, wrong(field, values, before)] as const);
  const warnings = fields.map((field) => [field.name, problemOf(field, values, before, now)] as const);
  return { errors: said(errors), warnings: said(warnings) };
}

const said = (all: readonly (readonly [string, Said])[]) =>
  Object.fromEntries(all.filter((one): one is readonly [string, string] => one[1] !== undefined));

function wrong(field: Field, values: Values, before: Values | undefined): Said {
  const { name, label, kind, type } = field;
  const value = values[name] ?? '';
  const isEmpty = field.isEmpty?.(value) ?? (value === '' || (Array.isArray(value) && value.length === 0));
  if (kind === 'moment' && !isEmpty) {
    const fault = wrongMoment(String(value), isWholeDay(name, values), field.required);
    if (fault) return fault;
    const isChanged = !isSame(value, before?.[name]) || !isSame(values['timezone'], before?.['timezone']);
    if (isChanged && skippedMinutes(name, values) > 0)
      return fill(T.skipped, { zone: String(values['timezone']) });
  }
  if (field.required && (isEmpty || String(value).trim() === '')) return fill(T.missing, { label });
  if (field.keeps && isEmpty && before && !isSame(value, before[name])) return fill(T.keeps, { label });
  if (isEmpty) return undefined;
  if (type === 'url' && !isAddress(withScheme(String(value)))) return T.noAddress;
  const [form, fault] = NUMBERS[type ?? ''] ?? [];
  if (form && !form.test(String(value).trim())) return fault;
  if (kind === 'image' && !/^[1-9]\d*$/.test(String(value)) && !isAddress(String(value))) return T.noImage;
  if (kind === 'zone' && !isZone(String(value))) return T.unknownZone;
  if (name === 'end_date' && endsBeforeStart(values)) return T.endsEarly;
  return undefined;
}

function wrongMoment(value: string, isDay: boolean, required = false): Said {
  const [day = '', time = ''] = value.split('T');
  if (day === '') return T.noDay;
  if (Number.isNaN(Date.parse(`${day}T00:00:00Z`)) || day.length !== 10) return T.wrongDay;
  return required && !isDay && time === '' ? T.noTime : undefined;
}

/** Whether the end lies before the start, on the clock of the event. */
export function endsBeforeStart(values: Values): boolean {
  const [start, end] = [String(values['start_date']), String(values['end_date'])];
  if (!/^\d{4}-/.test(start) || !/^\d{4}-/.test(end)) return false;
  const length = values['all_day'] === true ? 10 : 16;
  return end.slice(0, length) < start.slice(0, length);
}

/** Minutes by which clocks are set forward over a moment of an event; 0 if the moment exists in the event's time zone. */
export function skippedMinutes(name: string, values: Values): number {
  const [clock, zone] = [String(values[name] ?? ''), String(values['timezone'] ?? '')];
  const wall = utc(clock);
  if (!TOGETHER.includes(name) || zone === '' || clock.length !== 16 || isWholeDay(name, values)) return 0;
  const [before = 0, after = 0] = [wall - DAY_MS, wall + DAY_MS].map((at) => utc(wallClock(zone, at)) - at);
  const exists = [before, after].some((offset) => wallClock(zone, wall - offset) === clock);
  return exists || !(after > before) ? 0 : (after - before) / 60_000;
}

/** Start and end after clocks were set forward over one of them; an event whose start moves lasts as long as before. */
export function withExistingTimes(values: Values): Values {
  const skipped = skippedMinutes('start_date', values);
  const moved = (name: string, minutes: number) =>
    new Date(utc(String(values[name])) + minutes * 60_000).toISOString().slice(0, 16);
  if (skipped === 0) return { ...values, end_date: moved('end_date', skippedMinutes('end_date', values)) };
  return { ...values, start_date: moved('start_date', skipped), end_date: moved('end_date', skipped) };
}

/** The end moved behind the start: by as long as the event lasted, or an hour. */
export function mendedEnd(values: Values, before: Values | undefined): string {
  const start = utc(String(values['start_date']));
  const lasted = before ? utc(String(before['end_date'])) - utc(String(before['start_date'])) : 0;
  const end = start + (lasted > 0 ? lasted : values['all_day'] === true ? 0 : 3_600_000);
  return new Date(end).toISOString().slice(0, 16);
}

/** What is in a new form after a change: as long as nobody chose an end, it is an hour after the start. */
export function withUsualEnd(values: Values, old: Values): Values {
  const [start, end] = [values['start_date'], values['end_date']];
  if (start === old['start_date'] || typeof end !== 'string') return values;
  return end === '' || end === usualEnd(old) ? { ...values, end_date: usualEnd(values) } : values;
}

function usualEnd(values: Values): string {
  const start = String(values['start_date']);
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(start) && !Number.isNaN(utc(start));
  return isMoment ? mendedEnd(values, undefined) : start;
}

const utc = (clock: string) => Date.parse(`${clock.length > 11 ? clock : `${clock.slice(0, 10)}T00:00`}Z`);

function problemOf({ name, type }: Field, values: Values, before: Values | undefined, now: number): Said {
  const value = String(values[name]);
  if (name === 'start_date' && !before && /^\d{4}-.*T/.test(value)) {
    const present = wallClock(String(values['timezone'] ?? ''), now);
    const length = values['all_day'] === true ? 10 : 16;
    if (value.slice(0, length) < present.slice(0, length)) return T.past;
  }
  if (type === 'email' && value !== '' && !/^[^\s@]+@[^\s@]+$/.test(value)) return T.noEmail;
  return undefined;
}

/** An address with `https://` in front where only a host was typed: `example.org/tickets`. */
export function withScheme(text: string): string {
  const address = text.trim();
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?([/?#]|$)/i.test(address) ? `https://${address}` : address;
}

/** An absolute address in ASCII, as the interface takes it. */
function isAddress(text: string): boolean {
  return /^https?:\/\/[\x21-\x7e]+$/i.test(text) && URL.canParse(text);
}

function isZone(name: string): boolean {
  // Offsets and abbreviations are the interface's own affair.
  if (!name.includes('/')) return name.trim() !== '';
  return ZONES.includes(name) || wallClock(name, 0) !== '';
}

/** The clock of a time zone at an instant, `YYYY-MM-DDTHH:MM`; empty where the browser does not know the zone. */
export function wallClock(timeZone: string, instant: number): string {
  // What is `UTC+5` here is `Etc/GMT-5` there.
  const zone = timeZone.replace(/^UTC([+-])(?=\d{1,2}$)/, (_, sign) => `Etc/GMT${sign === '+' ? '-' : '+'}`);
  try {
    const parts = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone || undefined,
      dateStyle: 'short',
      timeStyle: 'short',
    });
    return parts.format(instant).replace(' ', 'T');
  } catch {
    return '';
  }
}
