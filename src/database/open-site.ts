import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { format, isDeepStrictEqual } from 'node:util';
import { Logger } from '@nestjs/common';
import { DataSource, type DataSourceOptions, QueryFailedError, TypeORMError } from 'typeorm';
import { firstLine } from '../common/errors/first-line.js';
import { systemErrorMessage } from '../common/errors/system-error-message.js';
import type { Environment } from '../config/env.js';
import { MAY_RECOVER, UNREACHABLE, UNTRUSTED } from './data/error-codes.js';
import { SITE_MIGRATIONS } from './data-source-options.js';
import { isReadOnly } from './database-errors.js';
import { withHookGuard } from './hook-guard.js';
import { withMigrationLock } from './migration-lock.js';
import { SITE_TABLES } from './migrations/1700000000000-create-site.js';
import { FIRST_START, PLUGIN_MIGRATIONS } from './plugin-migrations.js';
import { namingOf, SiteNaming, tableName } from './site-naming.js';
import { StartError } from './start-error.js';
import { withUtcDates } from './utc-dates.js';

/**
 * Connects and ensures that the site's tables exist: an empty database gets the schema, one with other tables is rejected
 * with the missing names. The schema of an existing site is never changed.
 */
export async function openSite(options: DataSourceOptions, env: Environment): Promise<DataSource> {
  const missing = missingFile(env);
  if (missing !== undefined && env.readOnly)
    throw new StartError(`${missing} does not exist, and READ_ONLY keeps a site from being made in it.`);
  const { source, tables } = await connected(options, env);
  if (missing !== undefined && !isDemo(env))
    new Logger('Almanac').warn(
      `There was no ${resolve(missing)}: a new site is made there. If there should be one, look at DATABASE_URL.`,
    );
  try {
    // Another process may be creating it: errors are reported once the migration lock is held.
    const isThere = await isUnfinished(source, env, tables).then(
      (isAmiss) => !isAmiss,
      () => false,
    );
    if (!isThere)
      await withMigrationLock(source, async () => {
        if (!(await isUnfinished(source, env, await tableNames(source)))) return;
        if (env.readOnly)
          throw new StartError('The database is empty, and READ_ONLY keeps a site from being made in it.');
        await createTables(source);
      });
    warnOfNetwork(source);
    return source;
  } catch (error) {
    await source.destroy();
    throw error;
  }
}

/** Connects to a database; creates a missing file only with `makesFile`. Throws `StartError`. */
export async function connect(
  options: DataSourceOptions,
  env: Environment,
  makesFile = false,
): Promise<DataSource> {
  const missing = missingFile(env);
  if (missing !== undefined && !makesFile)
    throw new StartError(
      `There is no database yet: ${missing} does not exist.${isDemo(env) ? ' Set DATABASE_URL to the database of a site.' : ''}`,
    );
  return (await connected(options, env)).source;
}

function isDemo({ database }: Environment): boolean {
  return database.kind === 'sqlite' && database.demo;
}

function missingFile({ database }: Environment): string | undefined {
  return database.kind === 'sqlite' && !existsSync(database.path) ? database.path : undefined;
}

const prepared = (options: DataSourceOptions) => withHookGuard(withUtcDates(new DataSource(options)));

