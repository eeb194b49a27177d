import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecords } from '../../src/cli/import/import-records.js';
import type { FileRecord } from '../../src/imports/file-record.js';
import { testFolder } from '../support/test-folder.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(testFolder(), 'recurring-'));
});

const recordsOf = async (events: string[][], head: string[] = []): Promise<FileRecord[]> => {
  const path = join(folder, 'file.ics');
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', 'UID:a', ...event, 'END:VEVENT']);
  await writeFile(path, ['BEGIN:VCALENDAR', ...head, ...lines, 'END:VCALENDAR', ''].join('\r\n'));
  const records: FileRecord[] = [];
  const input = { zone: 'America/New_York', occurrences: undefined, note: () => undefined };
  for await (const record of readRecords(path, input)) records.push(record);
  return records;
};
/** Ids, first dates, zones and lines; else what is wrong. */
const essence = async (...args: Parameters<typeof recordsOf>) =>
  (await recordsOf(...args)).map(({ event, fault, cancelled }) => {
    if (cancelled) return `cancelled ${cancelled.isExcluded}`;
    if (!event) return fault;
    const { start_date, end_date, timezone, recurrence } = event.fields as Record<string, unknown>;
    const lines = (recurrence as string[] | undefined) ?? [];
    return [`${event.uid} ${start_date} ${end_date} ${timezone}`, ...lines].join('\n');
  });

const Z = 'DTSTART;TZID=Europe/Berlin:20270302T190000';
const END = 'DTEND;TZID=Europe/Berlin:20270302T210000';
const BERLIN = 'a 2027-03-02 19:00:00 2027-03-02 21:00:00 Europe/Berlin';
const WEEKLY = 'RRULE:FREQ=WEEKLY';
/** A zone of the file with these months of daylight time. */
const described = (id: string, from: number, to: number, offset = '+0100', summer = '+0200') => [
  ...['BEGIN:VTIMEZONE', `TZID:${id}`],
  ...['BEGIN:STANDARD', `DTSTART:1970${to}25T030000`, `RRULE:FREQ=YEARLY;BYMONTH=${to};BYDAY=-1SU`],
  ...[`TZOFFSETFROM:${summer}`, `TZOFFSETTO:${offset}`, 'END:STANDARD'],
  ...['BEGIN:DAYLIGHT', `DTSTART:19700${from}29T020000`, `RRULE:FREQ=YEARLY;BYMONTH=${from};BYDAY=-1SU`],
  ...[`TZOFFSETFROM:${offset}`, `TZOFFSETTO:${summer}`, 'END:DAYLIGHT', 'END:VTIMEZONE'],
];

