import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { format } from 'node:util';
import { Logger } from '@nestjs/common';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Environment } from '../config/env.js';
import { UNREACHABLE } from './data/error-codes.js';
import { isReadOnly } from './database-errors.js';
import { migratingAlone } from './migrating-alone.js';
import { SITE_TABLES } from './migrations/1700000000000-create-site.js';
import { type Migrations, pendingMigrations, runMigrations } from './plugin-migrations.js';
import { refuseSharedTables } from './shared-tables.js';
import { StartError } from './start-error.js';

/**
 * Connects and makes sure that a site is there: an entirely empty database gets its schema and the tables of plugins, one
 * that holds other tables but not the site's is refused with their names. An existing site's schema is never touched.
 */
export async function openSite(
  options: DataSourceOptions,
  env: Environment,
  migrations: Migrations = [],
): Promise<DataSource> {
  const source = await connect(options, env);
  try {
    // Somebody else may be making it at this moment: what is wrong with it is said when nobody is.
    const isThere = await isEmpty(source, env).then(
      (nothing) => !nothing,
      () => false,
    );
    if (!isThere)
      await migratingAlone(source, async () => {
        if (await isEmpty(source, env)) await makeSite(source, migrations);
      });
    else if (migrations.length > 0) await warnOfPending(source, migrations);
    return source;
  } catch (error) {
    await source.destroy();
    throw error;
  }
}

/** Connects to a database; a `StartError` says what is in the way. */
export async function connect(options: DataSourceOptions, env: Environment): Promise<DataSource> {
  const source = new DataSource(options);
  const address = env.database;
  try {
    if (address.kind === 'sqlite') mkdirSync(dirname(address.path), { recursive: true });
    await source.initialize();
  } catch (error) {
    throw new StartError(`The database can not be reached: ${reason(error, env)}`);
  }
  try {
    refuseSharedTables(source);
    return source;
  } catch (error) {
    await source.destroy();
    throw error;
  }
}

/** Whether a database is entirely empty; a `StartError` names what is missing where there is something else than a site. */
export async function isEmpty(source: DataSource, env: Environment): Promise<boolean> {
  const tables = await tableNames(source);
  const wanted = SITE_TABLES.map((name) => env.tablePrefix + name);
  const missing = wanted.filter((name) => !tables.has(name));
  if (tables.size > 0 && missing.length > 0)
    throw new StartError(missingTables(missing, wanted, tables, env));
  return tables.size === 0;
}

/** Gives an empty database the schema of a site and the tables of plugins; says the name of each migration that ran. */
export async function makeSite(
  source: DataSource,
  migrations: Migrations,
  say: (name: string) => void = () => undefined,
): Promise<void> {
  try {
    for (const { name } of await source.runMigrations()) say(name);
  } catch (error) {
    if (isReadOnly(error))
      throw new StartError('The database is empty, and its user may not create the tables of a site.');
    throw error;
  }
  await runMigrations(source, migrations, say);
}

async function warnOfPending(source: DataSource, migrations: Migrations): Promise<void> {
  const names = (await pendingMigrations(source, migrations)).map(({ name }) => name);
  if (names.length > 0)
    new Logger('Almanac').warn(`Plugins wait for their tables (${names.join(', ')}): run "almanac migrate".`);
}

/** Names of all tables of the database. */
export async function tableNames(source: DataSource): Promise<Set<string>> {
  const rows: { name: string }[] = await source.query(
    source.options.type === 'mysql'
      ? 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()'
      : "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  return new Set(rows.map((row) => row.name));
}

function missingTables(missing: string[], wanted: string[], tables: Set<string>, env: Environment): string {
  const other = [...tables].find((name) => name.endsWith('postmeta') && !name.startsWith(env.tablePrefix));
  const hint =
    missing.length === wanted.length && other
      ? ` There is a table ${other}: is TABLE_PREFIX "${other.slice(0, -'postmeta'.length)}"?`
      : missing.every((name) => /tec_(events|occurrences)$/.test(name))
        ? ' The calendar plugin must have finished its custom-tables migration (version 6.0 or later); "almanac doctor" says what else can be done.'
        : '';
  return `The database holds tables, but not all of a site with TABLE_PREFIX "${env.tablePrefix}". Missing: ${missing.join(', ')}.${hint}`;
}

function reason(error: unknown, env: Environment): string {
  const { code, message } = error as { code?: string; message: string };
  const address = env.database;
  const where = address.kind === 'mysql' ? `${address.host}:${address.port}` : address.path;
  const said = UNREACHABLE[code ?? ''];
  return said ? format(said, where) : `${where}: ${message || code}`;
}
