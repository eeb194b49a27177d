import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecords } from '../../src/cli/import/import-records.js';
import type { FileRecord } from '../../src/imports/file-record.js';
import { toStoredUtc } from '../../src/lib/wordpress-text/dates/convert.js';
import { testFolder } from '../support/test-folder.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(testFolder(), 'series-'));
});

const recordsOf = async (events: string[][], head: string[] = [], occurrences = 50) => {
  const path = join(folder, 'file.ics');
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', 'UID:a', ...event, 'END:VEVENT']);
  await writeFile(path, ['BEGIN:VCALENDAR', ...head, ...lines, 'END:VCALENDAR', ''].join('\r\n'));
  const records: FileRecord[] = [];
  const input = { zone: 'America/New_York', occurrences, note: () => undefined };
  for await (const record of readRecords(path, input)) records.push(record);
  return records;
};
/** Ids with the instants that the interface stores, `MM-DD HH:MM` in UTC, or days; else what is wrong. */
const datesOf = async (...args: Parameters<typeof recordsOf>) =>
  (await recordsOf(...args)).map(({ event, fault, cancelled }) => {
    if (cancelled) return `cancelled ${(cancelled.ids ?? ['all']).join(' ')}`;
    if (!event) return fault;
    const { start_date, end_date, timezone, all_day } = event.fields as Record<string, string>;
    const utc = (wall = '') => (all_day ? wall : toStoredUtc(wall, timezone ?? '').slice(5, 16));
    return `${event.uid.slice(2)} ${utc(start_date)} ${utc(end_date)}`;
  });

const Z = 'DTSTART;TZID=Europe/Berlin:20270301T180000';
const HOUR = 'DURATION:PT1H';
const THREE = 'RRULE:FREQ=WEEKLY;COUNT=3';
const [FIRST, SECOND, THIRD] = [
  '20270301T180000 03-01 17:00 03-01 18:00',
  '20270308T180000 03-08 17:00 03-08 18:00',
  '20270315T180000 03-15 17:00 03-15 18:00',
];

