import {
  type DataSource,
  type Migration,
  MigrationExecutor,
  type MigrationInterface,
  type QueryRunner,
} from 'typeorm';
import { firstLine } from '../common/errors/first-line.js';
import { withMigrationLock } from './migration-lock.js';
import { StartError } from './start-error.js';
import { hasTable, withRunner } from './with-runner.js';

export type Migrations = readonly (new () => MigrationInterface)[];

/** The table of executed migrations of plugins, and of Almanac's optional ones, without prefix. */
export const PLUGIN_MIGRATIONS = 'almanac_plugin_migrations';

/** The option of a new site until the tables of plugins are created. */
export const FIRST_START = 'almanac_first_start';

export class PluginMigrations {
  constructor(
    private readonly source: DataSource,
    private readonly migrations: Migrations,
    /** The command that runs them, for messages. */
    readonly command: string,
  ) {}

  get isEmpty(): boolean {
    return this.migrations.length === 0;
  }

  /** Runs pending migrations under the migration lock. */
  async run(say: (name: string) => void): Promise<void> {
    await withMigrationLock(this.source, () => runMigrations(this.source, this.migrations, say));
  }

  /** Names of pending migrations, oldest first; creates no table. */
  async pending(): Promise<string[]> {
    if (this.migrations.length === 0) return [];
    const isBegun = await hasTable(this.source, PLUGIN_MIGRATIONS);
    const names = isBegun
      ? (await pendingMigrations(this.source, this.migrations)).map(({ name }) => name)
      : this.migrations.map((Migration) => new Migration().name ?? Migration.name);
    // Names end in their time.
    return names.sort((a, b) => Number(a.slice(-13)) - Number(b.slice(-13)));
  }
}

/** Pending migrations, oldest first. */
export function pendingMigrations(source: DataSource, migrations: Migrations): Promise<Migration[]> {
  return executor(source, migrations).getPendingMigrations();
}

/**
 * Runs pending migrations, each in a transaction (which MySQL commits at every DDL statement), and reports each name.
 * Throws `StartError` for a failing one, which is not recorded; later ones do not run.
 */
export async function runMigrations(
  source: DataSource,
  migrations: Migrations,
  say: (name: string) => void,
): Promise<void> {
  for (const migration of await pendingMigrations(source, migrations)) {
    const runOne = (runner: QueryRunner) => run(executor(source, migrations, runner), migration, runner);
    await withRunner(source, runOne).catch((error: unknown) => {
      throw new StartError(`The migration ${migration.name} failed and is not recorded: ${firstLine(error)}`);
    });
    say(migration.name);
  }
}

async function run(executor: MigrationExecutor, migration: Migration, runner: QueryRunner): Promise<void> {
  const inTransaction = migration.instance?.transaction !== false;
  await runner.beforeMigration();
  if (inTransaction) await runner.startTransaction();
  await executor.executeMigration(migration);
  if (inTransaction) await runner.commitTransaction();
  await runner.afterMigration();
}

/** TypeORM's executor with the plugin migrations and their table instead of the site's. */
function executor(source: DataSource, migrations: Migrations, runner?: QueryRunner): MigrationExecutor {
  const { options } = source;
  const migrationsTableName = `${options.entityPrefix ?? ''}${PLUGIN_MIGRATIONS}`;
  const pluginSource: DataSource = Object.create(source, {
    options: { value: { ...options, migrationsTableName } },
    migrations: { value: migrations.map((Migration) => new Migration()) },
  });
  return new MigrationExecutor(pluginSource, runner);
}
