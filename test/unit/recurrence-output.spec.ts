import { readCursor, writeCursor } from '../../src/http/params/cursor.js';
import { toRecurrenceMembers } from '../../src/resources/events/recurrence/recurrence-output.js';

describe('stored lines of a recurrence', () => {
  it('are shown as members, with dates on the clock of the event', () => {
    const lines = [
      'DTSTART;TZID=Europe/Berlin:20270301T180000',
      'RRULE:FREQ=WEEKLY;BYDAY=TU',
      'rrule:FREQ=MONTHLY;BYDAY=1MO',
      'EXRULE:FREQ=YEARLY',
      'RDATE;TZID=America/New_York:20270305T040000,20270306T040000',
      'RDATE;VALUE=PERIOD:20271022T140000Z/PT2H',
      'RDATE;VALUE=PERIOD:20271023T140000Z/20271023T150000Z',
      'RDATE:20271031T003000Z,20271031T013000Z',
      'RDATE;VALUE=DATE:20270501',
      'RDATE;TZID=Unknown:20270601T040000',
      'EXDATE:20270308T170000Z,soon',
      'EXDATE:20270315T180000',
      'EXDATE;VALUE=DATE:20270504',
    ];
    expect(toRecurrenceMembers(lines, 'Europe/Berlin')).toEqual({
      rrule: ['FREQ=WEEKLY;BYDAY=TU', 'FREQ=MONTHLY;BYDAY=1MO'],
      exrule: ['FREQ=YEARLY'],
      rdates: [
        '2027-03-05 10:00:00',
        '2027-03-06 10:00:00',
        '2027-10-22 16:00:00/PT2H',
        '2027-10-23 16:00:00/2027-10-23 17:00:00',
        '2027-10-31 02:30:00',
        '2027-10-31 01:30:00Z',
        '2027-05-01',
      ],
      exdates: ['2027-03-08 18:00:00', '2027-03-15 18:00:00', '2027-05-04'],
    });
  });

  it('have the clock of their start where that is not the clock of the event', () => {
    const lines = ['DTSTART;TZID=America/New_York:20270301T120000', 'RDATE:20270305T120000'];
    expect(toRecurrenceMembers(lines, 'Europe/Berlin').rdates).toEqual(['2027-03-05 18:00:00']);
  });

  it('are empty without a rule', () => {
    expect(toRecurrenceMembers([], 'UTC')).toEqual({ rrule: [], exrule: [], rdates: [], exdates: [] });
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
