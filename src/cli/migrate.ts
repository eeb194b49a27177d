import type { Environment } from '../config/env.js';
import { ownEnvironment } from '../config/env-file.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { migratingAlone } from '../database/migrating-alone.js';
import { connect, isEmpty, makeSite } from '../database/open-site.js';
import { pendingMigrations, runMigrations } from '../database/plugin-migrations.js';
import { loadPlugins } from '../plugins/load-plugins.js';
import { migrationsOf, type Plugin } from '../plugins/plugin.js';

/** What is migrated; everything has a default. */
export interface MigrateOptions {
  /** The configuration; by default that of the process, after `.env` of the working directory was read. */
  env?: Environment;
  /** Nest modules, beside those that `PLUGINS` names. */
  plugins?: readonly Plugin[];
  /** Whether the names are said only, and nothing is run. */
  list?: boolean;
  /** Hears the name of each migration; by default the console. */
  say?: (line: string) => void;
}

/**
 * Runs the migrations of plugins that have not run, oldest first; an empty database gets the schema of a site before.
 * Returns the names of those that ran, or would run. A `StartError` says which one failed, and what else whoever runs it can mend.
 */
export async function migrate({
  env = ownEnvironment(),
  plugins = [],
  list = false,
  say = console.log,
}: MigrateOptions = {}): Promise<string[]> {
  const migrations = migrationsOf([...plugins, ...(await loadPlugins(env.plugins))]);
  const source = await connect(dataSourceOptions(env, true), env, !list && !env.readOnly);
  const work = async () => {
    const isNew = await isEmpty(source, env);
    const pending = [...(isNew ? source.migrations : []), ...(await pendingMigrations(source, migrations))];
    if (pending.length === 0) say('Nothing is pending.');
    else if (list) for (const { name } of pending) say(`${name}`);
    else if (isNew) await makeSite(source, migrations, say);
    else await runMigrations(source, migrations, say);
    return pending.map(({ name }) => `${name}`);
  };
  try {
    return await (list ? work() : migratingAlone(source, work));
  } finally {
    await source.destroy();
  }
}
