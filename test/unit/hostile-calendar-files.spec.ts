import { calendarRecords } from '../../src/imports/calendar-records.js';
import type { FileRecord } from '../../src/imports/file-record.js';
import { splitComponents } from '../../src/lib/ical/split-components.js';

async function* once(text: string) {
  yield Buffer.from(text);
}
const calendar = (...lines: string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n');
const event = (uid: string, ...lines: string[]) => [
  ...['BEGIN:VEVENT', `UID:${uid}`, 'DTSTART:20270301T100000Z', ...lines, 'END:VEVENT'],
];
const recordsOf = async (text: string) => {
  const records: FileRecord[] = [];
  const options = { zone: 'UTC', occurrences: undefined, note: () => undefined };
  for await (const record of calendarRecords(() => once(text), options)) records.push(record);
  return records;
};
/** Seconds of the processor that work takes. */
const costOf = async (work: () => Promise<unknown>) => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

describe('a hostile calendar file', () => {
  it('with components deep within one another is split in linear time', async () => {
    const depth = 150_000;
    const nested = 'BEGIN:A\r\n'.repeat(depth) + 'END:B\r\n'.repeat(depth);
    const text = calendar(...event('a', 'X-NESTED:'), ...event('b')).replace('X-NESTED:\r\n', nested);
    const names: string[] = [];
    const cost = await costOf(async () => {
      for await (const { name, lines } of splitComponents(once(text))) names.push(`${name} ${lines.length}`);
    });
    expect(names).toEqual(['VEVENT 2', 'VEVENT 2']);
    expect(cost).toBeLessThan(10);
  });

  it('lets other work run between events whose dates take long to compute', async () => {
    const never = Array.from({ length: 40 }, (_, at) =>
      event(`${at}`, 'RRULE:FREQ=DAILY;BYHOUR=10,11,12,13;BYMONTH=2;BYMONTHDAY=30;BYSETPOS=1'),
    );
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    const records = await recordsOf(calendar(...never.flat()));
    clearInterval(timer);
    expect(records.map(({ fault }) => fault)).toEqual(
      Array(40).fill('it recurs, and takes place at no time'),
    );
    expect(ticks).toBeGreaterThanOrEqual(10);
  }, 60_000);

  it('with a zone of more than a hundred rules has the times of the zone of that name', async () => {
    const rule = ['BEGIN:STANDARD', 'DTSTART:20260101T000000', 'TZOFFSETFROM:+0500', 'TZOFFSETTO:+0500'];
    const rules = (count: number) =>
      Array(count)
        .fill([...rule, 'RRULE:FREQ=YEARLY', 'END:STANDARD'])
        .flat();
    const startOf = async (count: number) => {
      const zone = ['BEGIN:VTIMEZONE', 'TZID:Europe/Berlin', ...rules(count), 'END:VTIMEZONE'];
      const timed = event('a').with(2, 'DTSTART;TZID=Europe/Berlin:20270301T100000');
      const [record] = await recordsOf(calendar(...zone, ...timed));
      return record?.event?.fields['start_date'];
    };
    expect([await startOf(100), await startOf(101)]).toEqual(['2027-03-01 06:00:00', '2027-03-01 10:00:00']);
  });

  it('with more changed series than are kept in memory has all of their changes', async () => {
    const uids = Array.from({ length: 250 }, (_, at) => `s${at}`);
    const change = (uid: string, day: string) => [
      ...['BEGIN:VEVENT', `UID:${uid}`, `RECURRENCE-ID:202703${day}T100000Z`],
      ...[`DTSTART:202703${day}T120000Z`, 'END:VEVENT'],
    ];
    const records = await recordsOf(
      calendar(
        ...uids.flatMap((uid) => event(uid, 'RRULE:FREQ=DAILY;COUNT=5')),
        ...uids.flatMap((uid) => change(uid, '02')),
        ...uids.flatMap((uid) => change(uid, '03')),
      ),
    );
    const found = records.map(({ event: read }) => `${read?.uid} ${read?.fields['start_date']}`);
    expect(found).toEqual([
      ...uids.map((uid) => `${uid} 2027-03-01 10:00:00`),
      ...uids.map((uid) => `${uid}/20270302T100000 2027-03-02 12:00:00`),
      ...uids.map((uid) => `${uid}/20270303T100000 2027-03-03 12:00:00`),
    ]);
    expect(records.slice(0, 250).map(({ series }) => series?.ids)).toEqual(
      uids.map((uid) => [`${uid}/20270302T100000`, `${uid}/20270303T100000`]),
    );
  });
});
