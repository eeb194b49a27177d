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

  it('last nominal days from the time behind a gap of a described zone', async () => {
    const zone = [
      ...['BEGIN:VTIMEZONE', 'TZID:Own', 'BEGIN:STANDARD', 'TZOFFSETFROM:+0200', 'TZOFFSETTO:+0100'],
      ...['DTSTART:19961027T030000', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU', 'END:STANDARD'],
      ...['BEGIN:DAYLIGHT', 'TZOFFSETFROM:+0100', 'TZOFFSETTO:+0200', 'DTSTART:19810329T020000'],
      ...['RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'END:DAYLIGHT', 'END:VTIMEZONE'],
    ].join('\r\n');
    const event = calendar('DTSTART;TZID=Own:20270327T023000', 'DURATION:P1D', 'RRULE:FREQ=DAILY;COUNT=2');
    expect(await datesOf(event.replace('BEGIN:VEVENT', `${zone}\r\nBEGIN:VEVENT`))).toEqual([
      { uid: 'a', dates: ['20270327T013000Z/20270328T013000Z', '20270328T013000Z/20270329T013000Z'] },
    ]);
  });

  it('are changed by a day at the time of the start before 1970', async () => {
    const series = calendar(
      'DTSTART:19690301T180000Z',
      'RRULE:FREQ=DAILY;COUNT=3',
      'RDATE;VALUE=DATE:19690310',
    );
    const change = ['BEGIN:VEVENT', 'UID:a', 'RECURRENCE-ID;VALUE=DATE:19690302', 'END:VEVENT', ''].join(
      '\r\n',
    );
    const cancelled = change.replace('END:', 'STATUS:CANCELLED\r\nEND:');
    const expected = ['01', '02', '03', '10'].map((day) => `196903${day}T180000Z/196903${day}T180000Z`);
    const file = (one: string) => series.replace('END:VCALENDAR', `${one}END:VCALENDAR`);
    expect(await datesOf(file(change))).toEqual([{ uid: 'a', dates: expected }]);
    expect(await datesOf(file(cancelled))).toEqual([
      { uid: 'a', dates: expected.filter((date) => !date.startsWith('19690302')) },
    ]);
  });
});
