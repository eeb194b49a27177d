import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { abbreviationAt, storedAbbreviation } from '../../src/wordpress/dates/abbreviation.js';
import { buildDateObject } from '../../src/wordpress/dates/build-date-object.js';
import { Clock } from '../../src/wordpress/dates/clock.js';
import { fromUtc, localizeDate, toIsoDate, toStoredUtc, toUtc } from '../../src/wordpress/dates/convert.js';
import { beginningOfDay, endOfDay } from '../../src/wordpress/dates/day-bounds.js';
import { findZone } from '../../src/wordpress/dates/find-zone.js';
import { isTime } from '../../src/wordpress/dates/is-time.js';
import { isTimestamp } from '../../src/wordpress/dates/is-timestamp.js';
import { effectiveDates, isStrictDates, listDates } from '../../src/wordpress/dates/list-dates.js';
import { parseDateTime, strtotime } from '../../src/wordpress/dates/strtotime.js';
import { fixedUtcOffsetName, guessZoneName, isUtcOffset } from '../../src/wordpress/dates/utc-offset.js';
import {
  addSeconds,
  formatIso,
  formatWallClock,
  parseWallClock,
  secondsBetween,
} from '../../src/wordpress/dates/wall-clock.js';
import { offsetAt, UTC } from '../../src/wordpress/dates/zone.js';
import { buildZone, isValidZone, siteZone } from '../../src/wordpress/dates/zones.js';
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
  timezone_from_utc_offset: string | false;
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

/** The recording of `now` in build_date_object. */
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
    'PHP throws (HTTP 500); here it is UTC, and W13 refuses it before',
  );
  proveVectors(
    'timezone_strings',
    zoneRows,
    (row) => ({
      expected: [
        row.is_utc_offset,
        row.generate_timezone_string_from_utc_offset,
        row.timezone_from_utc_offset,
        row.build_timezone_object,
        row.get_timezone,
      ],
      actual: [
        isUtcOffset(row.in),
        guessZoneName(row.in),
        fixedUtcOffsetName(row.in),
        buildZone(row.in).name,
        (findZone(row.in) ?? UTC).name,
      ],
    }),
    noNumber,
  );

  proveVectors('timezone_strings, on write', zoneRows, (row) => ({
    expected: row.is_valid_timezone,
    actual: isValidZone(row.in),
  }));

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
