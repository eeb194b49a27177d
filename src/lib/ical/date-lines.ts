/** Properties whose values are dates, durations or rules: none of them holds a colon, and letter case does not count. */
const PROPERTIES = /^(?:DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE|DURATION|RRULE|EXRULE)$/i;

/** Those that hold a single date or date and time. */
const INSTANTS = /^(?:DTSTART|DTEND|RECURRENCE-ID)$/i;

/**
 * The line of a date property as ical.js reads it, other lines as they are. Programs leave out `VALUE=DATE`, write `t` and `z`, and
 * leave out the quotes around a `TZID` that holds a colon.
 */
export function preparedLine(text: string): string {
  const [, name = '', parameters = '', value = ''] = /^([\w-]+)(;.*)?:([^:]*)$/s.exec(text) ?? [];
  if (!PROPERTIES.test(name)) return text;
  const date = value.trim().toUpperCase();
  const quoted = parameters.replace(/;TZID=\s*([^";]+)/i, ';TZID="$1"');
  const bare = quoted.replace(/;VALUE=[^;]*/i, '');
  if (/^\d{8}(?:,\d{8})*$/.test(date)) return `${name}${bare};VALUE=DATE:${date}`;
  if (/^\d{8}T\d{6}Z?(?:,\d{8}T\d{6}Z?)*$/.test(date)) return `${name}${bare}:${date}`;
  // ical.js reads as far as the seconds: an offset behind them would be lost, and with it the instant.
  if (INSTANTS.test(name) && /^\d{8}T\d{6}/.test(date)) return `${name}${bare}:99999999T999999`;
  return `${name}${quoted}:${date}`;
}

/** Whether a line is a date property that says nothing. */
export function isEmptyDate(text: string): boolean {
  const [, name = ''] = /^([\w-]+)(?:;.*)?:\s*$/s.exec(text) ?? [];
  return PROPERTIES.test(name);
}
