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

/** Classes of migrations, as plugins bring them. */
export type Migrations = readonly (new () => MigrationInterface)[];

/** The table, without the site's prefix, of the migrations of plugins that have run. */
export const PLUGIN_MIGRATIONS = 'almanac_plugin_migrations';

/** Option of a site that a first start has made, until the tables of plugins are made too. */
export const FIRST_START = 'almanac_first_start';

/** What the plugins of this application have brought. */
export class PluginMigrations {
  constructor(
    private readonly source: DataSource,
    private readonly migrations: Migrations,
    /** The command that runs them. */
    readonly command: string,
  ) {}

  /** Whether plugins bring none. */
  get isEmpty(): boolean {
    return this.migrations.length === 0;
  }

  /** Runs those that have not run, while no other process does. */
  async run(say: (name: string) => void): Promise<void> {
    await withMigrationLock(this.source, () => runMigrations(this.source, this.migrations, say));
  }

  /** Those that have not run, oldest first; only reads. */
  async pending(): Promise<Migration[]> {
    return this.migrations.length === 0 ? [] : pendingMigrations(this.source, this.migrations);
  }
}

/** Those that have not run, oldest first; only reads. */
export function pendingMigrations(source: DataSource, migrations: Migrations): Promise<Migration[]> {
  return executor(source, migrations).getPendingMigrations();
}

/**
 * Runs what is pending, each in a transaction (which MySQL ends at every statement that defines a table), and says the
 * name of each that is done. One that fails is a `StartError` and not recorded; those after it do not run.
 */
export async function runMigrations(
  source: DataSource,
  migrations: Migrations,
  say: (name: string) => void,
): Promise<void> {
  for (const migration of await pendingMigrations(source, migrations)) {
    const runner = source.createQueryRunner();
    try {
      await run(executor(source, migrations, runner), migration, runner);
    } catch (error) {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
      throw new StartError(`The migration ${migration.name} failed and is not recorded: ${firstLine(error)}`);
    } finally {
      await runner.release();
    }
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

/** TypeORM's own, which sees the site's connection with these migrations and their table instead of the site's. */
function executor(source: DataSource, migrations: Migrations, runner?: QueryRunner): MigrationExecutor {
  const { options } = source;
  const migrationsTableName = `${options.entityPrefix ?? ''}${PLUGIN_MIGRATIONS}`;
  const seen: DataSource = Object.create(source, {
    options: { value: { ...options, migrationsTableName } },
    migrations: { value: migrations.map((Migration) => new Migration()) },
  });
  return new MigrationExecutor(seen, runner);
}
