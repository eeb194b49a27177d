import { migrate } from '../../src/cli/migrate.js';
import { readEnvironment } from '../../src/config/env.js';
import type { Plugin } from '../../src/plugins/plugin.js';

/** Creates the tables of plugins on a site, as `almanac migrate` does. */
export async function openTables(databaseUrl: string, plugins: readonly Plugin[]): Promise<void> {
  await migrate({ env: readEnvironment({ DATABASE_URL: databaseUrl }), plugins, say: () => undefined });
}