describe('a series in a calendar file', () => {
  it('compares excluded, changed and added dates by their instants', async () => {
    expect(await datesOf([[Z, HOUR, THREE, 'EXDATE:20270308T170000Z']])).toEqual([FIRST, THIRD]);
    expect(await datesOf([[Z, HOUR, THREE, 'RDATE:20270308T170000Z']])).toEqual([FIRST, SECOND, THIRD]);
    for (const id of ['RECURRENCE-ID:20270308T170000Z', 'RECURRENCE-ID;VALUE=DATE:20270308'])
      expect(
        await datesOf([
          [Z, HOUR, THREE],
          [id, 'DTSTART:20270309T100000Z'],
        ]),
      ).toEqual([FIRST, THIRD, '20270308T180000 03-09 10:00 03-09 10:00']);
    const days = ['DTSTART;VALUE=DATE:20270301', THREE];
    expect(await datesOf([days, ['RECURRENCE-ID:20270308T000000Z', 'DTSTART;VALUE=DATE:20270309']])).toEqual([
      '20270301 2027-03-01 2027-03-01',
      '20270315 2027-03-15 2027-03-15',
      '20270308 2027-03-09 2027-03-09',
    ]);
    expect(await datesOf([[...days, 'EXDATE:20270308T000000Z']])).toHaveLength(2);
  });

  it('withdraws cancelled dates, and all by METHOD:CANCEL', async () => {
    const cancelled = ['RECURRENCE-ID:20270308T170000Z', 'DTSTART:20270308T170000Z', 'STATUS:CANCELLED'];
    for (const events of [
      [[Z, HOUR, THREE], cancelled],
      [cancelled, [Z, HOUR, THREE]],
    ])
      expect((await datesOf(events)).toSorted()).toEqual([
        FIRST,
        THIRD,
        'cancelled a/20270308T180000 a/20270308T170000 a/20270308T120000',
      ]);
    const cancel = ['METHOD:CANCEL'];
    expect(await datesOf([[Z, HOUR, THREE]], cancel)).toEqual(['cancelled all']);
    expect(await datesOf([['RECURRENCE-ID;TZID=Europe/Berlin:20270308T180000']], cancel, 0)).toEqual([
      'cancelled a/20270308T180000 a/20270308T120000',
    ]);
  });

  it('ends by an UNTIL in UTC', async () => {
    const until = (zone: string, end: string) => [
      [`DTSTART;TZID=${zone}:20270301T100000`, `RRULE:FREQ=DAILY;UNTIL=${end}`],
    ];
    expect(await datesOf(until('Europe/Berlin', '20270303T090000Z'))).toHaveLength(3);
    expect(await datesOf(until('America/New_York', '20270303T145959Z'))).toHaveLength(2);
  });

  it('has dates of another zone and of periods, and its start', async () => {
    expect(await datesOf([[Z, HOUR, 'RDATE;TZID=America/New_York:20270305T040000']])).toEqual([
      FIRST,
      '20270305T100000 03-05 09:00 03-05 10:00',
    ]);
    expect(await datesOf([['DTSTART:20270301T100000Z', 'RDATE:20270305T100000Z']])).toEqual([
      '20270301T100000 03-01 10:00 03-01 10:00',
      '20270305T100000 03-05 10:00 03-05 10:00',
    ]);
    expect(
      await datesOf([['DTSTART:20271015T140000Z', HOUR, 'RDATE;VALUE=PERIOD:20271022T140000Z/PT2H']]),
    ).toEqual(['20271015T140000 10-15 14:00 10-15 15:00', '20271022T140000 10-22 14:00 10-22 16:00']);
  });

  it('keeps the length of a time in a gap of the clock, and the instants of an hour that comes twice', async () => {
    const daily = (start: string) => [
      [`DTSTART;TZID=Europe/Berlin:${start}`, HOUR, 'RRULE:FREQ=DAILY;COUNT=2'],
    ];
    expect(await datesOf(daily('20270327T023000'))).toEqual([
      '20270327T023000 03-27 01:30 03-27 02:30',
      '20270328T033000 03-28 01:30 03-28 02:30',
    ]);
    const [, event] = await recordsOf(daily('20270327T023000'));
    expect(event?.event?.fields).toMatchObject({
      start_date: '2027-03-28 03:30:00',
      end_date: '2027-03-28 04:30:00',
    });
    expect(await datesOf(daily('20271030T023000'))).toEqual([
      '20271030T023000 10-30 00:30 10-30 01:30',
      '20271031T023000 10-31 00:30 10-31 01:30',
    ]);
  });

  it.each([
    ['20280229', 'FREQ=YEARLY;COUNT=2', '2028-02-29 2032-02-29'],
    ['20270131', 'FREQ=MONTHLY;BYMONTH=1,2,3,4;COUNT=3', '2027-01-31 2027-03-31 2028-01-31'],
    ['20270517', 'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3', '2027-05-17 2028-05-15 2029-05-14'],
    ['20270517', 'FREQ=YEARLY;BYDAY=20MO;COUNT=2', '2027-05-17 2028-05-15'],
    ['20270101', 'FREQ=YEARLY;BYMONTHDAY=1;COUNT=3', '2027-01-01 2027-02-01 2027-03-01'],
    ['20270302', 'FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=-1;COUNT=2', '2027-03-02 2027-03-09'],
    ['20270131', 'FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1;COUNT=2', '2027-01-31 2027-02-28'],
    ['20270131', 'RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD;COUNT=2', '2027-01-31 2027-02-28'],
  ])('follows the rule %s %s', async (start, rule, dates) => {
    const records = await recordsOf([[`DTSTART;VALUE=DATE:${start}`, `RRULE:${rule}`]]);
    expect(records.map(({ event }) => event?.fields['start_date'])).toEqual(dates.split(' '));
  });

  it('takes the last revision, by SEQUENCE, whatever the order', async () => {
    const [five, two] = [
      [Z, HOUR, 'SEQUENCE:5'],
      ['DTSTART;TZID=Europe/Berlin:20270302T180000', HOUR, 'SEQUENCE:2'],
    ] as const;
    const left = (line: number) => `line ${line} has a later revision (SEQUENCE) of it`;
    const plain = ' 03-01 17:00 03-01 18:00';
    expect(await datesOf([[...five], [...two]])).toEqual([plain, left(2)]);
    expect(await datesOf([[...two], [...five]])).toEqual([left(8), plain]);
    const change = (sequence: number, id: string, hour: string) => [
      ...[id, `DTSTART:20270309T${hour}0000Z`, `SEQUENCE:${sequence}`],
    ];
    // Two spellings of one date.
    const [utc, berlin] = [
      'RECURRENCE-ID:20270308T170000Z',
      'RECURRENCE-ID;TZID=Europe/Berlin:20270308T180000',
    ];
    expect(await datesOf([[Z, HOUR, THREE], change(5, utc, '10'), change(2, berlin, '11')])).toEqual([
      ...[FIRST, THIRD, '20270308T180000 03-09 10:00 03-09 10:00', left(8)],
    ]);
  });

  it('is changed from one date on by THISANDFUTURE', async () => {
    const range = [
      'RECURRENCE-ID;RANGE=THISANDFUTURE:20270308T170000Z',
      'DTSTART;TZID=Europe/Berlin:20270309T200000',
      'DURATION:PT2H',
      'SUMMARY:Later',
    ];
    const records = await recordsOf([[Z, HOUR, THREE, 'SUMMARY:First'], range]);
    expect(records.map(({ event }) => [event?.fields['title'], event?.fields['start_date']])).toEqual([
      ['First', '2027-03-01 18:00:00'],
      ['Later', '2027-03-09 20:00:00'],
      ['Later', '2027-03-16 20:00:00'],
    ]);
  });

  it('has its other dates where a changed one is invalid', async () => {
    const bad = ['RECURRENCE-ID:20270308T170000Z', 'DTSTART:20270309T150000Z', 'DTEND:20270307T150000Z'];
    expect(await datesOf([[Z, HOUR, THREE], bad])).toEqual([
      ...[FIRST, THIRD, '20270308T180000 03-09 15:00 03-07 15:00'],
    ]);
    const worse = ['RECURRENCE-ID:20270308T170000Z', 'DTSTART:20270339T150000Z'];
    expect(await datesOf([[Z, HOUR, THREE], worse])).toEqual([FIRST, THIRD, 'DTSTART is no date']);
    const none = ['RECURRENCE-ID:20270358T170000Z', 'DTSTART:20270309T150000Z'];
    expect(await datesOf([[Z, HOUR, THREE], none])).toEqual([
      FIRST,
      SECOND,
      THIRD,
      'RECURRENCE-ID is no date',
    ]);
  });

  it('names a start that its rule leaves out', async () => {
    const [record] = await recordsOf([['DTSTART:20270302T100000Z', 'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=2']]);
    expect(record?.event?.losses).toEqual([{ line: 4, property: 'DTSTART', why: 'its RRULE leaves it out' }]);
  });

  it('follows the clock that the file describes', async () => {
    const zone = ['BEGIN:VTIMEZONE', 'TZID:Mine', 'BEGIN:STANDARD', 'DTSTART:20000101T000000'];
    const offset = ['TZOFFSETFROM:+0130', 'TZOFFSETTO:+0130', 'END:STANDARD', 'END:VTIMEZONE'];
    const event = ['DTSTART;TZID=Mine:20270301T180000', HOUR, THREE, 'EXDATE:20270308T163000Z'];
    expect(await datesOf([event], [...zone, ...offset])).toEqual([
      '20270301T180000 03-01 16:30 03-01 17:30',
      '20270315T180000 03-15 16:30 03-15 17:30',
    ]);
  });
});
