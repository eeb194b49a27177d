import mysql2, { type PoolConnection } from 'mysql2';
import { ClientDisconnected, currentCaller } from '../common/context/abort.js';
import type { DatabaseBudget } from '../common/context/database-budget.js';
import { readLatin1 } from './latin1.js';
import { longestStatement, type SessionRules, setUpSession } from './mysql-session.js';
import { utcText } from './utc-dates.js';

type Done = (error: NodeJS.ErrnoException | null, connection: PoolConnection) => void;

/** The maximum of requests waiting for a connection; further ones fail at once. */
const MAX_QUEUE_LENGTH = 1000;
/** How much longer than the server's own timeout to wait for a statement, in milliseconds. */
const GRACE_MS = 1000;
/** The same when the request's budget ends first. */
const BUDGET_GRACE_MS = 200;
/** How often to check for timed out statements, in milliseconds. */
const CHECK_INTERVAL_MS = 250;

/**
 * mysql2 for TypeORM, which has no hook per connection. Sets up the session of each new connection, formats statements
 * independently of the SQL mode, and limits the time of statements and of waiting for a connection. Timed out connections
 * are destroyed; aborted requests get none.
 */
export function mysqlDriver(
  rules: SessionRules = { timeout: 0, readOnly: false, charset: 'utf8mb4' },
): object {
  return {
    ...mysql2,
    createPool(options: mysql2.PoolOptions) {
      const pool = mysql2.createPool({
        ...options,
        queueLimit: MAX_QUEUE_LENGTH,
        queryFormat: checkedFormat,
        // Without session tracking mysql2 keeps sending UTF-8 although the session is latin1.
        ...(rules.charset === 'latin1' && { typeCast: readLatin1, flags: ['-SESSION_TRACK'] }),
        // Few are used; the default of 16,000 allocates half a megabyte per connection.
        maxPreparedStatements: 8,
      });
      const ready = new WeakSet<PoolConnection>();
      const take = pool.getConnection.bind(pool);
      pool.getConnection = (done: Done) => {
        const caller = currentCaller();
        const settle = withTimeout(done, rules.timeout, caller?.budget);
        take((error, connection) => {
          if (error) return settle(error, connection);
          if (caller?.aborted) {
            connection.release();
            return settle(new ClientDisconnected(), connection);
          }
          if (ready.has(connection)) return settle(null, connection);
          // TypeORM calls it for every statement.
          const promised = connection.promise();
          connection.promise = () => promised;
          if (rules.timeout > 0) limitStatements(connection, rules.timeout);
          setUpSession(connection, rules).then(
            () => {
              ready.add(connection);
              settle(null, connection);
            },
            (error) => {
              connection.destroy();
              settle(error, connection);
            },
          );
        });
      };
      return pool;
    },
  };
}

/** Fails after `timeout` milliseconds (0: never) or the request's budget; releases a connection that arrives later. */
function withTimeout(done: Done, timeout: number, budget?: DatabaseBudget): Done {
  let isOver = false;
  budget?.begin();
  const settle: Done = (error, connection) => {
    if (isOver) {
      if (!error) connection.release();
      return;
    }
    isOver = true;
    clearTimeout(timer);
    budget?.end();
    done(error, connection);
  };
  const giveUp = () => settle(timedOut(`no connection was free within ${timeout} ms`), undefined as never);
  const most = Math.min(timeout, budget?.remaining ?? timeout);
  const timer = timeout > 0 ? setTimeout(giveUp, most) : undefined;
  return settle;
}

type Ask = (...args: unknown[]) => mysql2.Query;

interface PendingStatement {
  /** Its deadline by `performance.now()`. */
  until: number;
  budget?: DatabaseBudget;
}

/** Destroys a connection whose statement exceeds the server's timeout plus a grace period, or the request's budget. */
function limitStatements(connection: PoolConnection, timeout: number): void {
  const { stream } = connection as unknown as {
    stream: NodeJS.WritableStream & { destroy(error: Error): void };
  };
  /** Pending statements in the order of their results. */
  const pending: PendingStatement[] = [];
  const finished = () => pending.shift()?.budget?.end();
  const limited =
    (ask: Ask) =>
    (...args: unknown[]) => {
      const budget = currentCaller()?.budget;
      const left = Math.min(
        timeout + GRACE_MS,
        (budget?.remaining ?? Number.POSITIVE_INFINITY) + BUDGET_GRACE_MS,
      );
      budget?.begin();
      pending.push({ until: performance.now() + left, budget });
      return ask(...args).once('end', finished);
    };
  connection.query = limited(connection.query.bind(connection) as Ask) as typeof connection.query;
  connection.execute = limited(connection.execute.bind(connection) as Ask) as typeof connection.execute;
  // A timer per statement would cost as much as the statement.
  const watch = setInterval(() => {
    if (performance.now() > (pending[0]?.until ?? Number.POSITIVE_INFINITY))
      stream.destroy(timedOut(`a statement was not answered within ${timeout} ms`));
  }, CHECK_INTERVAL_MS).unref();
  stream.once('close', () => {
    clearInterval(watch);
    while (pending.length > 0) finished();
  });
}

function timedOut(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

/** Formats a statement; throws for one above `max_allowed_packet`, for which the server would close the connection. */
function checkedFormat(this: object, text: string, values: readonly unknown[]): string {
  const statement = formatStatement(text, values);
  const most = longestStatement(this);
  // The packet has one byte for the command.
  if (most !== undefined && statement.length * 3 >= most && Buffer.byteLength(statement) >= most)
    throw Object.assign(new Error('The statement is longer than max_allowed_packet.'), {
      code: 'ER_NET_PACKET_TOO_LARGE',
    });
  return statement;
}

/**
 * Replaces a statement's question marks by values. Quotes are doubled, never escaped by a backslash, so that no text can
 * leave its quotes, with or without `NO_BACKSLASH_ESCAPES`. Throws for anything but a scalar, bytes or a date.
 */
export function formatStatement(text: string, values: readonly unknown[] = []): string {
  if (values.length === 0) return text;
  let at = 0;
  return text.replace(/\?/g, (mark) => (at < values.length ? literal(values[at++]) : mark));
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'boolean' || typeof value === 'bigint' || Number.isFinite(value)) return String(value);
  if (value instanceof Uint8Array) return `X'${Buffer.from(value).toString('hex')}'`;
  if (value instanceof Date) return `'${utcText(value)}'`;
  throw new TypeError(`No value of a statement: ${typeof value}`);
}
