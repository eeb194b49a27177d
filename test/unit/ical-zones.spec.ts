import { WINDOWS_ZONES } from '../../src/lib/ical/data/windows-zones.js';
import { DescribedZone } from '../../src/lib/ical/described-zone.js';
import { FileZones } from '../../src/lib/ical/file-zones.js';
import { zoneOfId } from '../../src/lib/ical/zone-names.js';
import { toStoredUtc } from '../../src/lib/wordpress-text/dates/convert.js';
import { parseWallClock } from '../../src/lib/wordpress-text/dates/wall-clock.js';
import { isValidZone } from '../../src/lib/wordpress-text/dates/zones.js';

const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((one, at) => ({ line: at + 1, text: one.trim() }));
const fixed = (offset: string) =>
  new DescribedZone(
    lines(`BEGIN:STANDARD
      DTSTART:16010101T000000
      TZOFFSETFROM:${offset}
      TZOFFSETTO:${offset}
      END:STANDARD`),
  );
const BERLIN = `BEGIN:STANDARD
  DTSTART:16011028T030000
  RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
  TZOFFSETFROM:+0200
  TZOFFSETTO:+0100
  END:STANDARD
  BEGIN:DAYLIGHT
  DTSTART:16010325T020000
  RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
  TZOFFSETFROM:+0100
  TZOFFSETTO:+0200
  END:DAYLIGHT`;
/** The instant as the interface will store it, with the zone that it is shown in. */
const stored = (wall: string, id: string, zone?: DescribedZone) => {
  const zones = new FileZones('America/New_York', 'UTC', new Map(zone ? [[id, zone]] : []));
  const moment = zones.moment(wall, id);
  return moment && [toStoredUtc(moment.wall, moment.zone), moment.zone];
};
const summer = '2027-07-01 10:00:00';
const winter = '2027-01-15 10:00:00';

describe('time zones of calendar files, by name', () => {
  it.each([
    ['eastern standard time', 'America/New_York'],
    ['EASTERN DAYLIGHT TIME', 'America/New_York'],
    ['(UTC-05:00) Eastern Time (US & Canada)', 'America/New_York'],
    ['(GMT-05:00) Eastern Time (US & Canada)', 'America/New_York'],
    ['(utc+01:00) amsterdam, berlin, bern, rome, stockholm, vienna', 'Europe/Berlin'],
    ['(GMT) Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London', 'Europe/London'],
    ['Yukon Standard Time', 'America/Whitehorse'],
    ['UTC-11', 'Etc/GMT+11'],
    ['UTC-09', 'Etc/GMT+9'],
    ['Coordinated Universal Time+13', 'Etc/GMT-13'],
    ['GMT+05:30', '+05:30'],
    ['gmt+0530', '+05:30'],
    ['UTC+5.5', '+05:30'],
    ['UTC+5.75', '+05:45'],
    ['(GMT+01.00)', '+01:00'],
    ['-0330', '-03:30'],
    ['UTC\u22123', '-03:00'],
    ['UTC+2', '+02:00'],
    ['UTC-00:00', 'UTC'],
    ['CET', 'Europe/Brussels'],
    ['EST', 'EST'],
    ['/citadel.org/20070227_1/Europe/London', 'Europe/London'],
    ['/x.org/UTC', 'UTC'],
    ['GMT+25', undefined],
    ['UTC+5.5.5', undefined],
    ['(UTC-05:00) Nowhere at all', undefined],
    ['Eastern', undefined],
  ])('are resolved: %s', (id, zone) => {
    expect(zoneOfId(id)).toBe(zone);
  });

  it('cover every Windows zone, with names that the interface accepts', () => {
    expect(WINDOWS_ZONES.size).toBeGreaterThan(270);
    const wrong = [...WINDOWS_ZONES].filter(
      ([name]) =>
        !isValidZone(zoneOfId(name.toUpperCase()) ?? '') || zoneOfId(`(UTC+00:00) ${name}`) === undefined,
    );
    expect(wrong).toEqual([]);
  });

  it('have the same instant in the interface as in the file', () => {
    expect(stored(summer, 'UTC+2')).toEqual(['2027-07-01 08:00:00', '+02:00']);
    expect(stored(summer, 'UTC-11')).toEqual(['2027-07-01 21:00:00', 'Etc/GMT+11']);
    expect(stored(summer, 'CET')).toEqual(['2027-07-01 08:00:00', 'Europe/Brussels']);
  });
});

