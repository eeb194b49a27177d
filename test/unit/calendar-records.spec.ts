import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRecords } from '../../src/cli/import/import-records.js';
import type { FileRecord } from '../../src/imports/file-record.js';
import { titleFor } from '../../src/lib/ical/read-texts.js';
import { testFolder } from '../support/test-folder.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(testFolder(), 'records-'));
});

const recordsOf = async (text: string | Buffer, name = 'file.ics') => {
  const path = join(folder, name);
  await writeFile(path, text);
  const notes: string[] = [];
  const records: FileRecord[] = [];
  const input = {
    zone: 'America/New_York',
    occurrences: undefined,
    note: (line: string) => notes.push(line),
  };
  for await (const record of readRecords(path, input)) records.push(record);
  return { records, notes };
};
const event = (uid: string, ...lines: string[]) => ['BEGIN:VEVENT', `UID:${uid}`, ...lines, 'END:VEVENT'];
const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n');
/** Ids with starts and zones, and what is lost or left out. */
const essence = ({ records }: { records: FileRecord[] }) =>
  records.map(({ line, event: found, fault }) => {
    if (!found) return `${line}: ${fault}`;
    const { start_date: start, timezone } = found.fields;
    const losses = (found.losses ?? []).map((one) => `; ${one.line} ${one.property}: ${one.why}`);
    return `${found.uid} ${start} ${timezone}${losses.join('')}`;
  });
const at = 'DTSTART:20270310T100000Z';

describe('time zones of a calendar file', () => {
  const zone = (offset: string) => [
    'BEGIN:VTIMEZONE',
    'TZID:UTC-11',
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    `TZOFFSETFROM:${offset}`,
    `TZOFFSETTO:${offset}`,
    'END:STANDARD',
    'END:VTIMEZONE',
  ];
  const timed = event('a', 'DTSTART;TZID=UTC-11:20270310T100000');

  it('may be described before or after the events that name them', async () => {
    const wanted = ['a 2027-03-10 02:00:00 America/New_York'];
    expect(essence(await recordsOf(calendar(...zone('+0300'), ...timed)))).toEqual(wanted);
    expect(essence(await recordsOf(calendar(...timed, ...zone('+0300'))))).toEqual(wanted);
    expect(essence(await recordsOf(calendar(...timed)))).toEqual(['a 2027-03-10 10:00:00 Etc/GMT+11']);
  });

  it('are those of its own calendar where a file holds several', async () => {
    const two =
      calendar(...timed, ...zone('+0300')) + calendar(...timed, ...zone('-1100')) + calendar(...timed);
    expect(essence(await recordsOf(two.replaceAll('TZID', 'X'))).length).toBe(3);
    const found = await recordsOf(
      two.split('UID:a').reduce((text, part, index) => `${text}UID:${index}${part}`),
    );
    expect(essence(found)).toEqual([
      '1 2027-03-10 02:00:00 America/New_York',
      '2 2027-03-10 10:00:00 Etc/GMT+11',
      '3 2027-03-10 02:00:00 America/New_York',
    ]);
  });

  it('default to X-WR-TIMEZONE for times in UTC and times without a zone, wherever it stands', async () => {
    const events = [
      ...event('a', 'DTSTART:20270301T233000Z', 'DTEND:20270302T003000z'),
      ...event('b', 'DTSTART:20270301t233000'),
      ...event('c', 'DTSTART;VALUE=DATE:20270301'),
      // Of the hour that comes twice only UTC says which one.
      ...event('d', 'DTSTART:20261025T003000Z'),
      ...event('e', 'DTSTART;TZID=Asia/Tokyo:20270301T233000Z'),
    ];
    const wanted = [
      'a 2027-03-02 00:30:00 Europe/Berlin',
      'b 2027-03-01 23:30:00 Europe/Berlin',
      'c 2027-03-01 Europe/Berlin',
      'd 2026-10-25 00:30:00 UTC',
      'e 2027-03-02 08:30:00 Asia/Tokyo',
    ];
    for (const name of ['Europe/Berlin', 'w. europe standard time'])
      for (const lines of [
        [`X-WR-TIMEZONE:${name}`, ...events],
        [...events, `X-WR-TIMEZONE;VALUE=TEXT:${name}`],
      ])
        expect(essence(await recordsOf(calendar(...lines)))).toEqual(wanted);
    const { records } = await recordsOf(calendar(...events));
    expect(records[0]?.event?.fields).toMatchObject({ timezone: 'UTC', end_date: '2027-03-02 00:30:00' });
    const ours = ['PRODID:-//Almanac//Calendar//EN', 'X-WR-TIMEZONE:Europe/Berlin', ...event('a', at)];
    expect(essence(await recordsOf(calendar(...ours)))).toEqual(['a 2027-03-10 10:00:00 UTC']);
  });

  it('may be named without the quotes that their colons require', async () => {
    const name = '(UTC-05:00) Eastern Time (US & Canada)';
    for (const id of [name, `"${name}"`])
      expect(essence(await recordsOf(calendar(...event('a', `DTSTART;TZID=${id}:20270310t100000`))))).toEqual(
        ['a 2027-03-10 10:00:00 America/New_York'],
      );
  });

  it('may be five thousand, all of which are read where they are used', async () => {
    const lines = Array.from({ length: 5000 }, (_, n) => [
      ...zone('+0300').map((line) => line.replace('UTC-11', `Mine ${n}`)),
      ...event(`${n}`, `DTSTART;TZID=Mine ${n}:20270310T100000`),
    ]);
    const { user, system } = process.cpuUsage();
    const found = essence(await recordsOf(calendar(...lines.flat())));
    const used = process.cpuUsage({ user, system });
    expect(new Set(found.map((one) => one.replace(/^\d+/, '')))).toEqual(
      new Set([' 2027-03-10 02:00:00 America/New_York']),
    );
    expect(found).toHaveLength(5000);
    expect((used.user + used.system) / 1e6).toBeLessThan(30);
  }, 60_000);
});

