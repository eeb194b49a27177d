import type { DataSource, Logger } from 'typeorm';

/** Numbers of SQL statements by purpose. */
export interface StatementCount {
  /** Reads and writes of records, and everything not counted below. */
  records: number;
  /** Reads of the options table. */
  settings: number;
  /** Statements on users and their metas. */
  authentication: number;
  /** The text of each statement, in order of start. */
  sql: string[];
}

/** Background statements: the poll of changes, once a second, and the rows of the event index. */
const BEHIND = /information_schema|data_version|index of dates/;

/** Records every statement of TypeORM from the first call on. */
export class StatementLog implements Logger {
  private sql?: string[];

  private constructor(private readonly prefix: string) {}

  static on(source: DataSource): StatementLog {
    const log = new StatementLog(source.options.entityPrefix ?? '');
    source.setOptions({ logger: log });
    return log;
  }

  /** The statements since the last call; the first call returns none. */
  take(): StatementCount {
    const sql = this.sql ?? [];
    this.sql = [];
    const on = (...tables: string[]) =>
      sql.filter((text) => new RegExp(`["\`]${this.prefix}(${tables.join('|')})["\`]`).test(text)).length;
    const settings = on('options');
    const authentication = on('users', 'usermeta');
    return { records: sql.length - settings - authentication, settings, authentication, sql };
  }

  logQuery(query: string): void {
    if (!BEHIND.test(query)) this.sql?.push(query);
  }
  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}
}
