import type { Environment } from '../config/env.js';
import { ownEnvironment } from '../config/env-file.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { connect, makeSite } from '../database/open-site.js';
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
 * A `StartError` says which one failed, and what else whoever runs it can mend.
 */
export async function migrate({
  env = ownEnvironment(),
  plugins = [],
  list = false,
  say = console.log,
}: MigrateOptions = {}): Promise<void> {
  const migrations = migrationsOf([...plugins, ...(await loadPlugins(env.plugins))]);
  const { source, isEmpty } = await connect(dataSourceOptions(env), env);
  try {
    const site = isEmpty ? source.migrations : [];
    const pending = [...site, ...(await pendingMigrations(source, migrations))];
    if (pending.length === 0) say('Nothing is pending.');
    else if (list) for (const { name } of pending) say(`${name}`);
    else if (isEmpty) await makeSite(source, migrations, say);
    else await runMigrations(source, migrations, say);
  } finally {
    await source.destroy();
  }
}