describe('an invalid part of a calendar file', () => {
  it.each([
    ['URL:nonsense', 'URL: "nonsense" is no address'],
    ['URL:http://a b/', 'URL: "http://a b/" is no address'],
    ['DTEND:', 'DTEND: it is empty'],
    ['DTEND;TZID=Europe/Berlin: ', 'DTEND: it is empty'],
    ['DURATION:PT260000000000S', 'DURATION: invalid value'],
    ['DTEND:never', 'DTEND: '],
    ['DTEND;VALUE=DATE:20270431', 'DTEND: DTEND is no date'],
    ['DTEND;VALUE=DATE:20270311', 'DTEND: a day, where DTSTART is a time'],
    ['DTEND:20270310T110000+0200', 'DTEND: DTEND is no date'],
    ['DTEND;TZID=Nowhere:20270310T120000', 'DTEND: the time zone "Nowhere" is not known'],
    ['DURATION:P999999999999999999W', 'DURATION: invalid value'],
    ['DURATION:P500000W', 'DURATION: invalid value'],
    ['DURATION:soon', 'DURATION: '],
    [`CATEGORIES:Good,${'x'.repeat(201)}`, `CATEGORIES: "${'x'.repeat(40)}…" is longer than 200 characters`],
    [
      `ATTACH;ENCODING=BASE64;VALUE=BINARY:${'QUJD'.repeat(500_000)}`,
      'ATTACH: it is longer than 1000000 bytes',
    ],
    ['LOCATION;X-NAME=Hall;X-WEBSITE=nonsense:Hall', 'X-WEBSITE: "nonsense" is no address'],
    ['SUMMARY', 'SUMMARY: it cannot be read: '],
    ['no property at all', 'no property at all: it cannot be read: '],
    ['DESCRIPTION;ALTREP="x:y', 'DESCRIPTION: it cannot be read: '],
  ])('is dropped alone and reported (%#)', async (bad, why) => {
    const lines = [...event('a', at, 'LOCATION:Hall', bad), ...event('b', at)];
    for (const text of [
      calendar(...lines),
      calendar(...lines).replace(/(?<=.{60})(?=.{60})/g, '\r\n '),
    ].slice(0, bad.length > 99 ? 1 : 2)) {
      const [a = '', b] = essence(await recordsOf(text));
      expect(a).toMatch(/^a 2027-03-10 10:00:00 UTC; 6 /);
      expect(a.slice(a.indexOf('; 6 ') + 4)).toContain(why);
      expect(b).toBe('b 2027-03-10 10:00:00 UTC');
    }
  });

  it('drops no other value of its list', async () => {
    const { records } = await recordsOf(
      calendar(...event('a', at, `CATEGORIES:Good,${'x'.repeat(201)},Ä${'ö'.repeat(199)}`)),
    );
    expect(records[0]?.event?.fields['categories']).toEqual(['Good', `Ä${'ö'.repeat(199)}`]);
  });

  it('may be the END of an event, of what stands in it, or of the calendar', async () => {
    const [begin, uid] = event('a', at);
    const open = [begin ?? '', uid ?? '', at];
    for (const within of [[], ['BEGIN:VALARM', 'TRIGGER:-PT5M'], ['END:VALARM']])
      for (const next of [event('b', at), ['BEGIN:VTIMEZONE', 'TZID:x', 'END:VTIMEZONE', ...event('b', at)]])
        expect(essence(await recordsOf(calendar(...open, ...within, ...next)))).toEqual([
          'a 2027-03-10 10:00:00 UTC; 2 END: it is missing',
          'b 2027-03-10 10:00:00 UTC',
        ]);
    expect(essence(await recordsOf(calendar(...open) + calendar(...event('b', at))))).toHaveLength(2);
    expect(
      essence(
        await recordsOf(
          calendar(...event('a', at)).replace('END:VCALENDAR', '') + calendar(...event('b', at)),
        ),
      ),
    ).toEqual(['a 2027-03-10 10:00:00 UTC', 'b 2027-03-10 10:00:00 UTC']);
    await expect(recordsOf(calendar(...open).replace('END:VCALENDAR', ''))).rejects.toThrow(
      'it ends within the VEVENT that begins on line 2',
    );
  });

  it('is reported twenty times at most', async () => {
    const { records } = await recordsOf(
      calendar(...event('a', at, ...Array.from({ length: 500 }, (_, n) => `bad line ${n}`))),
    );
    expect(records[0]?.event?.losses).toHaveLength(21);
  });
});

