import ICAL from 'ical.js';
import type { CalendarEntry } from '../../src/lib/ical/calendar-entry.js';
import { contentLine, escapeText } from '../../src/lib/ical/content-line.js';
import { DescribedZone } from '../../src/lib/ical/described-zone.js';
import { FileZones } from '../../src/lib/ical/file-zones.js';
import { type ReadOptions, readEvents } from '../../src/lib/ical/read-event.js';
import type { ContentLine } from '../../src/lib/ical/read-lines.js';
import { Unreadable } from '../../src/lib/ical/read-time.js';
import { type CalendarPart, NotACalendar, splitComponents } from '../../src/lib/ical/split-components.js';
import { calendarHead, calendarTail, eventLines, plainText } from '../../src/lib/ical/write-event.js';
import { timeZoneLines, UsedZones, writtenZone } from '../../src/lib/ical/write-time-zone.js';
import { zoneOfId } from '../../src/lib/ical/zone-names.js';
import { toStoredUtc } from '../../src/lib/wordpress-text/dates/convert.js';
import { canonicalZone } from '../../src/lib/wordpress-text/dates/zones.js';
import { TIMES } from '../support/calendar-times.js';

const ENTRY: CalendarEntry = {
  id: 7,
  uid: '7@calendar.example.org',
  title: 'Tea; cake, and "jam" \\ 🫖',
  html: '<p>One &amp; two<br />three</p>\n<ul><li>four</li></ul>',
  ...TIMES,
  status: 'publish',
  url: 'https://calendar.example.org/event/tea/',
  website: 'https://tea.example.org/',
  cost: '€10 - €20',
  categories: ['Food, drink', '2027'],
  tags: ['tea\\time', 'a;b', 'c,d'],
  venues: [
    {
      name: 'Hall "A", left',
      address: 'Long Lane 1',
      city: 'Bonn',
      zip: '53111',
      country: 'Germany',
      latitude: 50.7,
      longitude: 7.1,
    },
    { name: 'Garden' },
  ],
  organizers: [
    { name: 'Ann^Bee', email: 'ann@example.org' },
    { name: 'No Mail', website: 'https://no.example.org/' },
  ],
};

const OPTIONS: ReadOptions = {
  zones: new FileZones('America/New_York'),
  isOurs: true,
  occurrences: 0,
};

const YEARS = Array.from({ length: 72 }, (_, at) => 1969 + at);

const file = (entries: readonly CalendarEntry[]) =>
  calendarHead('Calendar', 'UTC') +
  [...new Set(entries.map(({ zone }) => writtenZone(zone)))]
    .map((zone) => timeZoneLines(zone, YEARS))
    .join('') +
  entries.map((entry) => eventLines(entry)).join('') +
  calendarTail();
const times = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((component) => {
    const { startDate, endDate } = new ICAL.Event(component);
    return [startDate, endDate].map((time) => time.toJSDate().toISOString().slice(0, 19).replace('T', ' '));
  });
const event = (...lines: string[]) => `${['BEGIN:VEVENT', 'UID:x', ...lines, 'END:VEVENT'].join('\r\n')}\r\n`;
const described = (id: string, zone: string) =>
  new FileZones('America/New_York', 'UTC', new Map([[id, new DescribedZone(linesOf(zone))]]));

/** The properties of a component, unfolded, each on a line of its own. */
const linesOf = (text: string): ContentLine[] =>
  text
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .filter((one) => one !== '')
    .slice(1, -1)
    .map((one, at) => ({ line: at + 2, text: one }));
const read = (text: string, options: Partial<ReadOptions> = {}) =>
  readEvents(linesOf(text), { ...OPTIONS, isOurs: false, ...options });
const fieldsOf = (...lines: string[]) => read(event('DTSTART:20270310T100000Z', ...lines))[0]?.fields;

