import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { format, isDeepStrictEqual } from 'node:util';
import { Logger } from '@nestjs/common';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { Environment } from '../config/env.js';
import { whyRefused } from '../errors/system-error.js';
import { COMES_LATER, UNREACHABLE, UNTRUSTED } from './data/error-codes.js';
import { isReadOnly } from './database-errors.js';
import { SITE_MIGRATIONS } from './data-source-options.js';
import { migratingAlone } from './migrating-alone.js';
import { SITE_TABLES } from './migrations/1700000000000-create-site.js';
import { type Migrations, pendingMigrations, runMigrations } from './plugin-migrations.js';
import { refuseSharedTables } from './shared-tables.js';
import { namingOf, SiteNaming, tableName } from './site-naming.js';
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
    const isThere = await isUnfinished(source, env).then(
      (isAmiss) => !isAmiss,
      () => false,
    );
    if (!isThere)
      await migratingAlone(source, async () => {
        if (!(await isUnfinished(source, env))) return;
        if (env.readOnly)
          throw new StartError('The database is empty, and READ_ONLY keeps a site from being made in it.');
        await makeSite(source, migrations);
      });
    else if (migrations.length > 0) await warnOfPending(source, migrations);
    warnOfNetwork(source);
    return source;
  } catch (error) {
    await source.destroy();
    throw error;
  }
}

/** Connects to a database; a `StartError` says what is in the way. */
export async function connect(options: DataSourceOptions, env: Environment): Promise<DataSource> {
  const address = env.database;
  let source = new DataSource(options);
  try {
    if (address.kind === 'sqlite') {
    const isUnopened = /unable to open/i.test(message);
    const why = isUnopened ? 'may this user write to it and its folder?' : `${whyRefused(error)}.`;
    return `${address.path} can not be opened: ${why}`;
  }
  const where = address.socketPath ?? `${address.host}:${address.port}`;
  const [, untrusted] =
    UNTRUSTED.find(([words]) => code === 'HANDSHAKE_SSL_ERROR' && words.test(message)) ?? [];
  const said = UNREACHABLE[code ?? ''] ?? untrusted;
  const why = said ? format(said, where) : `${where}: ${message || code}`;
  return COMES_LATER.has(code ?? '') ? `${why} It was tried once: try again when it is there.` : why;
}
