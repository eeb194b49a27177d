import { Clock } from '../../src/common/clock.js';
import { abbreviationAt, storedAbbreviation } from '../../src/lib/wordpress-text/dates/abbreviation.js';
import {
  beginningOfDay,
  endOfDay,
  fromUtc,
  localizeDate,
  toStoredUtc,
  toUtc,
} from '../../src/lib/wordpress-text/dates/convert.js';
import { edgesAsNow, effectiveDates, listDates } from '../../src/lib/wordpress-text/dates/list-dates.js';
import {
  buildDateObject,
  isTime,
  isTimestamp,
  parseDateTime,
  storedDateDetails,
  strtotime,
} from '../../src/lib/wordpress-text/dates/strtotime.js';
import {
  addSeconds,
  formatIso,
  formatWallClock,
  parseWallClock,
  secondsBetween,
} from '../../src/lib/wordpress-text/dates/wall-clock.js';
import {
  buildZone,
  findZone,
  guessZoneName,
  isUtcOffset,
  isValidZone,
  offsetAt,
  siteZone,
  UTC,
} from '../../src/lib/wordpress-text/dates/zones.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

interface Row<A> {
  in: string;
  args: A;
}
interface TimeRow extends Row<{ now: string; tz: string }> {
  out: number | false;
  iso: string | null;
  date_create_valid: boolean;
  is_time: boolean;
}
interface BuildRow extends Row<{ timezone: string | null; with_fallback: boolean }> {
  out: string | false | null;
  iso: string | null;
  tz_name: string | null;
  now_dependent?: boolean;
}
interface ConvertRow extends Row<{ tz: string }> {
  to_utc: string;
  to_tz: string;
  abbr?: string;
  localize_date: string | false;
}
interface ZoneRow {
  in: string;
  is_utc_offset: boolean;
  is_valid_timezone: boolean;
  generate_timezone_string_from_utc_offset: unknown;
  build_timezone_object: unknown;
  get_timezone: string;
}
interface ListRow
  extends Row<{ site: { timezone_string: string; gmt_offset: string }; multiDayCutoff: string }> {
  wp_timezone_string: string;
  localize_date: string | false;
  inclusive_start: string;
  inclusive_end: string;
}

/** The time `now` in the recording build_date_object. */
const NOW = Date.UTC(2026, 10, 21, 7, 7, 7) / 1000;
const seconds = (iso: string) => Date.parse(iso) / 1000;

function except(indexes: readonly number[], reason: string): Record<number, string> {
  return Object.fromEntries(indexes.map((index) => [index, reason]));
}

describe('date texts', () => {
  proveVectors('strtotime', loadVectors<TimeRow[]>('strtotime'), ({ in: text, args, ...row }) => {
    const now = seconds(args.now);
    return {
      expected: [row.out, row.date_create_valid, row.is_time],
      actual: [strtotime(text, now, UTC), parseDateTime(text, now, UTC) !== undefined, isTime(text, now)],
    };
  });

  proveVectors('strtotime_tz', loadVectors<TimeRow[]>('strtotime_tz'), ({ in: text, args, out, iso }) => {
    const zone = findZone(args.tz) ?? UTC;
    const epoch = strtotime(text, seconds(args.now), zone);
    const offset = epoch === false ? 0 : offsetAt(zone, epoch);
    return { expected: [out, iso], actual: [epoch, formatIso(Number(epoch) + offset, offset)] };
  });

  proveVectors('is_timestamp', loadVectors<{ in: unknown; out: boolean }[]>('is_timestamp'), (row) => ({
    expected: row.out,
    actual: isTimestamp(row.in),
  }));

  proveVectors(
    'build_date_object',
    loadVectors<BuildRow[]>('build_date_object'),
    ({ in: text, args, ...row }) => {
      const date = buildDateObject(text, args.timezone ?? '', NOW);
      return {
        expected: [row.out || null, row.iso, row.tz_name],
        actual: date
          ? [formatWallClock(date.wall), formatIso(date.wall, date.offset), date.zone.name]
          : [null, null, null],
      };
    },
  );
});