describe('an event of a calendar file that recurs', () => {
  it('stays one event with its rules and dates, in the zone of the calendar', async () => {
    const lines = ['RDATE:20270305T200000Z', 'EXDATE;TZID=Asia/Tokyo:20270310T030000', `${WEEKLY};COUNT=9`];
    expect(await essence([[Z, END, ...lines]])).toEqual([
      [
        BERLIN,
        Z,
        END,
        'RRULE:FREQ=WEEKLY;COUNT=9',
        'RDATE;TZID=Europe/Berlin:20270305T210000',
        'EXDATE;TZID=Europe/Berlin:20270309T190000',
      ].join('\n'),
    ]);
    expect(await essence([['DTSTART;VALUE=DATE:20270302', `${WEEKLY};UNTIL=20270501`]])).toEqual([
      'a 2027-03-02 2027-03-02 America/New_York\nDTSTART;VALUE=DATE:20270302\nRRULE:FREQ=WEEKLY;UNTIL=20270501',
    ]);
  });

  it('has an EXDATE for each changed and cancelled date, and the changed ones are events of their own', async () => {
    const changed = ['RECURRENCE-ID:20270309T180000Z', 'DTSTART:20270310T080000Z', 'SUMMARY:Moved'];
    const cancelled = ['RECURRENCE-ID;TZID=Europe/Berlin:20270316T190000', 'STATUS:CANCELLED'];
    const expected = [
      [
        BERLIN,
        Z,
        END,
        `${WEEKLY};UNTIL=20270501T180000Z`,
        'EXDATE;TZID=Europe/Berlin:20270309T190000,20270316T190000',
      ].join('\n'),
      'a/20270309T190000 2027-03-10 08:00:00 2027-03-10 08:00:00 UTC',
      'cancelled true',
    ];
    const series = [Z, END, `${WEEKLY};UNTIL=20270501T180000Z`];
    expect(await essence([series, changed, cancelled])).toEqual(expected);
    // Wherever they stand.
    expect(await essence([changed, cancelled, series])).toEqual(expected);
    const [, own] = await recordsOf([series, changed]);
    expect(own?.event).toMatchObject({ seriesUid: 'a', replaces: '2027-03-09 19:00:00' });
  });

  it('keeps the dates of a zone that the file describes', async () => {
    const local = ['DTSTART;TZID=Home:20270302T190000', 'DTEND;TZID=Home:20270302T210000'];
    const rule = `${WEEKLY};COUNT=6`;
    // As in Berlin, whatever it is called.
    expect(
      await essence(
        [[...local.map((line) => line.replace('Home', 'W. Europe Standard Time')), rule]],
        described('W. Europe Standard Time', 3, 10),
      ),
    ).toEqual([[BERLIN, Z, END, rule].join('\n')]);
    // As nowhere: daylight time begins with April. All dates are known, so that they are stored one by one.
    const [found] = await recordsOf([[...local, `${WEEKLY};COUNT=9`]], described('Home', 4, 11));
    expect(found?.event?.fields).toMatchObject({
      start_date: '2027-03-02 13:00:00',
      timezone: 'America/New_York',
    });
    expect(found?.event?.fields['recurrence']).toEqual([
      'DTSTART;TZID=America/New_York:20270302T130000',
      'DURATION:PT2H',
      [
        'RDATE;TZID=America/New_York:20270309T130000',
        ...['0316T140000', '0323T140000', '0330T140000', '0406T140000', '0413T140000', '0420T140000'],
        '0427T130000',
      ].join(',2027'),
    ]);
    expect(await essence([[...local, WEEKLY]], described('Home', 4, 11))).toEqual([
      'it recurs, but too often for a time zone that is not known here',
    ]);
  });

  it('takes place in UTC where its rule does, whatever the zone of the calendar', async () => {
    const head = ['X-WR-TIMEZONE:Europe/Berlin'];
    expect(await essence([['DTSTART:20270302T180000Z', WEEKLY]], head)).toEqual([
      'a 2027-03-02 18:00:00 2027-03-02 18:00:00 UTC\nDTSTART;TZID=UTC:20270302T180000\nRRULE:FREQ=WEEKLY',
    ]);
    expect(await essence([['DTSTART:20270302T180000Z', `${WEEKLY};COUNT=3`]], head)).toEqual([
      'a 2027-03-02 19:00:00 2027-03-02 19:00:00 Europe/Berlin\nDTSTART;TZID=Europe/Berlin:20270302T190000\nRRULE:FREQ=WEEKLY;COUNT=3',
    ]);
  });

  it('divides where all later dates are changed, if it ends', async () => {
    const later = [
      'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270316T190000',
      'DTSTART;TZID=Europe/Berlin:20270316T200000',
    ];
    expect(await essence([[Z, `${WEEKLY};COUNT=4`], later])).toEqual([
      'a 2027-03-02 19:00:00 2027-03-02 19:00:00 Europe/Berlin\nDTSTART;TZID=Europe/Berlin:20270302T190000\nRDATE;TZID=Europe/Berlin:20270309T190000',
      'a/20270316T190000 2027-03-16 20:00:00 2027-03-16 20:00:00 Europe/Berlin\nDTSTART;TZID=Europe/Berlin:20270316T200000\nRDATE;TZID=Europe/Berlin:20270323T200000',
    ]);
    const endless = 'it recurs, but too often for a change of all later dates';
    expect(await essence([[Z, WEEKLY], later])).toEqual([endless, endless]);
  });

  it('begins with its first date where the rule leaves the start out', async () => {
    expect(await essence([[Z, END, `${WEEKLY};BYDAY=WE;COUNT=3`]])).toEqual([
      [
        'a 2027-03-03 19:00:00 2027-03-03 21:00:00 Europe/Berlin',
        Z,
        END,
        'RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=WE',
      ].join('\n'),
    ]);
  });

  it('is told apart by its start from another event of the same UID', async () => {
    const records = await recordsOf([
      [Z, WEEKLY],
      ['DTSTART:20270501T100000Z', WEEKLY],
    ]);
    expect(records.map(({ event }) => event?.uid)).toEqual(['a/20270302T190000', 'a/20270501T100000']);
  });
});