describe('an incomplete or non-UTF-8 calendar file', () => {
  it('may contain events without VCALENDAR around them', async () => {
    const fragment = [...event('a', at), ...event('b', at), ''].join('\n');
    expect(essence(await recordsOf(fragment))).toHaveLength(2);
    expect(essence(await recordsOf(`${calendar(...event('c', at))}${fragment}`))).toHaveLength(3);
  });

  it('may be Latin-1, which is reported once', async () => {
    const text = calendar(
      ...event('a', at, 'SUMMARY:Café – “Öl”'),
      ...event('b', at, 'SUMMARY:über'),
    ).replace('–', '\x96');
    const bytes = Buffer.from(text.replace('“', '\x93').replace('”', '\x94'), 'latin1');
    const { records, notes } = await recordsOf(bytes);
    expect(records.map((record) => record.event?.fields['title'])).toEqual(['Café – “Öl”', 'über']);
    expect(notes).toEqual([
      'Line 5 is not UTF-8: it is read as Windows-1252 (Latin-1); further ones are not named.',
    ]);
  });

  it('preserves the other characters of a text that is folded within one', async () => {
    const bytes = Buffer.from(calendar(...event('a', at, 'SUMMARY:Schöne Grü#')))
      .toString('latin1')
      .replace('#', '\xc3');
    const { records, notes } = await recordsOf(Buffer.from(bytes, 'latin1'));
    expect(records[0]?.event?.fields['title']).toBe('Schöne Grü\ufffd');
    expect(notes).toEqual(['Line 5 is not UTF-8: it is damaged; further ones are not named.']);
  });

  it('may be a table in Latin-1, but no table that is partly UTF-8', async () => {
    const table = (rows: string) => Buffer.from(`title,start_date\n${rows}`, 'latin1');
    const { records, notes } = await recordsOf(table('Caf\xe9,2091-01-01\n\xd6l,2091-01-02'), 'table.csv');
    expect(records.map((record) => record.event?.fields['title'])).toEqual(['Café', 'Öl']);
    expect(notes).toEqual(['The file is not UTF-8: it is read as Windows-1252 (Latin-1).']);
    await expect(recordsOf(table('Caf\xc3\xa9,2091-01-01\n\xd6l,2091-01-02'), 'mixed.csv')).rejects.toThrow(
      'is not UTF-8',
    );
  });
});

