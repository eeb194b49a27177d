import { clocksOf } from '../../../lib/recurrence/parse-recurrence.js';
import { parseDate, parseProperty } from '../../../lib/recurrence/parse-values.js';
import type { DateValue } from '../../../lib/recurrence/recurrence-set.js';
import type { ZoneClock, ZoneClocks } from '../../../lib/recurrence/zone-clock.js';
import { formatWallClock } from '../../../lib/wordpress-text/dates/wall-clock.js';
import { MEMBERS } from './recurrence-input.js';
import { ifUsable } from './series-dates.js';

/** The lines of a recurrence as members of a response, which writes accept. */
export type RecurrenceMembers = Record<keyof typeof MEMBERS, string[]>;

/** Converts content lines to members; other lines and unreadable dates are left out. */
export function toRecurrenceMembers(lines: readonly string[], timezone: string): RecurrenceMembers {
  const zones = clocksOf(timezone);
  const members: RecurrenceMembers = { rrule: [], exrule: [], rdates: [], exdates: [] };
  const properties = lines.flatMap((line) => parseProperty(line.trim()) ?? []);
  const start = properties.find(({ name }) => name === 'DTSTART');
  const own = (start && ifUsable(() => clockOf(start.value, zones, start.parameters))) ?? zones.local;
  for (const { name, parameters, value } of properties) {
    if (name === 'RRULE') members.rrule.push(value);
    if (name === 'EXRULE') members.exrule.push(value);
    if (name !== 'RDATE' && name !== 'EXDATE') continue;
    const dates = value
      .split(',')
      .flatMap((text) => ifUsable(() => dateOf(text, { zones, own, parameters })) ?? []);
    members[name === 'RDATE' ? 'rdates' : 'exdates'].push(...dates);
  }
  return members;
}

const clockOf = (text: string, zones: ZoneClocks, parameters: ReadonlyMap<string, string>): ZoneClock =>
  parseDate(text, zones, parameters.get('TZID')).clock ?? zones.local;

interface Place {
  zones: ZoneClocks;
  /** The clock of the series, for times without a zone. */
  own: ZoneClock;
  parameters: ReadonlyMap<string, string>;
}

/** A date, or a period with its end or its duration. */
function dateOf(text: string, { zones, own, parameters }: Place): string {
  const parts = text
    .split('/')
    .map((part) =>
      /^P/i.test(part.trim())
        ? part.trim().toUpperCase()
        : wallOf(parseDate(part, zones, parameters.get('TZID')), zones.local, own),
    );
  return parts.join('/');
}

/** A day alone, or a time on the clock of the event. */
function wallOf({ isDay, wall, clock }: DateValue, local: ZoneClock, own: ZoneClock): string {
  if (isDay) return formatWallClock(wall).slice(0, 10);
  const written = clock ?? own;
  if (written.name === local.name) return formatWallClock(wall);
  const epoch = written.toEpoch(wall);
  const rendered = local.toWall(epoch);
  // The second of two wall clock times can only be written in UTC.
  return local.toEpoch(rendered) === epoch ? formatWallClock(rendered) : `${formatWallClock(epoch)}Z`;
}
