import type { DataSource, Driver } from 'typeorm';

/** A date as both databases store it: UTC with milliseconds; throws for an invalid date. */
export function utcText(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new TypeError('No value of a statement: an invalid date');
  return date.toISOString().replace('T', ' ').slice(0, -1);
}

type Column = Parameters<Driver['preparePersistentValue']>[1];

/** A date and time without an offset. */
const ZONELESS = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/;

/**
 * Makes date columns UTC in both directions. TypeORM uses the zone of the process for texts, which MySQL's driver returns,
 * and for columns of the types `date` and `time`.
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

/** Sets TypeORM's option `utc`, which exists for the type `date` only. */
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
