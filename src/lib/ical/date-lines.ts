/** Properties with dates, durations or rules: their values contain no colon and ignore case. */
const PROPERTIES = /^(?:DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE|DURATION|RRULE|EXRULE)$/i;

/** Properties with a single date or date-time. */
const INSTANTS = /^(?:DTSTART|DTEND|RECURRENCE-ID)$/i;

/**
 * Normalizes the line of a date property for ical.js: other programs omit `VALUE=DATE`, write `t` and `z` in lower case,
 * and omit the quotes around a `TZID` with a colon. Other lines are returned unchanged.
 */
export function preparedLine(text: string): string {
  const [, name = '', parameters = '', value = ''] = /^([\w-]+)(;.*)?:([^:]*)$/s.exec(text) ?? [];
  if (!PROPERTIES.test(name)) return text;
  const date = value.trim().toUpperCase();
  const quoted = parameters.replace(/;TZID=\s*([^";]+)/i, ';TZID="$1"');
  const bare = quoted.replace(/;VALUE=[^;]*/i, '');
  if (/^\d{8}(?:,\d{8})*$/.test(date)) return `${name}${bare};VALUE=DATE:${date}`;
  if (/^\d{8}T\d{6}Z?(?:,\d{8}T\d{6}Z?)*$/.test(date)) return `${name}${bare}:${date}`;
  // ical.js ignores an offset after the seconds, which changes the instant: an invalid date is rejected instead.
  if (INSTANTS.test(name) && /^\d{8}T\d{6}/.test(date)) return `${name}${bare}:99999999T999999`;
  return `${name}${quoted}:${date}`;
}

/** Whether a line is a date property without a value. */
export function isEmptyDate(text: string): boolean {
  const [, name = ''] = /^([\w-]+)(?:;.*)?:\s*$/s.exec(text) ?? [];
  return PROPERTIES.test(name);
}
