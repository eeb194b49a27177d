import { Injectable } from '@nestjs/common';
import type { Sql } from 'sql-template-tag';
import { Database } from '../database/database.js';
import { executeStatement } from '../database/execute-statement.js';
import { Transactions } from '../database/transactions.js';

/** Writes rows of Almanac's own tables, which need no write lock. */
@Injectable()
export class OwnStatements {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
  ) {}

  /** Executes statements one after the other; on SQLite, whose connection all work shares, in one transaction. */
  async run(...statements: readonly Sql[]): Promise<void> {
    this.transactions.checkWritable();
    if (this.database.dialect === 'mysql')
      for (const statement of statements) await executeStatement(this.database.source, statement);
    else
      await this.transactions.run(async ({ manager }) => {
        for (const statement of statements)
          await executeStatement(this.database.source, statement, manager.queryRunner);
      });
  }
}
