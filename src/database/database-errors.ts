import { Refusal } from '../errors/refusal.js';

/** Something between us and the rows does not work now and may do so later. */
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'POOL_CLOSED',
  'SESSION_REFUSED',
  'ER_CON_COUNT_ERROR',
  'ER_TOO_MANY_USER_CONNECTIONS',
  'ER_SERVER_SHUTDOWN',
  'ER_SERVER_GONE_ERROR',
  'ER_CONNECTION_KILLED',
  'ER_QUERY_INTERRUPTED',
  'ER_QUERY_TIMEOUT',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_TABLE_FULL',
  'ER_TOO_MANY_CONCURRENT_TRXS',
  'ER_DISK_FULL',
  'ER_ERROR_ON_WRITE',
  'ER_RECORD_FILE_FULL',
  'ER_OUTOFMEMORY',
  'ER_OUT_OF_RESOURCES',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_FULL',
  'SQLITE_IOERR',
]);

/** MariaDB's `max_statement_time`, which mysql2 has no name for. */
const STATEMENT_TIMEOUT = 1969;

const READ_ONLY = new Set([
  'ER_DBACCESS_DENIED_ERROR',
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
  'ER_OPTION_PREVENTS_STATEMENT',
  'ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION',
  'ER_OPEN_AS_READONLY',
  'ER_READ_ONLY_MODE',
  'ER_INNODB_READ_ONLY',
  'SQLITE_READONLY',
]);

const RETRIED = new Set([
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
]);

interface DatabaseError {
  code?: string;
  errno?: number;
  message?: string;
  driverError?: unknown;
}

/** Whether an error says that the database can not be asked right now, and that asking again later may help. */
export function isDatabaseAway(error: unknown): boolean {
  return chain(error).some(
    ({ code = '', errno, message = '' }) =>
      AWAY.has(code) ||
      errno === STATEMENT_TIMEOUT ||
      /closed state|Connection lost|Pool is closed|Queue limit reached/i.test(message),
  );
}

/** Whether a write was refused because its user, or the server as a whole, may only read. */
export function isReadOnly(error: unknown): boolean {
  return hasCode(error, READ_ONLY);
}

/** Whether a statement was longer than the server takes. */
export function isTooLarge(error: unknown): boolean {
  return hasCode(error, new Set(['ER_NET_PACKET_TOO_LARGE', 'SQLITE_TOOBIG']));
}

/** Whether a transaction failed because of another one, and may succeed when it is run again at once. */
export function isWorthRepeating(error: unknown): boolean {
  return hasCode(error, RETRIED);
}

/** The database can not do this in time; asking again later may help. `why` is for the log. */
export function databaseAway(why?: string): Refusal {
  const cause = why && { cause: why };
  return new Refusal(
    'busy',
    'database_unavailable',
    'The database does not answer at the moment.',
    {},
    cause || {},
  );
}

/** The database takes no write of ours: the user may only read, or the whole server does. */
export function readOnly(): Refusal {
  return new Refusal('closed', 'rest_read_only', 'The database may only be read; nothing was written.');
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return chain(error).some(({ code }) => code !== undefined && codes.has(code));
}

/** The error and the driver's own that it wraps. */
function chain(error: unknown): DatabaseError[] {
  const outer = (error ?? {}) as DatabaseError;
  const inner = outer.driverError;
  return inner === undefined || inner === error ? [outer] : [outer, inner as DatabaseError];
}
