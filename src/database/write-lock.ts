import sql, { empty, type Sql } from 'sql-template-tag';
import type { QueryRunner } from 'typeorm';
import type { Database } from './database.js';
import { isOurSession, setUpSession } from './mysql-session.js';

/** The option that the plugin moves with every save of a record; whoever changes its row has the turn to write. */
const NAME = 'tribe_last_save_post';

/**
 * The turn of one transaction, which is its first statement: the change of one row. On one server the next writer waits for
 * that row, and sees what was committed once it has it; on a cluster whose nodes write at the same time all but one of them are
 * refused at their commit. It needs no lock of its own, which a proxy or another node would not know of.
 */
export class WriteLock {
  /** How the row becomes what it was; nothing where a record was saved. */
  private undo?: Sql;
  private readonly row: Sql;

  constructor(
    private readonly database: Database,
    private readonly runner: QueryRunner,
  ) {
    this.row = sql`${database.table('options')} SET option_value = `;
  }

  /** Begins the transaction; `savedAt`: it will save a record of the calendar, at that time in epoch milliseconds. */
  async begin(savedAt?: number): Promise<void> {
    const isMysql = this.database.dialect === 'mysql';
    await this.runner.startTransaction();
    // Without a snapshot yet: the first thing that is read comes after the wait for the row.
    if (await this.move(savedAt, isMysql ? sql` AND ${isOurSession}` : empty)) return;
    if (isMysql) {
      // A proxy may have reset the session since it was set up; settings of a session may end a transaction.
      await this.runner.rollbackTransaction();
      await setUpSession(await this.runner.connect());
      await this.runner.startTransaction();
    }
    while (!(await this.move(savedAt)) && !(await this.make(savedAt)));
  }

  /** Says that a record of the calendar was saved: the plugin's caches are keyed on the option. */
  async save(savedAt: number): Promise<void> {
    if (!this.undo) return;
    await this.move(savedAt);
    this.undo = undefined;
  }

  /** Before the commit: where no record was saved, the option is what it was. */
  async end(): Promise<void> {
    if (this.undo) await this.ask(this.undo);
  }

  /** Changes the row, whatever it holds: a value that stays the same would be no change to other nodes, nor to the plugin. */
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

  /** Adds the row; false where somebody else just did. */
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