describe('written calendar files', () => {
  it('fold at 75 octets without splitting characters, and contain no control characters', () => {
    const text = `${'äß🫖x'.repeat(60)}\x07`;
    const line = contentLine('SUMMARY', escapeText(text));
    const pieces = line.split('\r\n');
    expect(pieces.pop()).toBe('');
    expect(pieces.every((piece) => Buffer.byteLength(piece) <= 75 && !piece.includes('\ufffd'))).toBe(true);
    expect(pieces.map((piece, at) => (at === 0 ? piece : piece.slice(1))).join('')).toBe(
      `SUMMARY:${text.slice(0, -1)}`,
    );
  });

  it.each(['\r', '\n', '\r\n', '\v', '\f', '\x1c', '\x1d', '\x1e', '\x85', '\u2028', '\u2029'])(
    'contain no %j, after which some readers see another property',
    (end) => {
      const evil = `Party${end}ATTENDEE:mailto:a@example.org`;
      const written = [contentLine('SUMMARY', escapeText(evil)), contentLine('URL', evil, { CN: evil })];
      for (const line of written)
        expect(line.slice(0, -2)).not.toMatch(
          /(?:[\v\f\x1c-\x1e\x85\u2028\u2029]|\r\n(?! )|\r(?!\n)|(?<!\r)\n)/,
        );
    },
  );

  it('are read by ical.js at the same instants, in any zone', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'America/St_Johns',
      'UTC',
      'UTC+2',
      'UTC+5.5',
      'UTC-5',
      '+02:00',
      'EST',
      'Pacific/Apia',
      'Africa/Casablanca',
      'Europe/Dublin',
    ];
    const days = [
      '1970-06-01',
      '2011-12-31',
      '2026-03-29',
      '2026-10-25',
      '2026-11-01',
      '2027-07-14',
      '2037-12-31',
    ];
    const entries = zones.flatMap((zone) =>
      days.flatMap((day) =>
        ['00:15', '02:30', '12:00'].map((time) => {
          const [start, end] = [`${day} ${time}:00`, `${day} 23:59:00`];
          return {
            ...ENTRY,
            zone,
            start,
            end,
            utcStart: toStoredUtc(start, zone),
            utcEnd: toStoredUtc(end, zone),
          };
        }),
      ),
    );
    const wanted = entries.map(({ utcStart, utcEnd }) => [utcStart, utcEnd]);
    const found = times(file(entries));
    const wrong = entries.flatMap(({ zone, start }, at) =>
      String(found[at]) === String(wanted[at]) ? [] : [`${zone} ${start}: ${found[at]}, not ${wanted[at]}`],
    );
    expect(wrong).toEqual([]);
  });

  it('write whole days as dates that end on the next day, also where a day begins after midnight', () => {
    const day = { ...ENTRY, allDay: true, start: '2027-02-01 05:00:00', end: '2027-02-03 04:59:59' };
    expect(eventLines(day)).toContain('DTSTART;VALUE=DATE:20270201\r\nDTEND;VALUE=DATE:20270203\r\n');
    const plain = { ...ENTRY, allDay: true, start: '2027-02-01 00:00:00', end: '2027-02-01 23:59:59' };
    expect(eventLines(plain)).toContain('DTSTART;VALUE=DATE:20270201\r\nDTEND;VALUE=DATE:20270202\r\n');
    const [last, end] = ['9999-12-31 00:00:00', '9999-12-31 23:59:59'];
    expect(eventLines({ ...plain, end })).toContain('DTEND;VALUE=DATE:99991231\r\n');
    expect(eventLines({ ...plain, start: last, end })).not.toContain('DTEND');
  });

  it('write locations with the texts and coordinates that exist', () => {
    const near = { name: 'Equator', latitude: 1e-7, longitude: -77.12345678 };
    expect(eventLines({ ...ENTRY, venues: [near] })).toContain('\r\nGEO:0;-77.123457\r\n');
    expect(eventLines({ ...ENTRY, venues: [{ name: '' }, { name: '' }] })).not.toContain('LOCATION');
  });

  it('write LAST-MODIFIED, also of an event without a modification time', () => {
    for (const line of ['DTSTAMP:20270102', 'CREATED:20270101', 'LAST-MODIFIED:20270102'])
      expect(eventLines(ENTRY)).toContain(`\r\n${line}T100000Z\r\n`);
    const lines = eventLines({
      ...ENTRY,
      createdUtc: '0000-00-00 00:00:00',
      modifiedUtc: '0000-00-00 00:00:00',
    });
    expect(lines).toContain('\r\nDTSTAMP:19700101T000000Z\r\n');
    expect(lines).not.toMatch(/LAST-MODIFIED|CREATED/);
  });

  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
    ['UTC+5.5', 'Asia/Kolkata'],
    ['UTC+2', 'Europe/Helsinki'],
    ['+02:00', 'Etc/GMT-2'],
    ['-11:00', 'Etc/GMT+11'],
    ['CET', 'Etc/GMT-1'],
  ])('name the zone %s unquoted, as readers know it: %s', (zone, name) => {
    const [start, end] = ['2027-07-01 12:00:00', '2027-07-01 13:00:00'];
    const utc = { utcStart: toStoredUtc(start, zone), utcEnd: toStoredUtc(end, zone) };
    const lines = eventLines({ ...ENTRY, zone, start, end, ...utc });
    expect(lines).toContain(
      `\r\nDTSTART;TZID=${name}:20270701T120000\r\nDTEND;TZID=${name}:20270701T130000\r\n`,
    );
    expect(/X-ALMANAC-TIMEZONE:(.*)\r/.exec(lines)?.[1]).toBe(zone === name ? undefined : zone);
    const zones = new UsedZones();
    zones.use({ zone, start, end, allDay: false });
    expect([...zones.lines()].join('')).toContain(`\r\nTZID:${name}\r\n`);
    expect(calendarHead('Calendar', zone)).toContain(`\r\nX-WR-TIMEZONE:${name}\r\n`);
    const [again] = readEvents(linesOf(lines), { ...OPTIONS, zones: new FileZones('UTC', 'UTC') });
    expect(again?.fields).toMatchObject({ start_date: start, end_date: end, timezone: zone });
  });

  it.each(['+05:30', '-03:30', 'GMT', 'UTC+0'])('use UTC for the zone %s, which has no name', (zone) => {
    const [start, end] = ['2027-07-01 12:00:00', '2027-07-01 13:00:00'];
    const utc = { utcStart: toStoredUtc(start, zone), utcEnd: toStoredUtc(end, zone) };
    const lines = eventLines({ ...ENTRY, zone, start, end, ...utc });
    expect(times(file([{ ...ENTRY, zone, start, end, ...utc }]))).toEqual([[utc.utcStart, utc.utcEnd]]);
    expect(lines).toMatch(/\r\nDTSTART:\d{8}T\d{6}Z\r\n/);
    const [again] = readEvents(linesOf(lines), { ...OPTIONS, zones: new FileZones('UTC', 'UTC') });
    expect(again?.fields).toMatchObject({ start_date: start, end_date: end, timezone: canonicalZone(zone) });
  });

  it.each([
    ['Australia/Lord_Howe', ['+1030', '+11']],
    ['Australia/Sydney', ['AEDT', 'AEST']],
    ['Africa/Casablanca', ['+00', '+01']],
    ['Europe/Dublin', ['GMT', 'IST']],
    ['America/New_York', ['EDT', 'EST']],
  ])('name each offset of %s differently', (zone, names) => {
    const offsets = new Map<string, string>();
    const lines = timeZoneLines(zone, [2026, 2027]);
    for (const [, offset = '', name = ''] of lines.matchAll(/TZOFFSETTO:(\S+)\r\nTZNAME:(\S+)/g))
      offsets.set(offset, name);
    expect([...offsets.values()].sort()).toEqual(names);
  });

  it('have a SEQUENCE that increases with each change', () => {
    const sequence = (modifiedUtc: string) =>
      Number(/\r\nSEQUENCE:(\d+)\r\n/.exec(eventLines({ ...ENTRY, modifiedUtc }))?.[1]);
    const all = ['0000-00-00 00:00:00', '2027-01-02 10:00:00', '2027-01-02 10:00:01', '2067-01-01 00:00:00'];
    const found = all.map(sequence);
    expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
    expect(sequence('1999-01-01 00:00:00')).toBe(0);
    expect(sequence('9999-01-01 00:00:00')).toBe(2 ** 31 - 1);
  });

  it('have no METHOD, which requires an organizer, and no empty properties', () => {
    expect(calendarHead(' ', 'UTC')).not.toMatch(/METHOD|X-WR-CALNAME/);
    const bare = { ...ENTRY, html: ' ', cost: ' ', website: '\x07', tags: [''], organizers: [] };
    expect(eventLines(bare)).not.toMatch(/\r\nX-[^:]*:\s*\r\n|ORGANIZER/);
    expect(eventLines(ENTRY)).toContain('\r\nX-ALT-DESC;FMTTYPE=text/html:');
  });

  it('write STATUS:CANCELLED for a cancelled event', () => {
    expect(eventLines(ENTRY)).toContain('\r\nSTATUS:CONFIRMED\r\n');
    expect(eventLines({ ...ENTRY, isCancelled: true, status: 'private' })).toContain(
      '\r\nSTATUS:CANCELLED\r\nCLASS:PRIVATE\r\n',
    );
  });

  it('write no end before or at the start', () => {
    for (const utcEnd of [ENTRY.utcStart, '2027-01-01 00:00:00'])
      for (const zone of ['Europe/Berlin', 'UTC'])
        expect(eventLines({ ...ENTRY, zone, utcEnd })).not.toContain('DTEND');
  });

  it('use UTC outside of known zone rules', () => {
    const [start, utcStart] = ['0890-06-01 12:00:00', '0890-06-01 11:06:32'];
    const lines = eventLines({ ...ENTRY, start, end: start, utcStart, utcEnd: utcStart });
    expect(lines).toContain('DTSTART:08900601T110632Z\r\nX-ALMANAC-TIMEZONE:Europe/Berlin\r\n');
    expect(
      timeZoneLines('Europe/Berlin', [1, ...YEARS, 9999]).match(/BEGIN:(STANDARD|DAYLIGHT)/g)?.length,
    ).toBeLessThan(700);
  });

  it('describe a zone for the years that are needed only', () => {
    const zones = new UsedZones();
    const at = (start: string) => ({ zone: 'Europe/Berlin', allDay: false, start, end: start });
    for (const start of ['1990-01-01 00:30:00', '2027-07-01 12:00:00']) zones.use(at(start));
    const [lines = '', ...further] = [...zones.lines()];
    expect(further).toEqual([]);
    expect(lines.match(/^DTSTART:\d{4}/gm)?.map((line) => line.slice(8))).toEqual([
      '1989',
      '1989',
      '1989',
      '1990',
      '1990',
      '2026',
      '2026',
      '2026',
      '2027',
      '2027',
    ]);
    zones.use(at('2030-01-01 00:00:00'));
    expect([...zones.lines()]).toEqual([]);
  });

  it('name people by e-mail addresses only', () => {
    const name = (email?: string, website?: string, url = ENTRY.url) => {
      const text = eventLines({ ...ENTRY, url, organizers: [{ name: 'Ann', email, website }] });
      const [component] = new ICAL.Component(
        ICAL.parse(`BEGIN:VCALENDAR\r\n${text}END:VCALENDAR`),
      ).getAllSubcomponents();
      return component?.getFirstPropertyValue('organizer');
    };
    expect(name('ann@example.org')).toBe('mailto:ann@example.org');
    expect(name('ann at example', 'https://ann.example.org/')).toBe('https://ann.example.org/');
    expect(name('\ud800@x', 'ann.example.org')).toBe(ENTRY.url);
    expect(name(undefined, 'javascript:alert(1)//')).toBe(ENTRY.url);
    expect(name(undefined, '', '')).toBe('invalid:nobody');
  });

  it('contain no property that a text injects', () => {
    const hostile = 'x\r\nATTENDEE:mailto:evil@example.org\nEND:VEVENT';
    const names = (component: ICAL.Component) => component.getAllProperties().map(({ name }) => name);
    const attacked = {
      ...ENTRY,
      ...{
        uid: hostile,
        title: hostile,
        html: hostile,
        website: hostile,
        cost: hostile,
        url: hostile,
        image: hostile,
      },
      categories: [hostile],
      tags: [hostile],
      venues: [{ name: hostile, city: hostile }, { name: hostile }],
      organizers: [
        { name: hostile, email: hostile },
        { name: hostile, website: hostile },
      ],
    };
    const [component] = new ICAL.Component(ICAL.parse(file([attacked]))).getAllSubcomponents('vevent');
    if (!component) throw new Error('no event');
    expect(names(component)).not.toContain('attendee');
    expect(names(component)).toEqual(expect.arrayContaining(['uid', 'attach', 'x-almanac-organizer']));
  });

  it('round-trip', () => {
    const [entry] = readEvents(linesOf(eventLines(ENTRY)), OPTIONS);
    expect(entry).toEqual({
      uid: '7@calendar.example.org',
      sequence: 63_194_400,
      losses: [],
      fields: {
        title: 'Tea; cake, and "jam" \\ 🫖',
        description: ENTRY.html,
        all_day: false,
        start_date: '2027-03-10 19:00:00',
        end_date: '2027-03-10 21:30:00',
        timezone: 'Europe/Berlin',
        status: 'publish',
        categories: ['Food, drink', '2027'],
        tags: ['tea\\time', 'a;b', 'c,d'],
        cost: '€10 - €20',
        website: 'https://tea.example.org/',
        venue: [
          { venue: 'Hall "A", left', address: 'Long Lane 1', city: 'Bonn', zip: '53111', country: 'Germany' },
          { venue: 'Garden' },
        ],
        organizer: [
          { organizer: 'Ann^Bee', email: 'ann@example.org' },
          { organizer: 'No Mail', website: 'https://no.example.org/' },
        ],
      },
    });
    expect(plainText(ENTRY.html)).toBe('One & two\nthree\n\nfour');
  });

  it('preserve the zone of whole days and of repeated hours', () => {
    for (const [zone, start] of [
      ['Asia/Tokyo', '2027-02-01 00:00:00'],
      ['Europe/Berlin', '2026-10-25 02:30:00'],
    ] as const) {
      const entry = {
        ...ENTRY,
        zone,
        start,
        end: start,
        allDay: zone === 'Asia/Tokyo',
        utcStart: toStoredUtc(start, zone),
        utcEnd: toStoredUtc(start, zone),
      };
      const [found] = readEvents(linesOf(eventLines(entry)), OPTIONS);
      expect([found?.fields['timezone'], String(found?.fields['start_date']).slice(0, 10)]).toEqual([
        zone,
        start.slice(0, 10),
      ]);
    }
  });
});

