import { unfoldedLines } from '../../lib/ical/content-line.js';
import { fromUtc, toUtc } from '../../lib/wordpress-text/dates/convert.js';

/** The parts of a recurrence set; dates are wall clocks of the event, `YYYY-MM-DD HH:MM:SS`. */
interface Rset {
  rrule: string[];
  rdates: string[];
  exdates: string[];
}

const LINE = /^(RRULE|RDATE|EXDATE)((?:;[^:]*)?):(.*)$/i;
const DATE = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/;

/** Reads the lines of RFC 5545 in `tec_events.rset`; other lines and unreadable dates are left out. */
export function readRset(text: string, zone: string): Rset {
  const set: Rset = { rrule: [], rdates: [], exdates: [] };
  for (const line of unfoldedLines(text)) {
    const [, name = '', params = '', value = ''] = LINE.exec(line.trim()) ?? [];
    const dates = () => datesIn(value, /;TZID="?([^;"]+)/i.exec(params)?.[1] ?? zone, zone);
    if (/^RRULE$/i.test(name)) set.rrule.push(value);
    else if (/^RDATE$/i.test(name)) set.rdates.push(...dates());
    else if (name) set.exdates.push(...dates());
  }
  return set;
}

/** The dates of a list, the starts of its periods, on the clock of a zone. */
function datesIn(list: string, ownZone: string, zone: string): string[] {
  return list.split(',').flatMap((item) => {
    const [, year, month, day, hour = '00', minute = '00', second = '00', utc] =
      DATE.exec(item.split('/', 1)[0]?.trim() ?? '') ?? [];
    if (year === undefined) return [];
    const wall = `${year}-${month}-${day} ${hour}:${minute}:${second}`;
    if (utc) return fromUtc(wall, zone);
    return ownZone === zone ? wall : fromUtc(toUtc(wall, ownZone), zone);
  });
}