/** Connects and lists the tables; corrects the naming and the prefix by them. */
async function connected(
  options: DataSourceOptions,
  env: Environment,
): Promise<{ source: DataSource; tables: Set<string> }> {
  const address = env.database;
  let source = prepared(options);
  let tables: Set<string>;
  try {
    if (address.kind === 'sqlite') prepareFile(address.path);
    await source.initialize();
    tables = await tableNames(source);
    const namingStrategy = namingOf(tables, env);
    const entityPrefix = await spelledPrefix(source, tables);
    if (!isDeepStrictEqual(namingStrategy, source.namingStrategy) || entityPrefix !== options.entityPrefix) {
      await source.destroy();
      source = await prepared({ ...options, namingStrategy, entityPrefix }).initialize();
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    // TypeORM validates entities before connecting.
    if (error instanceof TypeORMError && !(error instanceof QueryFailedError))
      throw new StartError(`The entities of plugins are invalid: ${firstLine(error)}`);
    throw new StartError(`The database cannot be reached: ${connectionError(error, env)}`);
  }
  try {
    rejectSharedTables(source);
    return { source, tables };
  } catch (error) {
    await source.destroy();
    throw error;
  }
}

/**
 * Whether a database is empty or contains only an unfinished start of Almanac; throws `StartError` with the missing tables
 * if it contains anything other than a site.
 */
export async function isEmpty(
  source: DataSource,
  env: Environment,
  known?: ReadonlySet<string>,
): Promise<boolean> {
  const tables = known ?? (await tableNames(source));
  const wanted = SITE_TABLES.map((name) => tableName(source, name));
  const missing = wanted.filter((name) => !tables.has(name));
  if (missing.length === 0) return false;
  const ours = [SITE_MIGRATIONS, ...wanted].filter((name) => tables.has(name));
  // A start creates the table of migrations first and records the migration last.
  const isBegun =
    tables.has(SITE_MIGRATIONS) &&
    ours.length === tables.size &&
    (await source.query(`SELECT 1 FROM ${SITE_MIGRATIONS}`)).length === 0;
  if (tables.size > 0 && !isBegun) throw new StartError(missingTables(missing, wanted, tables, env));
  return true;
}

/** Like `isEmpty`, and also whether a start stopped after the site's tables or before those of plugins. */
export async function isUnfinished(
  source: DataSource,
  env: Environment,
  known?: ReadonlySet<string>,
): Promise<boolean> {
  const tables = known ?? (await tableNames(source));
  if (await isEmpty(source, env, tables)) return true;
  if (!tables.has(SITE_MIGRATIONS)) return false;
  const options = tableName(source, 'options');
  const begun = `SELECT 1 FROM ${options} WHERE option_name = '${FIRST_START}'`;
  return (
    (await source.query(`SELECT 1 FROM ${options} LIMIT 1`)).length === 0 ||
    (await source.query(begun)).length > 0
  );
}

/** Prefixes that an error names. */
const MAX_PREFIXES = 20;

/** Creates the schema of a site in an empty database; returns the executed migrations. */
export async function createTables(source: DataSource): Promise<string[]> {
  try {
    return (await source.runMigrations()).map(({ name }) => name);
  } catch (error) {
    if (isReadOnly(error))
      throw new StartError('The database is empty, and its user may not create the tables of a site.');
    throw error;
  }
}

function warnOfNetwork({ namingStrategy }: DataSource): void {
  const network = namingStrategy instanceof SiteNaming ? namingStrategy.network : undefined;
  if (network && !network.isKnown)
    new Logger('Almanac').warn(
      `The site belongs to a network whose tables ${network.prefix}sitemeta and ${network.prefix}blogs cannot be read: its super admins may do what their roles here say. Grant SELECT on both, or set MULTISITE=false if there is no network.`,
    );
}

/** Table names of a server with case-insensitive names. */
class CaseInsensitiveNames extends Set<string> {
  override has(name: string): boolean {
    return super.has(name.toLowerCase());
  }
}

export async function tableNames(source: DataSource): Promise<Set<string>> {
  const isMysql = source.options.type === 'mysql';
  const rows: { name: string; isCaseless?: number }[] = await source.query(
    isMysql
      ? 'SELECT table_name AS name, @@lower_case_table_names > 0 AS isCaseless FROM information_schema.tables WHERE table_schema = DATABASE()'
      : "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  if (Number(rows[0]?.isCaseless ?? 0) === 0) return new Set(rows.map(({ name }) => name));
  return new CaseInsensitiveNames(rows.map(({ name }) => name.toLowerCase()));
}

/** The prefix in the spelling of the site's rows, as names of options and meta start with it; tables may be case-insensitive. */
async function spelledPrefix(source: DataSource, tables: ReadonlySet<string>): Promise<string> {
  const { entityPrefix = '' } = source.options;
  const options = tableName(source, 'options');
  if (!(tables instanceof CaseInsensitiveNames) || !tables.has(options)) return entityPrefix;
  const rows: { name: string }[] = await source.query(
    `SELECT option_name AS name FROM \`${options}\` WHERE LOWER(option_name) = ?`,
    [`${entityPrefix}user_roles`.toLowerCase()],
  );
  return rows[0]?.name.slice(0, entityPrefix.length) ?? entityPrefix;
}

function missingTables(
  missing: string[],
  wanted: string[],
  tables: ReadonlySet<string>,
  env: Environment,
): string {
  if (missing.length === wanted.length) return noSite(tables, env);
  const hint = missing.every((name) => /tec_(events|occurrences)$/.test(name))
    ? ' The calendar plugin must have finished its custom-tables migration (version 6.0 or later); "almanac doctor" says what else can be done.'
    : '';
  return `The database holds tables, but not all of a site with TABLE_PREFIX "${env.tablePrefix}". Missing: ${missing.join(', ')}.${hint}`;
}

/** Names the prefixes of the sites in a database that has none with the configured one. */
function noSite(tables: ReadonlySet<string>, { tablePrefix }: Environment): string {
  const prefixes = [...tables]
    .filter((name) => name.endsWith('postmeta'))
    .map((name) => name.slice(0, -'postmeta'.length))
    .filter((prefix) => tables.has(`${prefix}options`))
    .sort();
  const named = prefixes.slice(0, MAX_PREFIXES).map((prefix) => `"${prefix}"`);
  const more = prefixes.length > named.length ? ` and ${prefixes.length - named.length} more` : '';
  const hint =
    named.length === 1
      ? `There is a table ${prefixes[0]}postmeta: is TABLE_PREFIX ${named[0]}?`
      : named.length > 1
        ? `There are sites with the prefixes ${named.join(', ')}${more}: set TABLE_PREFIX to that of yours.`
        : 'It holds no other site either: does DATABASE_URL name the right database?';
  return `The database holds no tables of a site with TABLE_PREFIX "${tablePrefix}". ${hint}`;
}

function connectionError(error: unknown, env: Environment): string {
  const { code, message } = error as { code?: string; message: string };
  const address = env.database;
  if (address.kind === 'sqlite') {
    const isUnopened = /unable to open/i.test(message);
    const why = isUnopened ? 'may this user write to it and its folder?' : `${systemErrorMessage(error)}.`;
    return `${address.path} cannot be opened: ${why}`;
  }
  const where = address.socketPath ?? `${address.host}:${address.port}`;
  const [, untrusted] =
    UNTRUSTED.find(([words]) => code === 'HANDSHAKE_SSL_ERROR' && words.test(message)) ?? [];
  const known = UNREACHABLE[code ?? ''] ?? untrusted;
  const why = known ? format(known, where) : `${where}: ${message || code}`;
  return MAY_RECOVER.has(code ?? '') ? `${why} It was tried once: try again when it is there.` : why;
}

/** Throws `StartError` for two entities with one table; child entities share their parent's. */
function rejectSharedTables({ entityMetadatas, options }: DataSource): void {
  const own = [SITE_MIGRATIONS, `${options.entityPrefix ?? ''}${PLUGIN_MIGRATIONS}`];
  const owners = new Map(own.map((table) => [table, 'Almanac']));
  for (const { tableName, tableType, name } of entityMetadatas) {
    if (tableType === 'entity-child') continue;
    // Table names are case-insensitive on some servers.
    const table = tableName.toLowerCase();
    const other = owners.get(table);
    if (other !== undefined)
      throw new StartError(
        `Both ${other} and ${name} have the table ${tableName}: the tables of a plugin need a prefix of its own.`,
      );
    owners.set(table, name);
  }
}

/** Creates the folder of a SQLite file; throws `StartError` if the path is no file. */
function prepareFile(path: string): void {
  const folder = dirname(path);
  makeFolder(folder);
  // The error for a file below a file differs between versions of Node.
  if (!statSync(folder).isDirectory())
    throw new StartError(
      `The database cannot be reached: ${path} cannot be opened: a part of its path is no folder.`,
    );
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile())
    throw new StartError(
      `The database cannot be reached: ${path} is ${found.isDirectory() ? 'a folder' : 'a device or a pipe'}, not a file.`,
    );
}

/** Creates parents one by one: where that fails, as in /proc, Node's own recursion never ends. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