describe('zones', () => {
  const zoneRows = loadVectors<ZoneRow[]>('timezone_strings');
  const noNumber = except(
    [222, 223, 224],
    'PHP throws (HTTP 500); here it is UTC, and W13 rejects it before',
  );
  proveVectors(
    'timezone_strings',
    zoneRows,
    (row) => ({
      expected: [
        row.is_utc_offset,
        row.generate_timezone_string_from_utc_offset,
        row.build_timezone_object,
        row.get_timezone,
      ],
      actual: [
        isUtcOffset(row.in),
        guessZoneName(row.in),
        buildZone(row.in).name,
        (findZone(row.in) ?? UTC).name,
      ],
    }),
    noNumber,
  );

  const rejected = [2, 3, 4, 5, 6, 7, 210, 211, 212, 213, 214, 215, 220, 221, 222, 223, 224, 225, 234, 237];
  proveVectors(
    'timezone_strings, on write',
    zoneRows,
    (row) => ({ expected: row.is_valid_timezone, actual: isValidZone(row.in) }),
    except(rejected, 'W13: only UTC±H[.f] and UTC±H:MM from -12 to +14 hours are accepted'),
  );

  proveVectors(
    'timezone_abbr_all',
    loadVectors<(Row<{ dates: string[] }> & { out: string[] })[]>('timezone_abbr_all'),
    (row) => ({ expected: row.out, actual: row.args.dates.map((date) => abbreviationAt(date, row.in)) }),
  );

  proveVectors(
    'timezones_convert',
    loadVectors<ConvertRow[]>('timezones_convert'),
    ({ in: text, args, ...row }) => ({
      expected: [row.to_utc, row.to_tz, row.abbr ?? '', row.localize_date],
      actual: [
        toUtc(text, args.tz),
        fromUtc(text, args.tz),
        abbreviationAt(text, args.tz),
        localizeDate(text, args.tz, NOW),
      ],
    }),
  );
});

describe('days', () => {
  interface CutoffRow extends Row<{ multiDayCutoff: string }> {
    tribe_beginning_of_day: string;
    tribe_end_of_day: string;
    begin_Ymd: string;
  }
  proveVectors('day_cutoff', loadVectors<CutoffRow[]>('day_cutoff'), ({ in: text, args, ...row }) => {
    const begin = beginningOfDay(text, args.multiDayCutoff, NOW);
    return {
      expected: [row.tribe_beginning_of_day, row.tribe_end_of_day, row.begin_Ymd],
      actual: [begin, endOfDay(text, args.multiDayCutoff, NOW), begin.slice(0, 10)],
    };
  });

  proveVectors(
    'list_date_filters',
    loadVectors<ListRow[]>('list_date_filters'),
    ({ in: text, args, ...row }) => {
      const zone = siteZone({ timezoneString: args.site.timezone_string, gmtOffset: args.site.gmt_offset });
      const site = { zone, cutoff: args.multiDayCutoff };
      const lax = listDates({ start_date: text, end_date: text }, false, site, NOW);
      const strict = listDates({ start_date: text, end_date: text }, true, site, NOW);
      return {
        expected: [row.wp_timezone_string, row.localize_date, row.inclusive_start, row.inclusive_end],
        actual: [zone, strict.start_date ?? false, lax.start_date, lax.end_date],
      };
    },
  );
});

describe('stored dates', () => {
  interface WriteRow {
    in: Record<string, unknown>;
    out: { stored_meta?: [string, string][] };
  }
  const writes = loadVectors<WriteRow[]>('rest_write').filter(
    ({ in: sent, out }) => typeof sent?.start_date === 'string' && !sent.all_day && out.stored_meta,
  );
  proveVectors('rest_write: start', writes, ({ in: sent, out }) => {
    const stored = new Map(out.stored_meta);
    const zone = (sent.timezone as string) || 'UTC+0';
    const start = formatWallClock(buildDateObject(sent.start_date, zone, NOW)?.wall ?? 0);
    return {
      expected: ['_EventStartDate', '_EventStartDateUTC', '_EventTimezoneAbbr'].map((key) => stored.get(key)),
      actual: [start, toStoredUtc(start, zone), storedAbbreviation(start, zone)],
    };
  });
});

