import mysql2, { type PoolConnection } from 'mysql2';
import { ClientDisconnected, currentAbortState } from '../common/context/abort.js';
import type { DatabaseBudget } from '../common/context/database-budget.js';
import { formatStatement } from './mysql-literals.js';
import { readLatin1 } from './latin1.js';
import { longestStatement, type SessionRules, setUpSession } from './mysql-session.js';

type Done = (error: NodeJS.ErrnoException | null, connection: PoolConnection) => void;

/** How many may wait for a connection at once; whoever comes then is refused at once. */
const MAX_QUEUE_LENGTH = 1000;
/** How much longer than the server, which ends a statement itself, it is waited for, in milliseconds. */
const GRACE = 1000;
/** The same of a request that may wait no longer: the server ends a statement that was its first one. */
const BUDGET_GRACE = 200;
/** How often a connection is looked at that does not answer, in milliseconds. */
const LOOK_AFTER = 250;

/**
 * mysql2 for TypeORM, which has no hook per connection: each one gets its session before anything else is asked of it, and
 * statements are made without relying on the session's mode. Waiting for a connection and each statement end in time; a
 * connection that did not answer in time is destroyed, and whoever is gone by the time that one is free does not get it.
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
        // mysql2 would hear that the server takes latin1 and send that; what is sent are the bytes of UTF-8.
        ...(rules.charset === 'latin1' && { typeCast: readLatin1, flags: ['-SESSION_TRACK'] }),
        // There are none, and each connection would have half a megabyte for 16,000.
        maxPreparedStatements: 1,
      });
      const ready = new WeakSet<PoolConnection>();
      const take = pool.getConnection.bind(pool);
      pool.getConnection = (done: Done) => {
        const caller = currentAbortState();
        const settle = inTime(done, rules.timeout, caller?.budget);
        take((error, connection) => {
          if (error) return settle(error, connection);
          if (caller?.aborted) {
            connection.release();
            return settle(new ClientDisconnected(), connection);
          }
          if (ready.has(connection)) return settle(null, connection);
          // TypeORM asks for it with every statement.
          const promised = connection.promise();
          connection.promise = () => promised;
          if (rules.timeout > 0) limitStatements(connection, rules.timeout);
          setUpSession(connection, rules).then(
            () => {
              ready.add(connection);
              settle(null, connection);
            },
            (refused) => {
              connection.destroy();
              settle(refused, connection);
            },
          );
        });
      };
      return pool;
    },
  };
}

/** Gives up waiting after some milliseconds (0: never), or when the caller may not wait on; a connection that comes later goes back. */
function inTime(done: Done, timeout: number, budget?: DatabaseBudget): Done {
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

/** A statement that is not answered yet. */
interface Asked {
  /** When it is given up, by `performance.now()`. */
  until: number;
  budget?: DatabaseBudget;
}

/**
 * Destroys a connection that has not answered a statement in time, which fails that statement: a little later than the server would
 * end it itself, or when the caller may not wait on.
 */
function limitStatements(connection: PoolConnection, timeout: number): void {
  const ask = connection.query.bind(connection) as (...args: unknown[]) => mysql2.Query;
  const { stream } = connection as unknown as {
    stream: NodeJS.WritableStream & { destroy(error: Error): void };
  };
  /** They are answered in this order. */
  const asked: Asked[] = [];
  const answered = () => asked.shift()?.budget?.end();
  connection.query = ((...args: unknown[]) => {
    const budget = currentAbortState()?.budget;
    const left = Math.min(timeout + GRACE, (budget?.remaining ?? Number.POSITIVE_INFINITY) + BUDGET_GRACE);
    budget?.begin();
    asked.push({ until: performance.now() + left, budget });
    return ask(...args).once('end', answered);
  }) as typeof connection.query;
  // A timer for each statement would cost as much as sending it.
  const watch = setInterval(() => {
    if (performance.now() > (asked[0]?.until ?? Number.POSITIVE_INFINITY))
      stream.destroy(timedOut(`a statement was not answered within ${timeout} ms`));
  }, LOOK_AFTER).unref();
  stream.once('close', () => {
    clearInterval(watch);
    while (asked.length > 0) answered();
  });
}

function timedOut(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}

/** Refuses what the server would answer with a closed connection. */
function checkedFormat(this: object, text: string, values: readonly unknown[]): string {
  const statement = formatStatement(text, values);
  const most = longestStatement(this);
  // One byte of the packet says that it is a statement.
  if (most !== undefined && statement.length * 3 >= most && Buffer.byteLength(statement) >= most)
    throw Object.assign(new Error('The statement is longer than max_allowed_packet.'), {
      code: 'ER_NET_PACKET_TOO_LARGE',
    });
  return statement;
}
