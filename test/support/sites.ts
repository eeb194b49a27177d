import { join } from 'node:path';
import { makeMariadbSite, mariadbMissing, SERVER, serverMissing } from './mariadb.js';
import { makeSqliteSite } from './sqlite.js';
import { isFirst } from './test-folder.js';

const FIXTURES = join(__dirname, '..', 'fixtures', 'conformance');

/** The dump of the recorded site. */
export const SITE_A = join(FIXTURES, 'site-a', 'site.sql');

/** The dump of the recorded site with unusual records: texts, dates, links and images that no editor produces. */
export const SITE_D = join(FIXTURES, 'site-d', 'site.sql');

/** A database for one spec file. */
export interface Site {
  /** The value of `DATABASE_URL`. */
  url: string;
  /** Removes the database; call it after closing the last connection. */
  drop(): Promise<void>;
}

/** The databases that Almanac runs on. */
export type DatabaseName = 'MariaDB' | 'MySQL' | 'SQLite';

/** The database server of this run. */
export const SERVER_NAME = SERVER === 'mysql' ? 'MySQL' : 'MariaDB';

/** A new database with the rows of a dump. */
export function makeSite(database: DatabaseName, dump = SITE_A): Promise<Site> {
  return database === 'SQLite' ? makeSqliteSite(dump) : makeMariadbSite(dump);
}

/** A new database without tables. */
export function makeEmpty(database: DatabaseName): Promise<Site> {
  return database === 'SQLite' ? makeSqliteSite() : makeMariadbSite();
}

/** Declares the same tests for each database; skips those on a server where none is available. A run on MySQL uses MySQL only. */
export function describeDatabases(name: string, declare: (database: DatabaseName) => void): void {
  describeDatabase(name, SERVER_NAME, declare);
  if (SERVER === 'mariadb') describeDatabase(name, 'SQLite', declare);
}

/** Whether this is `npm run test:full`. */
const isLong = process.env['ALMANAC_LONG_TESTS'] === '1';

/** Whether a short run uses the database that `npm test` leaves out. */
const isOther = process.env['ALMANAC_OTHER_DATABASE'] === '1';

/** Declares tests of an `*.either-spec.ts` file: on SQLite in short runs, on MariaDB in long ones. */
export function describeEither(name: string, declare: (database: DatabaseName) => void): void {
  describeDatabase(name, isLong || isOther ? SERVER_NAME : 'SQLite', declare);
}

/**
 * Declares tests of an `*.either-spec.ts` file whose results come from the original database: on MariaDB in short runs, on
 * SQLite without a server, on both in long runs.
 */
export function describeMariadbFirst(name: string, declare: (database: DatabaseName) => void): void {
  if (isLong) describeDatabases(name, declare);
  else describeDatabase(name, isOther || serverMissing() ? 'SQLite' : SERVER_NAME, declare);
}

/**
 * Declares tests with thousands of random requests: all on both databases in long runs, a sample of each kind (`few`) on SQLite
 * in short runs.
 */
export function describeMany(
  name: string,
  declare: (database: DatabaseName, few: <T>(items: readonly T[]) => T[]) => void,
): void {
  if (isLong) describeDatabases(name, (database) => declare(database, (items) => [...items]));
  else
    describeDatabase(name, isOther ? SERVER_NAME : 'SQLite', (database) =>
      declare(database, (items) => items.filter((_, at) => at % FEW === 0)),
    );
}

/** Short runs send one of this many random requests. */
const FEW = 5;

/** Declares tests on one database. */
export function describeDatabase(
  name: string,
  database: DatabaseName,
  declare: (database: DatabaseName) => void,
): void {
  const skip = (database === 'MariaDB' && mariadbMissing()) || (database === 'MySQL' && serverMissing());
  if (skip && isFirst('notice'))
    process.stderr.write(
      'Skipping the tests on a database server: none found. Install mariadb-server or set TEST_DATABASE_URL.\n',
    );
  (skip ? describe.skip : describe)(`${name}, ${database}`, () => declare(database));
}