describe('parsed calendar files', () => {
  it('do not take the page URL of an own event for its website, also where another program rewrote the file', () => {
    const website = (uid: string, url: string) =>
      read(event('DTSTART:20270310T100000Z', `URL:${url}`).replace('UID:x', `UID:${uid}`))[0]?.fields[
        'website'
      ];
    expect(website('7@example.org', 'https://example.org/event/tea/')).toBeUndefined();
    for (const uid of ['7@other.example.org', 'a7@example.org', '7-1@example.org'])
      expect(website(uid, 'https://example.org/event/tea/')).toBe('https://example.org/event/tea/');
  });

  it('know the zones that other programs write', () => {
    const names = {
      'Europe/Berlin': 'Europe/Berlin',
      'europe/berlin': 'Europe/Berlin',
      '/mozilla.org/20050126_1/Europe/Berlin': 'Europe/Berlin',
      '/example.org/America/Argentina/Buenos_Aires': 'America/Argentina/Buenos_Aires',
      'W. Europe Standard Time': 'Europe/Berlin',
      '"Tokyo Standard Time"': 'Asia/Tokyo',
      'UTC+2': '+02:00',
      'Customized Time Zone': undefined,
      '': undefined,
    };
    expect(Object.fromEntries(Object.keys(names).map((name) => [name, zoneOfId(name)]))).toEqual(names);
  });

  it('support a zone that only the file describes, and reject an undefined one', () => {
    const zone =
      'BEGIN:VTIMEZONE\r\nTZID:Mine\r\nBEGIN:STANDARD\r\nDTSTART:19700101T000000\r\nTZOFFSETFROM:+0300\r\nTZOFFSETTO:+0300\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n';
    const zones = described('Mine', zone);
    const text = event('SUMMARY:x', 'DTSTART;TZID=Mine:20270310T100000', 'DTEND;TZID=Mine:20270310T110000');
    expect(read(text, { zones })[0]?.fields).toMatchObject({
      start_date: '2027-03-10 02:00:00',
      end_date: '2027-03-10 03:00:00',
      timezone: 'America/New_York',
    });
    expect(() => read(text)).toThrow(
      new Unreadable('the time zone "Mine" is not known, and the file does not describe it'),
    );
  });

  it('report a recurrence without occurrences', () => {
    const text = event('SUMMARY:x', 'DTSTART:20270310T100000Z', 'RRULE:FREQ=DAILY;UNTIL=20200101T000000Z');
    expect(() => read(text, { occurrences: 10 })).toThrow('it recurs, and takes place at no time');
  });

  it.each([
    ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'it recurs, and takes place at no time'],
    [
      'FREQ=DAILY;INTERVAL=999999999',
      'it recurs, but its RRULE cannot be used: INTERVAL=999999999 is more than 10000000',
    ],
    [
      'FREQ=DAILY;COUNT=1000000000',
      'it recurs, but its RRULE cannot be used: COUNT=1000000000 is more than 100000',
    ],
    ['FREQ=SECONDLY', 'it recurs, but it takes place more than 288 times in a day'],
    ['FREQ=SECONDLY;INTERVAL=2;BYSECOND=1', 'it recurs, but its dates take too long to compute'],
  ])('reject a hostile recurrence, within bounded work: %s', (rule, message) => {
    const text = event('SUMMARY:x', 'DTSTART:20270310T100000Z', `RRULE:${rule}`);
    const { user } = process.cpuUsage();
    expect(() => read(text, { occurrences: 10 })).toThrow(new Unreadable(message));
    expect(process.cpuUsage().user - user).toBeLessThan(2_000_000);
  });

  it('reject a zone that changes without end', () => {
    const zone =
      'BEGIN:VTIMEZONE\r\nTZID:Mine\r\nBEGIN:STANDARD\r\nDTSTART:16010101T000000\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0100\r\nRRULE:FREQ=SECONDLY\r\nEND:STANDARD\r\nEND:VTIMEZONE\r\n';
    const zones = described('Mine', zone);
    expect(() => read(event('DTSTART;TZID=Mine:20270310T100000'), { zones })).toThrow(
      new Unreadable('the time zone "Mine" is not known, and the file does not describe it'),
    );
  });

  it.each(['constructor', '__proto__', 'toString'])('do not know the zone %s', (id) => {
    expect(zoneOfId(id)).toBeUndefined();
  });

  it('read ends, durations, days and times without a zone', () => {
    const dates = (...lines: string[]) => {
      const { start_date, end_date, all_day, timezone } = read(event('SUMMARY:x', ...lines))[0]?.fields ?? {};
      return [start_date, end_date, all_day, timezone];
    };
    expect(dates('DTSTART:20270310T100000Z', 'DURATION:PT90M')).toEqual([
      '2027-03-10 10:00:00',
      '2027-03-10 11:30:00',
      false,
      'UTC',
    ]);
    expect(dates('DTSTART:20270310T100000')).toEqual([
      '2027-03-10 10:00:00',
      '2027-03-10 10:00:00',
      false,
      'America/New_York',
    ]);
    expect(dates('DTSTART;VALUE=DATE:20270310')).toEqual([
      '2027-03-10',
      '2027-03-10',
      true,
      'America/New_York',
    ]);
    // Without the word that has to be there.
    expect(dates('DTSTART:20270310', 'DTEND;TZID=Asia/Tokyo:20270313')).toEqual([
      '2027-03-10',
      '2027-03-12',
      true,
      'America/New_York',
    ]);
    expect(dates('DTSTART;VALUE=DATE:20270310', 'DURATION:P2D')).toEqual([
      '2027-03-10',
      '2027-03-11',
      true,
      'America/New_York',
    ]);
    // Clocks are put forward there from two to three.
    const spring = (time: string, duration: string) =>
      dates(`DTSTART;TZID=Europe/Berlin:20270328T${time}`, `DURATION:${duration}`)[1];
    expect([
      spring('023000', 'PT1H'),
      spring('010000', 'PT2H'),
      spring('010000', 'P1DT1H'),
      spring('040000', '-PT2H'),
    ]).toEqual(['2027-03-28 04:30:00', '2027-03-28 04:00:00', '2027-03-29 02:00:00', '2027-03-28 01:00:00']);
    expect(
      dates('DTSTART;TZID=Europe/Berlin:20270310T100000', 'DTEND;TZID=Europe/London:20270310T100000'),
    ).toEqual(['2027-03-10 10:00:00', '2027-03-10 11:00:00', false, 'Europe/Berlin']);
  });

  it('unescape texts', () => {
    expect(fieldsOf('SUMMARY:R&B <live> &amp; more', 'DESCRIPTION:1 < 2\\nnext')).toMatchObject({
      title: 'R&amp;B &lt;live&gt; &amp; more',
      description: '1 &lt; 2\nnext',
    });
    expect(fieldsOf('DESCRIPTION:<p>Hi</p>')).toMatchObject({ description: '<p>Hi</p>' });
    expect(
      fieldsOf(
        'DESCRIPTION:x',
        'X-ALT-DESC;FMTTYPE=text/html:<html><head><title>t</title></head><body lang="de"><b>B</b></body></html>',
      ),
    ).toMatchObject({ description: '<b>B</b>' });
    expect(fieldsOf('LOCATION:Tempodrom\\, Möckernstraße 10\\, 10963 Berlin')).toMatchObject({
      venue: [{ venue: 'Tempodrom', address: 'Möckernstraße 10, 10963 Berlin' }],
    });
    expect(fieldsOf('LOCATION:https://meet.example.org/x')).toMatchObject({
      website: 'https://meet.example.org/x',
    });
    expect(fieldsOf('ORGANIZER:mailto:a%20b@example.org', 'CLASS:PRIVATE')).toMatchObject({
      organizer: [{ organizer: 'a b@example.org' }],
      status: 'private',
    });
    expect(fieldsOf('URL:nonsense', 'STATUS:TENTATIVE')).not.toHaveProperty('website');
  });

  it('expand a recurrence to single events when requested', () => {
    const weekly = event(
      'SUMMARY:x',
      'DTSTART;TZID=Europe/Berlin:20270310T190000',
      'DTEND;TZID=Europe/Berlin:20270310T200000',
      'RRULE:FREQ=WEEKLY',
      'EXDATE;TZID=Europe/Berlin:20270317T190000',
    );
    const found = read(weekly, { occurrences: 3 });
    expect(
      found.map(({ uid, fields }) => [uid, fields['start_date'], fields['end_date'], fields['timezone']]),
    ).toEqual([
      ['x/20270310T190000', '2027-03-10 19:00:00', '2027-03-10 20:00:00', 'Europe/Berlin'],
      ['x/20270324T190000', '2027-03-24 19:00:00', '2027-03-24 20:00:00', 'Europe/Berlin'],
      ['x/20270331T190000', '2027-03-31 19:00:00', '2027-03-31 20:00:00', 'Europe/Berlin'],
    ]);
    const moved = event(
      'SUMMARY:y',
      'DTSTART;TZID=Europe/Berlin:20270325T190000',
      'RECURRENCE-ID;TZID=Europe/Berlin:20270324T190000',
    );
    expect(read(moved, { occurrences: 3 })[0]).toMatchObject({
      uid: 'x/20270324T190000',
      fields: { title: 'y' },
    });
  });

  it('report what is invalid in an event', () => {
    const faults: [string[], RegExp][] = [
      [['SUMMARY:x'], /^it has no DTSTART$/],
      [['SUMMARY:x', 'DTSTART:2027-13-45'], /^it cannot be read: /],
      [['DTSTART:20270310T100000Z', 'STATUS:CANCELLED'], /^it is cancelled$/],
      [['DTSTART;VALUE=DATE:20270310', 'DTEND;VALUE=DATE:20270309'], /^it ends before it begins$/],
      [
        ['DTSTART:20270310T100000Z', 'RRULE:FOO'],
        /^it recurs, but its RRULE cannot be used: "FOO" is no rule part$/,
      ],
      ...[
        ...['20270230T100000Z', '20270310T250000Z', '20271310T100000', '20270310T107500'],
        ...['20270306T100000+0200', '20270306T100000 Z', '20270306T100000ZZ', '20270306T1000005'],
      ].map((none): [string[], RegExp] => [[`DTSTART:${none}`], /^DTSTART is no date$/]),
    ];
    for (const [lines, message] of faults)
      expect(() => read(event(...lines), { occurrences: 1 })).toThrow(message);
    expect(() =>
      read(event('DTSTART:20270310T100000Z', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20270310T100000Z'), {
        occurrences: 1,
      }),
    ).toThrow(/all later occurrences/);
  });

  it('are split into components with their lines, whatever the chunks', async () => {
    const text = `\ufeffBEGIN:VCALENDAR\r\nX-WR-TIMEZONE:Asia/Tokyo\r\n\r\nBEGIN:VEVENT\nSUMMARY:é\u2028\nBEGIN:VALARM\nEND:VALARM\nEND:VEVENT\r\nEND:VCALENDAR\r\nBEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nEND:VTODO\r\nEND:VCALENDAR`;
    const bytes = Buffer.from(text);
    for (const size of [1, 7, 1000]) {
      const parts: CalendarPart[] = [];
      for await (const part of splitComponents(inPieces(bytes, size))) parts.push(part);
      expect(parts).toEqual([
        {
          name: 'X-WR-TIMEZONE',
          line: 2,
          calendar: 0,
          lines: [{ line: 2, text: 'X-WR-TIMEZONE:Asia/Tokyo' }],
        },
        // What stands within an event is not read.
        { name: 'VEVENT', line: 4, calendar: 0, lines: [{ line: 5, text: 'SUMMARY:é\u2028' }] },
        { name: 'VTODO', line: 11, calendar: 1, lines: [] },
      ]);
    }
  });

  it('may be folded within a character, which stays whole', async () => {
    const text = `BEGIN:VCALENDAR\r\n${event('SUMMARY:café 🎉', 'DTSTART:20270310T100000Z')}END:VCALENDAR\r\n`;
    const bytes = Buffer.from(text).toString('latin1');
    const folded = (fold: string) => Buffer.from(bytes.replace(/[\x80-\xbf]/g, `${fold}$&`), 'latin1');
    for (const size of [1, 1000])
      for await (const part of splitComponents(inPieces(folded('\r\n '), size)))
        expect(readEvents(part.lines, OPTIONS)[0]?.fields).toMatchObject({ title: 'café 🎉' });
  });

  it('reject other files, and drop what is too large', async () => {
    const split = async (bytes: Buffer) => {
      const parts: CalendarPart[] = [];
      for await (const part of splitComponents(inPieces(bytes, 65_536))) parts.push(part);
      return parts;
    };
    const bad: [Buffer, string][] = [
      [Buffer.from(''), 'it is empty'],
      [Buffer.from('<html>'), 'line 1 is not BEGIN:VCALENDAR'],
      [Buffer.from('BEGIN:VCALENDAR\nBEGIN:VEVENT\n'), 'it ends within the VEVENT that begins on line 2'],
      [Buffer.from([0x42, 0xff, 0xfe]), 'line 1 is not BEGIN:VCALENDAR'],
      [Buffer.alloc(1_200_000, 'x'), 'line 1 is not BEGIN:VCALENDAR'],
      [Buffer.from('BEGIN:VCARD\nEND:VCARD\n'), 'line 1 is not BEGIN:VCALENDAR'],
    ];
    for (const [bytes, message] of bad) await expect(split(bytes)).rejects.toThrow(new NotACalendar(message));
    const large = `BEGIN:VCALENDAR\nBEGIN:VEVENT\nATTACH:x\n${` ${'x'.repeat(50)}\n`.repeat(24_000)}UID:1\nEND:VEVENT\nEND:VCALENDAR\n`;
    expect(await split(Buffer.from(large))).toMatchObject([
      {
        lines: [
          { line: 3, isTooLong: true },
          { line: 24_004, text: 'UID:1' },
        ],
      },
    ]);
    const many = `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n${'X-A:b\n'.repeat(100_000)}END:VEVENT\nEND:VCALENDAR\n`;
    const [part] = await split(Buffer.from(many));
    expect(part?.lines.filter(({ isTooLong }) => isTooLong)).toHaveLength(100);
    expect(part?.lines.length).toBeLessThan(40_000);
  });
});

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
