import type { DataSource, Logger } from 'typeorm';

/** How many SQL statements ran, by what they were for. */
export interface StatementCount {
  /** Reads and writes of records: everything that is not one of the others. */
  records: number;
  /** Reads of the options table. */
  settings: number;
  /** Statements on users and their meta. */
  authentication: number;
  /** The text of each statement, in the order that they began. */
  sql: string[];
}

/** What is asked behind answers: once a second whether anything changed, and the rows of the index of dates. */
const BEHIND = /information_schema|data_version|index of dates/;

/** Notes every statement that TypeORM sends, from the first time that somebody asked. */
export class StatementLog implements Logger {
  private sql?: string[];

  private constructor(private readonly prefix: string) {}

  static on(source: DataSource): StatementLog {
    const log = new StatementLog(source.options.entityPrefix ?? '');
    source.setOptions({ logger: log });
    return log;
  }

  /** What ran since the last call; the first one answers nothing. */
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
