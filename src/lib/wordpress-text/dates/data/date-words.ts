export const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** The months as Roman numerals. */
export const ROMANS = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'];
/** English abbreviations of the weekdays, Sunday first. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** Ordinal words; the index is the number. */
export const ORDINALS = [
  'this first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' '),
  'this next second third fourth fifth sixth seventh eight'.split(' '),
];

/** Units of time: the beginning of the name, the unit it is measured in, and its size; 0 means business days. */
export const UNITS = [
  ['mic', 'second', 1e-6],
  ['us', 'second', 1e-6],
  ['µs', 'second', 1e-6],
  ['mil', 'second', 1e-3],
  ['ms', 'second', 1e-3],
  ['sec', 'second', 1],
  ['min', 'minute', 1],
  ['hour', 'hour', 1],
  ['day', 'day', 1],
  ['weekd', 'day', 0],
  ['week', 'day', 7],
  ['fort', 'day', 14],
  ['forth', 'day', 14],
  ['month', 'month', 1],
  ['year', 'year', 1],
] as const;

/** The abbreviations of months, as regular expression source. */
export const MONTH_ABBREVIATIONS = 'jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec';
/** All names of months except Roman numerals, likewise. */
export const MONTH_NAMES = `january|february|march|april|june|july|august|september|october|november|december|${MONTH_ABBREVIATIONS}`;
/** The names of weekdays, likewise. */
export const WEEKDAY_NAMES = '(?:sun|mon|tues|wednes|thurs|fri|satur)days?|sun|mon|tue|wed|thu|fri|sat';
/** The names of units of time, weekdays among them, likewise. */
export const UNIT_NAMES =
  '(?:microsecond|millisecond|msec|usec|µsec|second|sec|minute|min|hour|day|fortnight|forthnight|month|year)s?|' +
  `ms|µs|weekdays?|weeks|${WEEKDAY_NAMES}`;
/** The ordinal words that count units, likewise. */
export const ORDINAL_WORDS =
  'first|second|third|fourth|fifth|sixth|seventh|eighth?|ninth|tenth|eleventh|twelfth|next|last|previous|this';
