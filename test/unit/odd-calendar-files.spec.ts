import { FileZones } from '../../src/lib/ical/file-zones.js';
import { parseComponent } from '../../src/lib/ical/parse-component.js';
import { dateFields } from '../../src/lib/ical/read-dates.js';
import { readLines } from '../../src/lib/ical/read-lines.js';
import { fileDates } from '../support/calendar-file-dates.js';
import { randomCalendars } from '../support/random-calendars.js';

const OPTIONS = { zone: 'America/New_York', limit: 10 };
const datesOf = (file: string | Buffer) =>
  fileDates(typeof file === 'string' ? Buffer.from(file) : file, OPTIONS);
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

describe('a calendar file has the same dates', () => {
  const files = randomCalendars(40, 20_270_328);
  const each = (change: (line: string) => string) => (text: string) =>
    text.split('\r\n').map(change).join('\r\n');
  const behind = (line: RegExp, ...added: string[]) =>
    each((text) => (line.test(text) ? [text, ...added].join('\r\n') : text));
  const DATES = /^(?:DTSTART|DTEND|EXDATE|RDATE|RRULE|EXRULE|DURATION|RECURRENCE-ID|STATUS|SEQUENCE|UID)[;:]/;
  const alarm = [
    'BEGIN:VALARM',
    'DTSTART:20200101T000000',
    'RRULE:FREQ=SECONDLY',
    'SEQUENCE:99',
    'END:VALARM',
  ];
  const todo = ['BEGIN:VTODO', 'UID:event-0', 'DTSTART:20200101T000000', 'RRULE:FREQ=DAILY', 'END:VTODO'];
  const changed = [
    'BEGIN:VJOURNAL',
    'UID:event-0',
    'RECURRENCE-ID:20270327T120000Z',
    'SEQUENCE:9',
    'END:VJOURNAL',
  ];
  const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

  it.each<[string, (text: string) => string | Buffer]>([
    ['with a byte order mark', (text) => `\ufeff${text}`],
    ['in UTF-16, little-endian', utf16],
    ['in UTF-16, big-endian', (text) => utf16(text).swap16()],
    ['with names in lower case', each((line) => line.replace(/^[^:;]+/, (name) => name.toLowerCase()))],
    [
      'with parameters in lower case',
      each((line) => line.replace(/;[A-Z]+=/g, (name) => name.toLowerCase())),
    ],
    [
      'with values in lower case',
      each((line) => (DATES.test(line) ? line.replace(/:[^:]*$/, (it) => it.toLowerCase()) : line)),
    ],
    [
      'with spaces around values',
      each((line) => (DATES.test(line) ? line.replace(/:([^:]*)$/, ': $1 ') : line)),
    ],
    ['folded after each third character', each((line) => line.replace(/(.{3})(?=.)/g, '$1\r\n\t'))],
    ['with quoted TZIDs', each((line) => line.replace(/;TZID=([^";:]+)/, ';TZID="$1"'))],
    ['without VALUE=DATE', each((line) => line.replace(';VALUE=DATE:', ':'))],
    ['without END:VEVENT', (text) => text.replaceAll('END:VEVENT\r\n', '')],
    ['behind an empty calendar', (text) => `BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n${text}`],
    [
      'with alarms and unknown components',
      behind(/^BEGIN:VEVENT/, ...alarm, 'BEGIN:X-A', ...alarm, 'END:X-A'),
    ],
    ['beside other components with its UIDs', behind(/^BEGIN:VCALENDAR/, ...todo, ...changed)],
    [
      'with texts like dates',
      behind(/^UID/, 'SUMMARY:DTSTART:20200101\\nRRULE:FREQ=DAILY', 'X-RRULE:FREQ=DAILY'),
    ],
    [
      'with an attachment of a megabyte',
      behind(/^UID/, `ATTACH;ENCODING=BASE64;VALUE=BINARY:${'QUJD'.repeat(300_000)}`),
    ],
  ])('%s', async (_, change) => {
    const some = change(files[0] ?? '').length > 100_000 ? files.slice(0, 5) : files;
    const before = await Promise.all(some.map((file) => datesOf(file)));
    expect(before.flat().some((event) => typeof event !== 'string' && event.dates)).toBe(true);
    expect(await Promise.all(some.map((file) => datesOf(change(file))))).toEqual(before);
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

  it.each([
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1XX',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20200329T010000Z\r\nRRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'RDATE:20279999T020000',
    'TZOFFSETTO:+9959',
    'TZOFFSETFROM:0100',
  ])('are those of the named zone where the described one has %j', async (line) => {
    const zone = (tzid: string) =>
      [
        ...['BEGIN:VTIMEZONE', `TZID:${tzid}`, 'BEGIN:STANDARD', 'TZOFFSETFROM:+0300', 'TZOFFSETTO:+0400'],
        ...['DTSTART:19961027T030000', 'END:STANDARD', 'BEGIN:DAYLIGHT', line, 'TZOFFSETFROM:+0400'],
        ...['TZOFFSETTO:+0500', 'DTSTART:19810329T020000', 'END:DAYLIGHT', 'END:VTIMEZONE', 'BEGIN:VEVENT'],
      ].join('\r\n');
    const event = (tzid: string) =>
      calendar(`DTSTART;TZID=${tzid}:20270601T120000`).replace('BEGIN:VEVENT', zone(tzid));
    expect(await datesOf(event('Europe/Berlin'))).toEqual([
      { uid: 'a', dates: ['20270601T100000Z/20270601T100000Z'] },
    ]);
    expect(await datesOf(event('Own'))).toMatchObject([
      { error: expect.stringContaining('"Own" is unknown') },
    ]);
  });

  it.each([
    ['A; B, C', '"A; B, C"'],
    ['A\\; B\\, C', '"A; B, C"'],
    ['A\\, B', 'A\\, B'],
    ['"A (x: y)"', '"A (x: y)"'],
  ])('are in the described zone %j as %j', async (defined, used) => {
    const zone = [
      ...['BEGIN:VTIMEZONE', `TZID:${defined}`, 'BEGIN:STANDARD', 'TZOFFSETFROM:+0545', 'TZOFFSETTO:+0545'],
      ...['DTSTART:19700101T000000', 'END:STANDARD', 'END:VTIMEZONE', 'BEGIN:VEVENT'],
    ].join('\r\n');
    const event = calendar(`DTSTART;VALUE=DATE-TIME;TZID=${used}:20270601T120000`);
    expect(await datesOf(event.replace('BEGIN:VEVENT', zone))).toEqual([
      { uid: 'a', dates: ['20270601T061500Z/20270601T061500Z'] },
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

describe('the date fields of an event', () => {
  it('are in UTC where its zone has two times like the end', () => {
    const fields = (end: string) => {
      const lines = ['DTSTART;TZID=America/New_York:20271107T003000', end].map((text, line) => ({
        line,
        text,
      }));
      return dateFields(parseComponent(lines), new FileZones('Europe/Berlin'));
    };
    expect(fields('DTEND:20271107T063000Z')).toEqual({
      all_day: false,
      start_date: '2027-11-07 04:30:00',
      end_date: '2027-11-07 06:30:00',
      timezone: 'UTC',
    });
    expect(fields('DTEND:20271107T053000Z')).toMatchObject({
      start_date: '2027-11-07 00:30:00',
      end_date: '2027-11-07 01:30:00',
      timezone: 'America/New_York',
    });
  });
});

describe('a line of vCalendar 1.0', () => {
  const linesOf = async (text: string) => {
    const chunks = async function* () {
      yield Buffer.from(text, 'latin1');
    };
    const texts: string[] = [];
    for await (const line of readLines(chunks())) texts.push(line.text);
    return texts;
  };

  it.each([
    [
      'SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Caf=C3=A9 und=\r\n mehr\r\nX:1',
      ['SUMMARY:Café und mehr', 'X:1'],
    ],
    ['SUMMARY;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Caf=E9', ['SUMMARY:Café']],
    ['SUMMARY;LANGUAGE=de;QUOTED-PRINTABLE:1=3D1=0D=0A2=0A3', ['SUMMARY;LANGUAGE=de:1=1\\n2\\n3']],
    [
      'DESCRIPTION;ENCODING=QUOTED-PRINTABLE:a =\r\nDTSTART:20200101=\r\n\r\nUID:1',
      ['DESCRIPTION:a DTSTART:20200101', 'UID:1'],
    ],
    [
      'ATTACH;ENCODING=BASE64:QQ==\r\nX;Y=QUOTED-PRINTABLE-X:a=\r\nUID:1=',
      ['ATTACH;ENCODING=BASE64:QQ==', 'X;Y=QUOTED-PRINTABLE-X:a=', 'UID:1='],
    ],
  ])('is decoded where it is quoted-printable: %j', async (text, expected) => {
    expect(await linesOf(text)).toEqual(expected);
  });
});
