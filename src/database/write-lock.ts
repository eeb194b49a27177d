import sql, { empty, type Sql } from 'sql-template-tag';
import type { QueryRunner } from 'typeorm';
import type { Database } from './database.js';
import { isOurSession, setUpSession } from './mysql-session.js';

/** The option that the plugin updates with every save; its row is the lock. */
const LOCK_OPTION = 'tribe_last_save_post';

/**
 * The write lock: the first statement of a transaction updates one row. On one server the next writer waits for that row
 * and then sees the committed rows; on a multi-primary cluster all but one of the concurrent writers fail at their commit.
 * Named locks would not work across proxies and nodes.
 */
export class WriteLock {
  /** The statement that restores the row; undefined after a save. */
  private undo?: Sql;
  private readonly row: Sql;

  constructor(
    private readonly database: Database,
    private readonly runner: QueryRunner,
  ) {
    this.row = sql`${database.table('options')} SET option_value = `;
  }

  /** Begins the transaction. `savedAt`: when it saves a calendar record, in epoch milliseconds; undefined if it may save none. */
  async begin(savedAt?: number): Promise<void> {
    const isMysql = this.database.dialect === 'mysql';
    await this.runner.startTransaction();
    // The snapshot begins with the first read, after the wait for the row.
    if (await this.update(savedAt, isMysql ? sql` AND ${isOurSession}` : empty)) return;
    if (isMysql) {
      // A proxy may have reset the session; setting it up again may end the transaction.
      await this.runner.rollbackTransaction();
      await setUpSession(await this.runner.connect());
      await this.runner.startTransaction();
    }
    while (!(await this.update(savedAt)) && !(await this.insert(savedAt)));
  }

  /** Records that a calendar record was saved: the plugin's caches are keyed on the option. */
  async save(savedAt: number): Promise<void> {
    if (!this.undo) return;
    await this.update(savedAt);
    this.undo = undefined;
  }

  /** Restores the option before the commit if no record was saved. */
  async restore(): Promise<void> {
    if (this.undo) await this.run(this.undo);
  }

  /** Updates the row, always to a different value, as an equal one would not conflict on other nodes. */
  private async update(savedAt?: number, condition = empty): Promise<boolean> {
    const value =
      savedAt === undefined
        ? sql`CONCAT(option_value, ' ')`
        : sql`CASE option_value WHEN ${microtime(savedAt)} THEN ${microtime(savedAt + 0.1)} ELSE ${microtime(savedAt)} END`;
    const found = await this.run(
      sql`UPDATE ${this.row}${value} WHERE option_name = ${LOCK_OPTION}${condition}`,
    );
    if (savedAt === undefined)
      this.undo = sql`UPDATE ${this.row}RTRIM(option_value) WHERE option_name = ${LOCK_OPTION}`;
    return found > 0;
  }

  /** Inserts the row; false if another writer just did. */
  private async insert(savedAt?: number): Promise<boolean> {
    const options = this.database.table('options');
    const ignore = this.database.dialect === 'mysql' ? sql`IGNORE` : empty;
    const value = savedAt === undefined ? '' : microtime(savedAt);
    if (savedAt === undefined) this.undo = sql`DELETE FROM ${options} WHERE option_name = ${LOCK_OPTION}`;
    const added = await this.run(
      sql`INSERT ${ignore} INTO ${options} (option_name, option_value, autoload) VALUES (${LOCK_OPTION}, ${value}, 'auto')`,
    );
    return added > 0;
  }

  private async run({ sql: text, values }: Sql): Promise<number> {
    const { affected } = await this.runner.query(text, values, true);
    return affected ?? 0;
  }
}

/** Epoch seconds with four decimals, as PHP writes them. */
export function microtime(now: number): string {
  return (now / 1000).toFixed(4);
}
