import { createApplication } from '../app/create-server.js';
import { Environment, ownEnvironment } from '../config/env.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { withMigrationLock } from '../database/migration-lock.js';
import { connect, createTables, isEmpty, isUnfinished } from '../database/open-site.js';
import { ownMigrations } from '../database/own-migrations.js';
import { pendingMigrations, runMigrations } from '../database/plugin-migrations.js';
import { loadPlugins } from '../plugins/load-plugins.js';
import { migrationsOf, type Plugin } from '../plugins/plugin.js';
import { FirstStart } from '../setup/first-start.service.js';

/** Options of the migration; all have defaults. */
export interface MigrateOptions {
  /** The configuration; by default that of the process, after `.env` of the working directory was read. */
  env?: Environment;
  /** Nest modules in addition to those of `PLUGINS`. */
  plugins?: readonly Plugin[];
  list?: boolean;
  /** Called with the name of each migration; the console by default. */
  say?: (line: string) => void;
}

/** Creates the site in an empty database, then runs plugins' migrations; throws `StartError` with the failed one. */
export async function migrate(options: MigrateOptions = {}): Promise<string[]> {
  const { env = ownEnvironment(), plugins = [], list = false, say = console.log } = options;
  const all = [...plugins, ...(await loadPlugins(env.plugins))];
  const migrations = [...ownMigrations(env), ...migrationsOf(all)];
  const source = await connect(dataSourceOptions(env, true), env, !list && !env.readOnly);
  const names: string[] = [];
  const ran = (name: string) => {
    names.push(name);
    say(name);
  };
  let isNew: boolean;
  try {
    isNew = await isUnfinished(source, env);
    if (list) {
      const own = (await isEmpty(source, env)) ? source.migrations : [];
      for (const { name } of [...own, ...(await pendingMigrations(source, migrations))]) ran(`${name}`);
    } else if (isNew) {
      const tables = async () => (await isEmpty(source, env)) && (await createTables(source)).forEach(ran);
      await withMigrationLock(source, tables);
    } else await withMigrationLock(source, () => runMigrations(source, migrations, ran));
  } finally {
    await source.destroy();
  }
  if (isNew && !list) await makeNewSite({ env, plugins, say }, ran);
  if (names.length === 0) say('Nothing is pending.');
  return names;
}

/** Creates the rows of a new site and the tables of plugins. */
async function makeNewSite(
  { env, plugins, say }: Required<Pick<MigrateOptions, 'env' | 'plugins' | 'say'>>,
  ran: (name: string) => void,
): Promise<void> {
  const patient = new Environment({
    ...env,
    databaseTimeout: 0,
    workers: 1,
    metrics: null,
    scheduler: 'off',
  });
  const app = await createApplication({ env: patient, plugins, logger: false });
  try {
    await app.get(FirstStart).start({ tell: say, say: ran });
  } finally {
    await app.close();
  }
}
