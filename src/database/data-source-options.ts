import { readFileSync } from 'node:fs';
import type { DataSourceOptions } from 'typeorm';
import { systemErrorMessage } from '../common/errors/system-error-message.js';
import type { Environment } from '../config/env.js';
import type { MysqlAddress } from '../config/parse-variable.js';
import { SQLITE_SESSION } from './dialect.js';
import { CreateSite1700000000000 } from './migrations/1700000000000-create-site.js';
import { mysqlDriver } from './mysql-pool.js';
import { SiteNaming } from './site-naming.js';
import { sqliteDriver } from './sqlite-driver.js';
import { StartError } from './start-error.js';

/** The table of executed site migrations; it has no prefix. */
export const SITE_MIGRATIONS = 'almanac_migrations';

/**
 * TypeORM's options for the configured database; one set of entities serves both dialects, `synchronize` is never on.
 * `patient` disables the statement timeout, for building tables or indexes.
 */
export function dataSourceOptions(env: Environment, patient = false): DataSourceOptions {
  const common = {
    entityPrefix: env.tablePrefix,
    namingStrategy: new SiteNaming(env),
    migrations: [CreateSite1700000000000],
    migrationsTableName: SITE_MIGRATIONS,
    migrationsRun: false,
    synchronize: false,
  };
  const address = env.database;
  if (address.kind === 'sqlite') {
    return {
      ...common,
      type: 'better-sqlite3',
      database: address.path,
      driver: sqliteDriver(),
      prepareDatabase: (db: { exec(sql: string): void }) => {
        for (const statement of SQLITE_SESSION) db.exec(statement);
        if (env.readOnly) db.exec('PRAGMA query_only=1');
      },
    };
  }
  return { ...common, ...mysqlOptions(address, env, patient ? 0 : env.databaseTimeout) };
}

/** TypeORM's options for each read replica, without entities and with short timeouts. */
export function replicaOptions(env: Environment): DataSourceOptions[] {
  return env.replicaUrls.map((address) => ({
    ...mysqlOptions(address, env, Math.min(env.databaseTimeout, 4000)),
    connectTimeout: 1000,
  }));
}

function mysqlOptions(
  address: MysqlAddress,
  { poolSize, databaseTimeout, readOnly, databaseCharset: charset }: Environment,
  timeout: number,
) {
  return {
    type: 'mysql',
    driver: mysqlDriver({ timeout, readOnly, charset }),
    host: address.host,
    port: address.port,
    socketPath: address.socketPath,
    username: address.user,
    password: address.password,
    database: address.database,
    ssl: tls(address.ssl),
    charset: 'UTF8MB4_UNICODE_520_CI',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: false,
    // TypeORM's error has a stack; mysql2's own trace costs more than the statement.
    trace: false,
    timezone: 'Z',
    poolSize,
    connectTimeout: Math.min(databaseTimeout || 5000, 5000),
  } as const;
}

function tls(ssl: boolean | string) {
  if (ssl === false) return undefined;
  if (ssl === 'no-verify') return { rejectUnauthorized: false };
  if (ssl === true) return {};
  try {
    return { ca: readFileSync(ssl, 'utf8') };
  } catch (error) {
    throw new StartError(
      `The CA file ${ssl}, which ssl in the database's address names, cannot be read: ${systemErrorMessage(error)}.`,
    );
  }
}
