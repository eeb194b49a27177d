import { Injectable } from '@nestjs/common';
import type { Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import { executeStatement } from '../database/execute-statement.js';
import { Transactions } from '../database/transactions.js';

/** Writes rows of Almanac's own tables, which need no write lock and invalidate no cache. */
@Injectable()
export class OwnWrites {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
  ) {}

  /** Executes statements one after the other. */
  async run(...statements: readonly Sql[]): Promise<void> {
    await this.do(async ({ queryRunner }) => {
      for (const statement of statements)
        await executeStatement(this.database.source, statement, queryRunner);
    });
  }

  /** Does work that may end after any of its statements; on SQLite, with its one connection, in a transaction. */
  async do(work: (manager: EntityManager) => Promise<unknown>): Promise<void> {
    this.transactions.checkWritable();
    if (this.database.dialect === 'mysql') await work(this.database.source.manager);
    else
      await this.transactions.run(async (transaction) => {
        transaction.keepsCaches = true;
        await work(transaction.manager);
      });
  }
}
