import type { PoolConnection, QueryResult, ResultSetHeader, RowDataPacket } from 'mysql2';
import type { Sql } from 'sql-template-tag';
import { type DataSource, QueryFailedError, type QueryRunner } from 'typeorm';
import { RestException } from '../common/errors/rest-exception.js';
import { CUT } from './data/error-codes.js';
import { notStorable } from './database-errors.js';

/** What TypeORM's driver of MySQL has beside the interface of all drivers. */
interface MysqlPool {
  obtainMasterConnection(): Promise<PoolConnection>;
}

/**
 * What the database answers to a statement; in a transaction when its runner is given. On MySQL mysql2 is asked itself: what
 * TypeORM does around a statement, to tell subscribers of it, costs as much as sending it. Where there are subscribers, and
 * on SQLite, TypeORM is asked. Fails as TypeORM does.
 */
export async function executeStatement<Result>(
  source: DataSource,
  { sql: text, values }: Pick<Sql, 'sql' | 'values'>,
  runner?: QueryRunner,
): Promise<Result> {
  if (source.options.type !== 'mysql' || source.subscribers.length > 0 || runner?.isReleased)
    return source.query<Result>(text, values, runner);
  const pool = source.driver as unknown as MysqlPool;
  const connection: PoolConnection = await (runner ? runner.connect() : pool.obtainMasterConnection());
  source.logger.logQuery(text, values, runner);
  try {
    const answer = await answerOf<Result>(connection, text, values);
    if (runner && isWarned(answer)) await checkStored(connection);
    return answer;
  } catch (error) {
    if (error instanceof RestException) throw error;
    source.logger.logQueryError(error as Error, text, values, runner);
    throw new QueryFailedError(text, values, error as Error);
  } finally {
    if (!runner) connection.release();
  }
}

function answerOf<Result>(connection: PoolConnection, text: string, values: unknown[]): Promise<Result> {
  return new Promise((resolve, reject) => {
    connection.query<QueryResult>(text, values, (error, answer) => {
      if (error) reject(error);
      else resolve(answer as Result);
    });
  });
}

/** Of a write; what a read warns of, such as a text that is no number, is no harm. */
function isWarned(answer: unknown): boolean {
  const { affectedRows, warningStatus = 0 } = (answer ?? {}) as Partial<ResultSetHeader>;
  return affectedRows !== undefined && warningStatus > 0;
}

/** Fails where the database stored something else than it was sent: it says so only in strict modes, which refuse zero dates. */
async function checkStored(connection: PoolConnection): Promise<void> {
  const warnings = await answerOf<RowDataPacket[]>(connection, 'SHOW WARNINGS', []);
  const cut = warnings.find(({ Level, Code }) => Level !== 'Note' && CUT.has(Number(Code)));
  if (cut) throw notStorable(String(cut['Message']));
}
