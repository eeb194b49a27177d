import { HttpException } from '@nestjs/common';
import { RestException } from '../common/errors/rest-exception.js';
import {
  AWAY,
  DEADLOCK_DURING_COMMIT,
  OUTSIDE_CHARSET,
  READ_ONLY,
  RETRIED,
  TOO_LARGE,
} from './data/error-codes.js';

/** MariaDB's `max_statement_time`, which mysql2 has no name for. */
const STATEMENT_TIMEOUT = 1969;

interface DatabaseError {
  code?: string;
  errno?: number;
  message?: string;
  driverError?: unknown;
}

/** Whether an error says that the database can not be asked right now, and that asking again later may help. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return chain(error).some(
    (one) =>
      AWAY.has(codeOf(one)) ||
      one.errno === STATEMENT_TIMEOUT ||
      /closed state|Connection lost|Pool is closed|Queue limit reached/i.test(one.message ?? ''),
  );
}

/** Whether a write was refused because its user, or the server as a whole, may only read. */
export function isReadOnly(error: unknown): boolean {
  return hasCode(error, READ_ONLY);
}

/** Whether a statement was longer than the server takes. */
export function isTooLarge(error: unknown): boolean {
  return hasCode(error, TOO_LARGE);
}

/** Whether a text was compared with a column whose character set can not hold it, such as emoji on sites from before `utf8mb4`. */
export function isOutsideCharset(error: unknown): boolean {
  return hasCode(error, OUTSIDE_CHARSET);
}

/** Whether a transaction failed because of another one, and may succeed when it is run again at once. */
export function isRetryable(error: unknown): boolean {
  const isDeadlock = ({ code, message = '' }: DatabaseError) =>
    code === 'ER_ERROR_DURING_COMMIT' && DEADLOCK_DURING_COMMIT.test(message);
  return hasCode(error, RETRIED) || chain(error).some(isDeadlock);
}

/** Whether a row with the same unique key is there already. */
export function isDuplicateKey(error: unknown): boolean {
  return hasCode(error, new Set(['ER_DUP_ENTRY']));
}

/** Whether the database said nothing at all for as long as we wait. */
export function hasTimedOut(error: unknown): boolean {
  return hasCode(error, new Set(['ETIMEDOUT']));
}

/** The database can not do this in time; asking again later may help. */
export function databaseUnavailable(cause?: unknown): RestException {
  const message = 'The database does not answer at the moment.';
  return new RestException('busy', 'database_unavailable', message, {}, { cause });
}

/** The same of a write, of which nothing is left. */
export function notWritten(why: string): RestException {
  const message = 'The database does not answer at the moment; nothing was written.';
  return new RestException('busy', 'database_unavailable', message, {}, { cause: why });
}

/** The database was lost while a write was committed. */
export function unconfirmed(why: string): RestException {
  const message =
    'The database did not confirm the write: it may have been stored. Look before sending it again.';
  return new RestException('unconfirmed', 'write_unconfirmed', message, {}, { cause: why });
}

/** A write was committed, and what it is answered with can not be read. */
export function storedButUnreadable(cause?: unknown): RestException {
  const message =
    'The write was stored, but the database does not answer at the moment and it can not be shown.';
  return new RestException('unconfirmed', 'write_not_shown', message, {}, { cause });
}

/** A text does not fit the table, which is of another character set, or has shorter columns, than WordPress makes today. */
export function notStorable(why?: string): RestException {
  const message =
    'A text that was sent is longer than the tables of this site can hold, or has characters that they can not.';
  return new RestException('invalid', 'rest_invalid_param', message, {}, { cause: why });
}

/** Nothing may be written: the configuration says so, the database's user may only read, or its whole server does. */
export function readOnly(): RestException {
  return new RestException(
    'forbidden_for_all',
    'read_only',
    'This server may only read; nothing was written.',
  );
}

/** Whether something was refused because nothing may be written. */
export function isReadOnlyException(error: unknown): boolean {
  return error instanceof RestException && error.code === readOnly().code;
}

function hasCode(error: unknown, codes: ReadonlySet<string>): boolean {
  return chain(error).some((one) => codes.has(codeOf(one)));
}

/** SQLite adds what it was about: `SQLITE_IOERR_WRITE`. */
const codeOf = ({ code = '' }: DatabaseError): string => /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;

/** The error and the driver's own that it wraps; what is refused in words already is none of either, whatever they say. */
function chain(error: unknown): DatabaseError[] {
  if (error instanceof HttpException) return [];
  const outer = (error ?? {}) as DatabaseError;
  const inner = outer.driverError;
  return inner === undefined || inner === error ? [outer] : [outer, inner as DatabaseError];
}