describe('dates beyond the vectors', () => {
  const defaults = (zone: string, strict = false) =>
    listDates({}, strict, { zone, cutoff: '00:00' }, seconds('2026-11-21T06:50:00Z'));

  it('default to yesterday or today in the zone of the site until two years ahead', () => {
    const end_date = '2028-11-21 23:59:59';
    expect(defaults('Europe/Berlin')).toEqual({ start_date: '2026-11-21 00:00:00', end_date });
    expect(defaults('America/New_York')).toEqual({ start_date: '2026-11-20 00:00:00', end_date });
    expect(defaults('UTC')).toEqual({ start_date: '2026-11-20 00:00:00', end_date });
    expect(defaults('Europe/Berlin', true)).toEqual({
      start_date: '2026-11-21 01:59:00',
      end_date: '2028-11-21 07:50:00',
    });
  });

  it('apply starts_after instead of start_date and the default end', () => {
    const dates = listDates(
      { start_date: '2027-01-01', starts_after: '2026-12-10' },
      false,
      { zone: 'UTC', cutoff: '' },
      NOW,
    );
    expect(dates).toEqual({ start_date: '2027-01-01 00:00:00', starts_after: '2026-12-10 23:59:59' });
    expect(effectiveDates(dates)).toEqual({ starts_after: '2026-12-10 23:59:59' });
  });

  it('are parsed from epoch seconds or digits of a date, and omitted for other numbers', () => {
    const site = { zone: 'UTC', cutoff: '' };
    const start = (value: unknown, strict = false) =>
      listDates({ start_date: value, ends_before: 1 }, strict, site, NOW).start_date;
    expect(start('1.5', true)).toMatch(/ 01:05:00$/);
    expect(start('20.06', true)).toMatch(/ 20:06:00$/);
    expect(start('1969.128')).toBe('1969-05-08 00:00:00');
    expect(start('3823000000')).toBe('2091-02-22 00:00:00');
    expect(start(3.823e9)).toBe('2091-02-22 00:00:00');
    for (const value of ['1e9', '2026.11', '1e400']) {
      expect([value, start(value)]).toEqual([value, undefined]);
      expect(edgesAsNow({ start_date: value, ends_after: value }, 'UTC', NOW)).toEqual({
        ends_after: formatWallClock(NOW),
      });
    }
    expect(edgesAsNow({ ends_after: '20.06', ends_before: '5' }, 'UTC', NOW)).toEqual({});
  });

  it('are parsed a second time for a year past 9999', () => {
    expect(beginningOfDay('+10000-01-01', '00:00', NOW)).toBe('2000-01-01 10:00:00');
    expect(endOfDay('+10000-01-01', '01:00', NOW)).toBe('2000-01-02 10:59:59');
    expect(beginningOfDay('+9999-12-31 23:59', '00:00', NOW)).toBe('9999-12-31 00:00:00');
  });

  it('are converted by zone rules for the years 900 to 2899', () => {
    expect(toUtc('2091-03-11 02:30:00', 'America/New_York')).toBe('2091-03-11 07:30:00');
    expect(toUtc('2091-11-04 01:30:00', 'America/New_York')).toBe('2091-11-04 05:30:00');
    expect(toUtc('2899-07-01 10:00:00', 'Europe/Paris')).toBe('2899-07-01 08:00:00');
    expect(toUtc('0900-07-01 10:00:00', 'Europe/Paris')).toBe('0900-07-01 09:50:39');
    expect(toStoredUtc('2027-07-10 10:00:00', 'UTC+2')).toBe('2027-07-10 07:00:00');
    expect(storedAbbreviation('2021-07-01 10:00:00', 'America/Mexico_City')).toBe('CDT');
    expect(isValidZone('europe/PARIS') && isValidZone('-12:00') && isValidZone('Z')).toBe(true);
    expect(isValidZone('') || isValidZone('+14:30') || isValidZone('UTC+99')).toBe(false);
  });

  it('are calculated as local times', () => {
    expect(addSeconds('2026-02-28 23:59:59', 1)).toBe('2026-03-01 00:00:00');
    expect(secondsBetween('2026-12-31 23:00:00', '2027-01-01 01:00:00')).toBe(7200);
    expect(formatIso(parseWallClock('2026-12-01') ?? 0, -12600)).toBe('2026-12-01T00:00:00-03:30');
    const now = Date.parse('2091-03-01T10:00:00Z') / 1000;
    const details = (text: string) => Object.values(storedDateDetails(text, now)).join(' ');
    expect(details('2091-03-01 09:05:00')).toBe('2091 03 01 09 05 00');
    expect(details('5/6/2091 8pm')).toBe('2091 05 06 20 00 00');
    expect(details('tomorrow')).toBe('2091 03 02 00 00 00');
    for (const unreadable of ['', 'garbage', '3830000000'])
      expect(details(unreadable)).toBe('1970 01 01 00 00 00');
    expect(Math.abs(new Clock().now() - Date.now())).toBeLessThan(1000);
  });

  it('are parsed in the remaining forms of the grammar as PHP documents them', () => {
    const now = seconds('2026-11-18T15:30:45Z');
    const read = (text: string) => formatWallClock(parseDateTime(text, now, UTC)?.wall ?? Number.NaN);
    expect(read('1978')).toBe('1978-11-18 15:30:45');
    expect(read('2 weekdays ago')).toBe('2026-11-16 15:30:45');
    expect(read('saturday this week')).toBe('2026-11-21 00:00:00');
    expect(read('last monday of next month')).toBe('2026-12-28 00:00:00');
    expect(read('last sat of July 2008')).toBe('2008-07-26 00:00:00');
    expect(read('Monday, July 6, 2026 5:04:03 pm')).toBe('2026-07-06 17:04:03');
    expect(read('+1500 ms')).toBe('2026-11-18 15:30:46');
  });

  it('are parsed in linear time from hostile texts', () => {
    const texts = [
      ' ',
      '-',
      '+',
      '1',
      'a',
      '<',
      '[',
      '"',
      '.',
      'mon ',
      '1 day ',
      'Nov ',
      'first ',
      '1 ',
      '@',
      '\t\n',
      'x  ',
    ];
    const start = performance.now();
    for (const text of texts) {
      const long = text.repeat(100_000 / text.length);
      strtotime(long, NOW, UTC);
      strtotime(`now ${long} y`, NOW, UTC);
      isValidZone(long);
      isUtcOffset(long);
      guessZoneName(`UTC${long}`);
    }
    expect(performance.now() - start).toBeLessThan(20_000);
  });
});