describe('time zones that calendar files describe', () => {
  it.each([
    ['UTC-11', '-1100', '2027-07-01 21:00:00', 'Etc/GMT+11'],
    ['UTC+2', '-0500', '2027-07-01 15:00:00', 'America/New_York'],
    ['EST', '-0400', '2027-07-01 14:00:00', 'America/New_York'],
    ['Europe/Berlin', '+0100', '2027-07-01 09:00:00', 'Europe/Berlin'],
    ['Mine', '+0130', '2027-07-01 08:30:00', 'America/New_York'],
  ])('take precedence over the name %s, and are shown in a zone of the calendar', (id, offset, utc, zone) => {
    expect(stored(summer, id, fixed(offset))).toEqual([utc, zone]);
  });

  it('keep the name where its rules are the same, in any year', () => {
    const zone = new DescribedZone(lines(BERLIN));
    for (const wall of [summer, winter, '2091-07-10 19:00:00', '1990-12-24 18:00:00'])
      for (const id of ['Europe/Berlin', 'W. Europe Standard Time'])
        expect(stored(wall, id, zone)).toEqual([toStoredUtc(wall, 'Europe/Berlin'), 'Europe/Berlin']);
    // As Almanac writes a zone that PHP makes a city of.
    const helsinki = new DescribedZone(
      lines(
        BERLIN.replaceAll('+02', '+03').replaceAll('+01', '+02').replace('T03', 'T04').replace('T02', 'T03'),
      ),
    );
    expect(stored(summer, 'UTC+2', helsinki)).toEqual(['2027-07-01 07:00:00', 'UTC+2']);
  });

  it('resolve repeated and skipped hours as the RFC says', () => {
    const zone = new DescribedZone(lines(BERLIN));
    const offsets = [
      '2027-10-31 02:30:00',
      '2027-10-31 03:00:00',
      '2027-03-28 02:30:00',
      '2027-03-28 03:00:00',
    ].map((wall) => (zone.offsetAt(parseWallClock(wall) ?? 0) ?? 0) / 3600);
    expect(offsets).toEqual([2, 1, 1, 2]);
  });

  it('end at their UNTIL, which is in UTC, and include RDATE', () => {
    const zone = new DescribedZone(
      lines(`BEGIN:DAYLIGHT
        DTSTART:20200329t020000
        RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3;UNTIL=20240331T010000Z
        TZOFFSETFROM:+0100
        TZOFFSETTO:+0200
        END:DAYLIGHT
        BEGIN:STANDARD
        DTSTART:20201025T030000
        RDATE:20211031T030000,20221030T030000
        TZOFFSETFROM:+0200
        TZOFFSETTO:+0100
        END:STANDARD`),
    );
    const offset = (wall: string) => (zone.offsetAt(parseWallClock(wall) ?? 0) ?? NaN) / 3600;
    expect(
      ['2019-12-01', '2020-12-01', '2021-12-01', '2022-12-01', '2024-12-01'].map((day) =>
        offset(`${day} 12:00:00`),
      ),
    ).toEqual([NaN, 1, 1, 1, 2]);
    expect(zone.firstOffset()).toBe(3600);
  });

  it('defer to the name where they contain no rules', () => {
    for (const text of [
      'X-LIC-LOCATION:Europe/Berlin',
      'BEGIN:STANDARD\nDTSTART:never\nTZOFFSETTO:+0000\nEND:STANDARD',
    ])
      expect(stored(summer, 'Europe/Berlin', new DescribedZone(lines(text)))).toEqual([
        '2027-07-01 08:00:00',
        'Europe/Berlin',
      ]);
    expect(stored(summer, 'Mine', new DescribedZone([]))).toBeUndefined();
  });

  it('are all dropped once some of them take too long', () => {
    const endless = () =>
      new DescribedZone(lines(BERLIN.replaceAll(/FREQ=.*/g, 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30')));
    const many = new Map(Array.from({ length: 5000 }, (_, at) => [`Mine ${at}`, endless()]));
    const zones = new FileZones('UTC', 'UTC', many);
    const found = [...many.keys()].map((id) => zones.moment(summer, id));
    expect(found.filter(Boolean)).toEqual([]);
  }, 60_000);
});
