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