describe('events with the same UID', () => {
  const shared = ' UID: other events of the file have it: they are told apart by DTSTART';
  const [first, second] = [
    event('a', 'DTSTART:20270310T100000Z', 'SUMMARY:One'),
    event('a', 'DTSTART:20270311T100000Z', 'SUMMARY:Two'),
  ];

  it('are distinguished by their starts, in any order', async () => {
    expect(essence(await recordsOf(calendar(...first, ...second)))).toEqual([
      `a/20270310T100000 2027-03-10 10:00:00 UTC; 2${shared}`,
      `a/20270311T100000 2027-03-11 10:00:00 UTC; 7${shared}`,
    ]);
    const uids = (await recordsOf(calendar(...second, ...first))).records.map((record) => record.event?.uid);
    expect(uids).toEqual(['a/20270311T100000', 'a/20270310T100000']);
  });

  it('are distinguished by RECURRENCE-ID where the series is not in the file', async () => {
    const changed = event('a', 'DTSTART:20270311T150000Z', 'RECURRENCE-ID:20270311T100000Z');
    const loss = 'RECURRENCE-ID: the event becomes one of its own: its series is not in the file';
    expect(essence(await recordsOf(calendar(...first, ...changed)))).toEqual([
      'a 2027-03-10 10:00:00 UTC',
      `a/20270311T100000 2027-03-11 15:00:00 UTC; 10 ${loss}`,
    ]);
    const series = event('a', 'DTSTART:20270310T100000Z', 'RRULE:FREQ=DAILY');
    expect(essence(await recordsOf(calendar(...changed, ...series)))).toEqual([
      'a 2027-03-10 10:00:00 UTC',
      'a/20270311T100000 2027-03-11 15:00:00 UTC',
    ]);
  });

  it('are merged where they are equal; the second one is skipped where only the starts are equal', async () => {
    expect(essence(await recordsOf(calendar(...first, ...first)))).toEqual(
      Array(2).fill('a 2027-03-10 10:00:00 UTC'),
    );
    const other = event('a', 'DTSTART:20270310T100000Z', 'SUMMARY:Another');
    expect(essence(await recordsOf(calendar(...first, ...other)))).toEqual([
      'a 2027-03-10 10:00:00 UTC',
      '7: the event on line 2 has the same UID and begins at the same time',
    ]);
  });
});

describe('the title of an event without SUMMARY', () => {
  it.each([
    [undefined, '(no title)'],
    ['<p> </p>', '(no title)'],
    ['<p>Tea &amp; <b>cake</b></p><p>And more</p>', 'Tea &amp; cake'],
    [`${'🎉'.repeat(100)}`, `${'🎉'.repeat(79)}…`],
  ])('is taken from its description (%#)', (description, title) => {
    expect(titleFor(description)).toBe(title);
  });
});
