const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Zones with their abbreviations in winter and summer. */
const ZONES = [
  ['Europe/Berlin', 'CET', 'CEST'],
  ['Europe/London', 'GMT', 'BST'],
  ['America/New_York', 'EST', 'EDT'],
  ['America/Los_Angeles', 'PST', 'PDT'],
  ['Asia/Tokyo', 'JST', 'JST'],
].map(([name, winter, summer]) => ({
  name,
  winter,
  summer,
  format: new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' }),
  offsets: new Map(),
}));

/** `YYYY-MM-DD HH:MM:SS` of an instant, in UTC. */
export const stamp = (time) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');

/** Dates of one event: the columns and metas of both of the calendar's tables. */
export function eventDates({ below, chance, one }, { from, days }) {
  const zone = one(ZONES);
  const allDay = chance(0.1);
  // Begins by day or at midnight, away from the hours that come twice or never.
  const clock = allDay ? 0 : (9 + below(12)) * HOUR + below(4) * 15 * MINUTE;
  const length = allDay ? (1 + (chance(0.3) ? below(4) : 0)) * DAY - 1000 : one([1, 1.5, 2, 2, 3, 4]) * HOUR;
  const start = from + below(days) * DAY + clock;
  const end = start + length;
  const startUtc = start - offset(zone, start);
  const endUtc = end - offset(zone, end);
  const [winter, summer] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)].map((day) => offset(zone, day));
  const isSummer = winter !== summer && offset(zone, start) === summer;
  return {
    start: stamp(start),
    end: stamp(end),
    startUtc: stamp(startUtc),
    endUtc: stamp(endUtc),
    duration: (endUtc - startUtc) / 1000,
    allDay,
    timezone: zone.name,
    abbreviation: isSummer ? zone.summer : zone.winter,
  };
}

/** Milliseconds that a zone is ahead of UTC at a wall clock, also on the day on which its clocks change. */
function offset(zone, wall) {
  return offsetAt(zone, wall - offsetAt(zone, wall));
}

/** The same at an instant; clocks change on the hour. */
function offsetAt(zone, instant) {
  const hour = Math.floor(instant / HOUR);
  const known = zone.offsets.get(hour);
  if (known !== undefined) return known;
  const name =
    zone.format.formatToParts(hour * HOUR).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = 0, minutes = 0] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  const found = (sign === '-' ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
  zone.offsets.set(hour, found);
  return found;
}
