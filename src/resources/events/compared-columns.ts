import sql, { type Sql } from 'sql-template-tag';
import type { CalendarSettings } from '../../calendar/calendar-settings.js';
import { toUtc } from '../../lib/wordpress-text/dates/convert.js';
import { guessZoneName, isUtcOffset } from '../../lib/wordpress-text/dates/zones.js';

/** Columns of `tec_occurrences o` for the filters and the order of a list. */
export interface ComparedColumns {
  start: Sql;
  end: Sql;
  order: Sql;
  /** Converts a wall clock of the site to the time base of the columns. */
  convert: (wall: string) => string;
}

const LOCAL = { start: sql`o.start_date`, end: sql`o.end_date` };
const UTC = { start: sql`o.start_date_utc`, end: sql`o.end_date_utc` };

/** Selects the columns for a site's lists (docs/behaviour/dates.md#columns-compared). */
export function comparedColumns({
  timezoneMode,
  zone,
}: Pick<CalendarSettings, 'timezoneMode' | 'zone'>): ComparedColumns {
  if (timezoneMode === 'site')
    return { start: UTC.start, end: UTC.end, order: UTC.start, convert: (wall) => toUtc(wall, zone) };
  const siteIsUtc = /^UTC([+-]0)?$/.test(zone) || (isUtcOffset(zone) && guessZoneName(zone) === 'UTC');
  const { start, end } = siteIsUtc ? UTC : LOCAL;
  return { start, end, order: LOCAL.start, convert: (wall) => wall };
}
