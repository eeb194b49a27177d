import { fileDates } from '../support/calendar-file-dates.js';

const OPTIONS = { zone: 'America/New_York', limit: 10 };
const datesOf = (text: string | Buffer) => fileDates(Buffer.from(text), OPTIONS);
const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:a', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');

describe('a calendar file with odd lines', () => {
  const lines = ['DTSTART:20270301T100000Z', 'RRULE:FREQ=DAI', ' LY;COUNT=2'];
  const expected = [
    { uid: 'a', dates: ['20270301T100000Z/20270301T100000Z', '20270302T100000Z/20270302T100000Z'] },
  ];

  it.each([
    ['LF', '\n'],
    ['CR', '\r'],
    ['two CR and LF', '\r\r\n'],
    ['empty lines between all lines', '\r\n\r\n'],
  ])('is read with %s as line break', async (_, end) => {
    expect(await datesOf(calendar(...lines).replaceAll('\r\n', end))).toEqual(expected);
  });
});

describe('the dates of an event in a calendar file', () => {
  it('last as long as the PERIOD of an RDATE at the start', async () => {
    expect(
      await datesOf(calendar('DTSTART:20270301T100000Z', 'RDATE;VALUE=PERIOD:20270301T100000Z/PT2H')),
    ).toEqual([{ uid: 'a', dates: ['20270301T100000Z/20270301T120000Z'] }]);
  });

  it('follow a rule with escaped separators', async () => {
    expect(
      await datesOf(calendar('DTSTART;VALUE=DATE:20270301', 'RRULE:FREQ=WEEKLY\\;COUNT=2\\;BYDAY=MO\\,TU')),
    ).toEqual([{ uid: 'a', dates: ['20270301/20270302', '20270302/20270303'] }]);
  });
});
