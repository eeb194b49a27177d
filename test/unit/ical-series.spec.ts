import ICAL from 'ical.js';
import type { CalendarEntry } from '../../src/lib/ical/calendar-entry.js';
import { FileZones } from '../../src/lib/ical/file-zones.js';
import { readLines } from '../../src/lib/ical/read-lines.js';
import { Series } from '../../src/lib/ical/series.js';
import { calendarHead, calendarTail } from '../../src/lib/ical/write-event.js';
import { changedLines, seriesLines } from '../../src/lib/ical/write-series.js';
import { UsedZones } from '../../src/lib/ical/write-time-zone.js';
import { dropOccurrence } from '../../src/lib/recurrence/edit-recurrence.js';
import { occurrences } from '../../src/lib/recurrence/occurrences.js';
import { parseRecurrence } from '../../src/lib/recurrence/parse-recurrence.js';
import { compact } from '../support/recurrence-dates.js';
import { TIMES } from '../support/calendar-times.js';

const ENTRY: CalendarEntry = {
  ...{ id: 7, uid: '7@calendar.example.org', title: 'Choir', html: '', status: 'publish', url: '' },
  ...TIMES,
  zone: 'Europe/Berlin',
  ...{ categories: [], tags: [], venues: [], organizers: [] },
};
const KEY = Date.UTC(2027, 2, 8, 17) / 1000;
const SET = dropOccurrence(
  parseRecurrence([
    'DTSTART;TZID=Europe/Berlin:20270301T180000',
    'DTEND;TZID=Europe/Berlin:20270301T193000',
    'RRULE:FREQ=WEEKLY;COUNT=6;BYDAY=MO',
    'RDATE;TZID=Europe/Berlin:20270402T180000',
  ]),
  Date.UTC(2027, 2, 15, 17) / 1000,
);
const MOVED = {
  ...ENTRY,
  ...{ title: 'Choir, later', start: '2027-03-09 20:00:00', end: '2027-03-09 21:00:00' },
  ...{ utcStart: '2027-03-09 19:00:00', utcEnd: '2027-03-09 20:00:00' },
};
const zones = new UsedZones();
zones.cover('Europe/Berlin', 2027, 2028);
const TEXT =
  calendarHead('Choir', 'UTC') +
  [...zones.lines()].join('') +
  seriesLines(ENTRY, SET, [{ key: KEY, entry: MOVED }], { sequence: 3 }) +
  calendarTail();

describe('a written series', () => {
  it('is one VEVENT with its rules and dates, and one for each changed date', () => {
    expect(TEXT.match(/^(?:DT(?:START|END)|RRULE|RDATE|EXDATE|RECURRENCE-ID|UID|SEQUENCE)[;:].*/gm)).toEqual([
      // Of the zone.
      ...(TEXT.split('BEGIN:VEVENT', 1)[0]?.match(/^DTSTART.*/gm) ?? []),
      'UID:7@calendar.example.org',
      'DTSTART;TZID=Europe/Berlin:20270301T180000',
      'DTEND;TZID=Europe/Berlin:20270301T193000',
      'RRULE:FREQ=WEEKLY;COUNT=6;BYDAY=MO',
      'RDATE;TZID=Europe/Berlin:20270402T180000',
      'EXDATE;TZID=Europe/Berlin:20270315T180000',
      'SEQUENCE:3',
      'UID:7@calendar.example.org',
      'RECURRENCE-ID;TZID=Europe/Berlin:20270308T180000',
      'DTSTART;TZID=Europe/Berlin:20270309T200000',
      'DTEND;TZID=Europe/Berlin:20270309T210000',
      'SEQUENCE:3',
    ]);
  });

  it('has the same dates when it is read again, by Almanac and by ical.js', async () => {
    const lines = [];
    for await (const line of readLines(inOnePiece(TEXT.slice(TEXT.indexOf('BEGIN:VEVENT')))))
      lines.push(line);
    const second = lines.findLastIndex(({ text }) => text === 'BEGIN:VEVENT');
    const change = { line: 2, sequence: 3, lines: lines.slice(second) };
    const series = new Series('x', lines.slice(0, second), [change], new FileZones('UTC'), 50);
    const ours = occurrences({ ...SET, overrides: [] }).list;
    expect(series.ids()).toEqual(
      ours.map(({ recurrenceId }) => `x/${compact(SET.clock.toWall(recurrenceId))}`),
    );
    const found: [string, string][] = [];
    const calendar = new ICAL.Component(ICAL.parse(TEXT));
    const [own, other] = calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
    if (own && other) own.relateException(other);
    const iterator = own?.iterator();
    for (let at = iterator?.next(); at && own; at = iterator?.next()) {
      const { startDate, item } = own.getOccurrenceDetails(at);
      found.push([compact(startDate.toUnixTime()), item.summary]);
    }
    expect(found).toEqual(
      ours.map(({ startUtc, recurrenceId }) =>
        recurrenceId === KEY ? ['20270309T190000', 'Choir, later'] : [compact(startUtc), 'Choir'],
      ),
    );
  });

  it('may be its dates alone, with one UID', () => {
    const text = changedLines(MOVED, SET, KEY);
    expect(text).toContain('UID:7@calendar.example.org\r\n');
    expect(text).toContain('RECURRENCE-ID;TZID=Europe/Berlin:20270308T180000\r\n');
    expect(text).not.toContain('RRULE');
  });
});

async function* inOnePiece(text: string) {
  yield Buffer.from(text);
}
