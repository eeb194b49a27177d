import ICAL from 'ical.js';
import { FileZones } from '../../src/lib/ical/file-zones.js';
import { readLines } from '../../src/lib/ical/read-lines.js';
import { Series } from '../../src/lib/ical/series.js';
import { entryLines } from '../../src/lib/ical/write-series.js';
import { occurrences } from '../../src/lib/recurrence/occurrences.js';
import { compact } from '../support/recurrence-dates.js';
import { KEY, MOVED, SET, TEXT } from '../support/written-series.js';

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
      'SEQUENCE:63194400',
      'UID:7@calendar.example.org',
      'RECURRENCE-ID;TZID=Europe/Berlin:20270308T180000',
      'DTSTART;TZID=Europe/Berlin:20270309T200000',
      'DTEND;TZID=Europe/Berlin:20270309T210000',
      'SEQUENCE:63194400',
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
    const text = entryLines({ ...MOVED, replaces: { set: SET, key: KEY } });
    expect(text).toContain('UID:7@calendar.example.org\r\n');
    expect(text).toContain('RECURRENCE-ID;TZID=Europe/Berlin:20270308T180000\r\n');
    expect(text).not.toContain('RRULE');
  });
});

async function* inOnePiece(text: string) {
  yield Buffer.from(text);
}
