import ICAL from 'ical.js';
import { DescribedZone } from '../../src/lib/ical/described-zone.js';
import { timeZoneLines, UsedZones } from '../../src/lib/ical/write-time-zone.js';
import { buildZone, offsetAt } from '../../src/lib/wordpress-text/dates/zones.js';

const DAY = 86_400;
const countOf = (text: string, what: RegExp) => text.match(what)?.length ?? 0;

describe('the VTIMEZONE of a series without an end', () => {
  it.each([
    ['Europe/Berlin', 2],
    ['America/New_York', 2],
    // The Friday from 23 March on.
    ['Asia/Jerusalem', 2],
    ['Australia/Lord_Howe', 2],
    ['America/Santiago', 2],
    ['Asia/Kolkata', 0],
    // Its changes follow the moon, or a day in two months: one by one up to 2101.
    ['Africa/Casablanca', 0],
    ['Africa/Cairo', 0],
  ])('has the offsets of %s up to 2100, with %i yearly rules', (name, rules) => {
    const text = timeZoneLines(name, [], 2026);
    expect(countOf(text, /^RRULE/gm)).toBe(rules);
    if (rules > 0) expect(text.length).toBeLessThan(900);
    const zone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(text)));
    const lines = text.split('\r\n').map((one, at) => ({ line: at, text: one }));
    const described = new DescribedZone(lines);
    const own = buildZone(name);
    const [theirs, ours, expected]: number[][] = [[], [], []];
    for (let epoch = Date.UTC(2026, 0, 10) / 1000; epoch < Date.UTC(2100, 11, 1) / 1000; epoch += 9 * DAY) {
      const offset = offsetAt(own, epoch);
      // Far enough from a change that the wall clock is clear.
      if (offset !== offsetAt(own, epoch - DAY) || offset !== offsetAt(own, epoch + DAY)) continue;
      expected?.push(offset);
      ours?.push(described.offsetAt(epoch + offset) ?? Number.NaN);
      const [date] = new Date((epoch + offset) * 1000).toISOString().split('.');
      theirs?.push(zone.utcOffset(ICAL.Time.fromDateTimeString(String(date))));
    }
    expect(ours).toEqual(expected);
    expect(theirs).toEqual(expected);
  });

  it('has the changes of former laws one by one', () => {
    const text = timeZoneLines('America/New_York', [], 2005);
    expect(text.match(/^DTSTART:\d{4}|^RRULE.*/gm)).toEqual([
      ...['DTSTART:2004', 'DTSTART:2005', 'DTSTART:2005', 'DTSTART:2006', 'DTSTART:2006'],
      ...['DTSTART:2007', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU'],
      ...['DTSTART:2007', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU'],
    ]);
  });

  it('is one with the years of other events before it', () => {
    const zones = new UsedZones();
    zones.cover('Europe/Berlin', 1999, 1999);
    zones.cover('Europe/Berlin', 2030, 2040);
    zones.cover('Europe/Berlin', 2027, Number.POSITIVE_INFINITY);
    const [text = '', ...others] = [...zones.lines()];
    expect(others).toEqual([]);
    expect(text.match(/^DTSTART:\d{4}/gm)?.map((one) => one.slice(8))).toEqual([
      ...['1998', '1998', '1998', '1999', '1999'],
      ...['2026', '2026', '2026'],
    ]);
  });
});
