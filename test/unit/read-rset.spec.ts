import { readRset } from '../../src/resources/events/read-rset.js';
import { readCursor, writeCursor } from '../../src/http/params/cursor.js';

describe('a recurrence set as it is stored', () => {
  it('is read line by line, with dates on the clock of the event', () => {
    const lines = [
      'DTSTART;TZID=Europe/Berlin:20270301T180000',
      'RRULE:FREQ=WEEKLY;BYDAY=TU',
      'rrule:FREQ=MONTHLY;BYDAY=1MO',
      'EXRULE:FREQ=YEARLY',
      'RDATE;TZID=America/New_York:20270305T040000,20270306T040000',
      'RDATE;VALUE=PERIOD:20271022T140000Z/PT2H',
      'RDATE;VALUE=DATE:20270501',
      'EXDATE:20270308T170000Z,soon',
      'EXDATE:20270315T',
      ' 180000',
    ];
    const set = {
      rrule: ['FREQ=WEEKLY;BYDAY=TU', 'FREQ=MONTHLY;BYDAY=1MO'],
      rdates: ['2027-03-05 10:00:00', '2027-03-06 10:00:00', '2027-10-22 16:00:00', '2027-05-01 00:00:00'],
      exdates: ['2027-03-08 18:00:00', '2027-03-15 18:00:00'],
    };
    expect(readRset(lines.join('\r\n'), 'Europe/Berlin')).toEqual(set);
    expect(readRset(lines.join('\n'), 'Europe/Berlin')).toEqual(set);
  });

  it('is empty without a rule', () => {
    expect(readRset('', 'UTC')).toEqual({ rrule: [], rdates: [], exdates: [] });
  });
});

describe('a cursor', () => {
  it.each([
    { value: '2027-05-18 18:00:00', id: 5 },
    { value: 7, id: 5, row: 12 },
  ])('holds the place of %j', (place) => {
    expect(readCursor(writeCursor({ order: 'start_date ASC', place }))).toEqual({
      order: 'start_date ASC',
      place,
    });
  });

  it('is invalid with a row that is no whole number, or with more', () => {
    const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    for (const parts of [
      ['id ASC', 1, 2, 'x'],
      ['id ASC', 1, 2, 1.5],
      ['id ASC', 1, 2, 3, 4],
      ['id ASC', 1],
    ])
      expect(readCursor(forged(...parts))).toBeUndefined();
  });
});
