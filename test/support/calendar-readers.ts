import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { testFolder } from './test-folder.js';

/** An event as a reader parses it: `YYYY-MM-DD HH:MM` in UTC, or days with an exclusive end. */
export interface ReadBack {
  start: string;
  end: string;
  summary: string;
  location: string;
  status: string;
}

/** Events by their ids, as one program reads a calendar file. */
export type Reading = Record<string, ReadBack>;

/** The Python interpreter with `icalendar`, on which khal is built; undefined without one. */
export const PYTHON = ['/usr/bin/python3', 'python3'].find(
  (python) => spawnSync(python, ['-c', 'import icalendar']).status === 0,
);
const hasReaders = PYTHON !== undefined && spawnSync('khal', ['--version']).status === 0;

/** `describe` for tests with these programs: skipped without them, a failure in CI, which installs them. */
export const describeWithReaders: jest.Describe = hasReaders || process.env['CI'] ? describe : describe.skip;

/** The output of a program; throws when it fails. */
export function run(program: string, words: readonly string[], input = '', env = {}): string {
  const { status, stdout, stderr } = spawnSync(program, words, {
    input,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
  return stdout;
}

/** Events as parsed by ical.js, the library of browser calendars. */
export function readByIcalJs(text: string): Reading {
  const calendar = new ICAL.Component(ICAL.parse(text));
  const time = (at: ICAL.Time) =>
    at.isDate ? at.toString() : at.toJSDate().toISOString().slice(0, 16).replace('T', ' ');
  const events = calendar.getAllSubcomponents('vevent').map((component) => {
    const { uid, startDate, endDate, summary, location } = new ICAL.Event(component);
    const status = String(component.getFirstPropertyValue('status'));
    return [
      uid,
      {
        start: time(startDate),
        end: time(endDate),
        summary: summary ?? '',
        location: location ?? '',
        status,
      },
    ] as const;
  });
  return Object.fromEntries(events);
}

const ICALENDAR = `
import sys, json, datetime, icalendar
def said(at):
    if not isinstance(at, datetime.datetime): return str(at)
    return at.astimezone(datetime.timezone.utc).strftime('%Y-%m-%d %H:%M')
found = {}
for e in icalendar.Calendar.from_ical(sys.stdin.buffer.read()).walk('VEVENT'):
    assert not e.errors, e.errors
    start = e['DTSTART'].dt
    found[str(e['UID'])] = {'start': said(start), 'end': said(e['DTEND'].dt if 'DTEND' in e else start),
        'summary': str(e.get('SUMMARY', '')), 'location': str(e.get('LOCATION', '')), 'status': str(e['STATUS'])}
json.dump(found, sys.stdout)
`;

/** Events as parsed by Python's icalendar. */
export function readByIcalendar(text: string): Reading {
  return JSON.parse(run(PYTHON ?? 'python3', ['-c', ICALENDAR], text));
}

/** Events between two days as listed by khal after an import into a new calendar, by default the last one of each id. */
export function readByKhal(
  text: string,
  from: string,
  days: number,
  keyOf = (uid: string, _start: string) => uid,
): Reading {
  const folder = mkdtempSync(join(testFolder(), 'khal-'));
  const calendar = join(folder, 'calendar');
  mkdirSync(calendar);
  const formats = { timeformat: '%H:%M', dateformat: '%Y-%m-%d', longdateformat: '%Y-%m-%d' };
  const long = { datetimeformat: '%Y-%m-%d %H:%M', longdatetimeformat: '%Y-%m-%d %H:%M' };
  const locale = { local_timezone: 'UTC', default_timezone: 'UTC', ...formats, ...long };
  const config = [
    `[calendars]\n[[one]]\npath = ${calendar}`,
    `[locale]\n${Object.entries(locale)
      .map(([name, value]) => `${name} = ${value}`)
      .join('\n')}`,
    `[sqlite]\npath = ${join(folder, 'khal.db')}`,
    '[default]\ndefault_calendar = one\n',
  ].join('\n');
  writeFileSync(join(folder, 'config'), config);
  writeFileSync(join(folder, 'file.ics'), text);
  const khal = (...words: string[]) =>
    run('khal', ['-c', join(folder, 'config'), ...words], '', { HOME: folder, XDG_DATA_HOME: folder });
  khal('import', '--batch', join(folder, 'file.ics'));
  const fields = ['uid', 'start-long', 'end-long', 'title', 'location', 'status'];
  const format = `\x1e${fields.map((name) => `{${name}}`).join('\x1f')}\x1e`;
  const events = khal('list', '--day-format', '', '--format', format, from, `${days}d`)
    .split('\x1e')
    .filter((line) => line.includes('\x1f'))
    .map((line) => {
      const [uid = '', start = '', end = '', summary = '', location = '', status = ''] = line.split('\x1f');
      const isDay = !start.includes(' ');
      const dayAfter = () => new Date(Date.parse(end) + 86_400_000).toISOString().slice(0, 10);
      // khal appends a blank and shows the last day inclusively.
      const read = { start, end: isDay ? dayAfter() : end, summary, location, status: status.trim() };
      return [keyOf(uid, start), read] as const;
    });
  return Object.fromEntries(events);
}

/** A date of an event: `YYYY-MM-DD HH:MM` in UTC, or days with an exclusive end, and its title. */
export type ReadDate = `${string} – ${string} ${string}`;

const dateText = (start: string, end: string, title: string): ReadDate => `${start} – ${end} ${title}`;

/** The dates between two days that ical.js computes, in order; series without an end stop there. */
export function datesByIcalJs(text: string, from: string, until: string): ReadDate[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone);
  const components = calendar.getAllSubcomponents('vevent');
  const uidOf = (one: ICAL.Component) => one.getFirstPropertyValue('uid');
  const changed = components.filter((one) => one.hasProperty('recurrence-id'));
  const series = new Set(components.filter((one) => !changed.includes(one)).map(uidOf));
  const time = (at: ICAL.Time) =>
    at.isDate ? at.toString() : new Date(at.toUnixTime() * 1000).toISOString().slice(0, 16).replace('T', ' ');
  const found: ReadDate[] = [];
  for (const component of components) {
    // A changed date without its series is a date of its own.
    if (changed.includes(component) && series.has(uidOf(component))) continue;
    const exceptions = changed.includes(component)
      ? []
      : changed.filter((one) => uidOf(one) === uidOf(component));
    const event = new ICAL.Event(component, { exceptions: exceptions.map((one) => new ICAL.Event(one)) });
    if (!event.isRecurring()) {
      found.push(dateText(time(event.startDate), time(event.endDate), event.summary));
      continue;
    }
    const iterator = event.iterator();
    for (let at = iterator.next(); at && at.toString().slice(0, 10) <= until; at = iterator.next()) {
      const { startDate, endDate, item } = event.getOccurrenceDetails(at);
      found.push(dateText(time(startDate), time(endDate), item.summary));
    }
  }
  return found.filter((one) => one.slice(0, 10) >= from && one.slice(0, 10) <= until).toSorted();
}

/** The dates between two days that Python's icalendar reads and dateutil computes, in order. */
export function datesByIcalendar(text: string, from: string, until: string): ReadDate[] {
  return JSON.parse(run(PYTHON ?? 'python3', [join(__dirname, 'icalendar-dates.py'), from, until], text));
}

/** The dates between two days that khal lists, in order. */
export function datesByKhal(text: string, from: string, days: number): ReadDate[] {
  const read = readByKhal(text, from, days, (uid, start) => `${uid} ${start}`);
  return Object.values(read)
    .map(({ start, end, summary }) => dateText(start, end, summary))
    .toSorted();
}
