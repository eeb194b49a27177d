/** The months of a year as English abbreviates them. */
export const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** The months as Roman numbers. */
export const ROMANS = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii'];
/** The days of a week, Sunday first. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** Words by the number that they mean, from 0 on. */
export const ORDINALS = [
  'this first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' '),
  'this next second third fourth fifth sixth seventh eight'.split(' '),
];

/** What the name of a unit of time begins with, and what one of it is; 0 stands for business days. */
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

/** The abbreviations of months, as part of a regular expression. */
export const MONTH_ABBREVIATIONS = 'jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec';
/** All names of months but Roman numbers, likewise. */
export const MONTH_NAMES = `january|february|march|april|june|july|august|september|october|november|december|${MONTH_ABBREVIATIONS}`;
/** The names of weekdays, likewise. */
export const WEEKDAY_NAMES = '(?:sun|mon|tues|wednes|thurs|fri|satur)days?|sun|mon|tue|wed|thu|fri|sat';
/** The names of units of time, weekdays among them, likewise. */
export const UNIT_NAMES =
  '(?:microsecond|millisecond|msec|usec|µsec|second|sec|minute|min|hour|day|fortnight|forthnight|month|year)s?|' +
  `ms|µs|weekdays?|weeks|${WEEKDAY_NAMES}`;
/** The words that say how many units to move by, likewise. */
export const ORDINAL_WORDS =
  'first|second|third|fourth|fifth|sixth|seventh|eighth?|ninth|tenth|eleventh|twelfth|next|last|previous|this';
