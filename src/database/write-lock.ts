import sql, { empty, type Sql } from 'sql-template-tag';
import type { QueryRunner } from 'typeorm';
import type { Database } from './database.js';
import { isOurSession, setUpSession } from './mysql-session.js';

/** The option that the plugin updates with every save; its row is the lock. */
const NAME = 'tribe_last_save_post';

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

  /** Begins the transaction; `savedAt`: it will save a calendar record, at epoch milliseconds. */
  async begin(savedAt?: number): Promise<void> {
    const isMysql = this.database.dialect === 'mysql';
    await this.runner.startTransaction();
    // The snapshot begins with the first read, after the wait for the row.
    if (await this.move(savedAt, isMysql ? sql` AND ${isOurSession}` : empty)) return;
    if (isMysql) {
      // A proxy may have reset the session; setting it up again may end the transaction.
      await this.runner.rollbackTransaction();
      await setUpSession(await this.runner.connect());
      await this.runner.startTransaction();
    }
    while (!(await this.move(savedAt)) && !(await this.make(savedAt)));
  }

  /** Records that a calendar record was saved: the plugin's caches are keyed on the option. */
  async save(savedAt: number): Promise<void> {
    if (!this.undo) return;
    await this.move(savedAt);
    this.undo = undefined;
  }

  /** Restores the option before the commit if no record was saved. */
  async end(): Promise<void> {
    if (this.undo) await this.ask(this.undo);
  }

  /** Updates the row, always to a different value, as an equal one would not conflict on other nodes. */
  private async move(savedAt?: number, condition = empty): Promise<boolean> {
    const value =
      savedAt === undefined
        ? sql`CONCAT(option_value, ' ')`
        : sql`CASE option_value WHEN ${microtime(savedAt)} THEN ${microtime(savedAt + 0.1)} ELSE ${microtime(savedAt)} END`;
    const found = await this.ask(sql`UPDATE ${this.row}${value} WHERE option_name = ${NAME}${condition}`);
    if (savedAt === undefined)
      this.undo = sql`UPDATE ${this.row}RTRIM(option_value) WHERE option_name = ${NAME}`;
    return found > 0;
  }

  /** Inserts the row; false if another writer just did. */
  private async make(savedAt?: number): Promise<boolean> {
    const options = this.database.table('options');
    const ignore = this.database.dialect === 'mysql' ? sql`IGNORE` : empty;
    const value = savedAt === undefined ? '' : microtime(savedAt);
    if (savedAt === undefined) this.undo = sql`DELETE FROM ${options} WHERE option_name = ${NAME}`;
    const added = await this.ask(
      sql`INSERT ${ignore} INTO ${options} (option_name, option_value, autoload) VALUES (${NAME}, ${value}, 'auto')`,
    );
    return added > 0;
  }

  private async ask({ sql: text, values }: Sql): Promise<number> {
    const { affected } = await this.runner.query(text, values, true);
    return affected ?? 0;
  }
}

/** Epoch seconds with four decimals, as PHP writes them. */
export function microtime(now: number): string {
  return (now / 1000).toFixed(4);
}
