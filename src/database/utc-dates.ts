import type { DataSource, Driver } from 'typeorm';

/** A date as both databases take and store it: UTC, with milliseconds. Throws on one that is none, instead of storing it. */
export function utcText(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new TypeError('No value of a statement: an invalid date');
  return date.toISOString().replace('T', ' ').slice(0, -1);
}

/** What TypeORM calls a column, as far as dates go. */
type Column = Parameters<Driver['preparePersistentValue']>[1];

/** A date and time without an offset. */
const ZONELESS = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/;

/**
 * Has columns of dates mean UTC in both directions. TypeORM reads and writes some of them in the zone of the process: texts, which
 * is what the driver of MySQL gives, and dates in columns of the types `date` and `time`.
 */
export function withUtcDates(source: DataSource): DataSource {
  const { driver } = source;
  const persist = driver.preparePersistentValue.bind(driver);
  const hydrate = driver.prepareHydratedValue.bind(driver);
  driver.preparePersistentValue = (value, column) =>
    persist(column.transformer ? value : zoned(value, column), inUtc(column));
  driver.prepareHydratedValue = (value, column) => hydrate(zoned(value, column), column);
  return source;
}

/** TypeORM has such an option for columns of the type `date` alone. */
function inUtc(column: Column): Column {
  return column.type === 'date' ? Object.create(column, { utc: { value: true } }) : column;
}

function zoned(value: unknown, { type }: Column): unknown {
  if (value instanceof Date) return type === 'time' ? utcText(value).slice(11, 19) : checked(value);
  const isMoment = type === Date || type === 'datetime' || type === 'timestamp';
  return isMoment && typeof value === 'string' ? value.replace(ZONELESS, '$1T$2Z') : value;
}

function checked(date: Date): Date {
  utcText(date);
  return date;
}
