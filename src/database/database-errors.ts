import { HttpException } from '@nestjs/common';
import { ClientDisconnected, currentCaller } from '../common/context/abort.js';
import { RestException } from '../common/errors/rest-exception.js';
import {
  DEADLOCK_DURING_COMMIT,
  OUTSIDE_CHARSET,
  READ_ONLY,
  RETRYABLE,
  TOO_LARGE,
  UNAVAILABLE,
} from './data/error-codes.js';

/** The error of MariaDB's `max_statement_time`, which mysql2 does not name. */
const STATEMENT_TIMEOUT = 1969;

interface DatabaseError {
  code?: string;
  errno?: number;
  message?: string;
  driverError?: unknown;
}

const hasCode =
  (codes: ReadonlySet<string>) =>
  (error: unknown): boolean =>
    chain(error).some((one) => codes.has(codeOf(one)));

/** Whether a write failed because its user or the server is read-only. */
export const isReadOnly = hasCode(READ_ONLY);

/** Whether a text was compared with a column whose character set cannot encode it, such as emoji without `utf8mb4`. */
export const isOutsideCharset = hasCode(OUTSIDE_CHARSET);

/** Whether a table does not exist whose name contains this part. */
export const isMissingTable = (error: unknown, part: string): boolean =>
  chain(error).some(
    ({ code, message = '' }) =>
      (code === 'ER_NO_SUCH_TABLE' || message.startsWith('no such table')) && message.includes(part),
  );

/** Whether a row with the same unique key exists. */
export const isDuplicateKey = hasCode(new Set(['ER_DUP_ENTRY']));

/** Whether the database did not respond within the timeout. */
export const hasTimedOut = hasCode(new Set(['ETIMEDOUT']));

/** Whether a statement exceeded the server's limit. */
export const isTooLarge = hasCode(TOO_LARGE);
const isConflict = hasCode(RETRYABLE);

export function isDatabaseUnavailable(error: unknown): boolean {
  return chain(error).some(
    (one) =>
      UNAVAILABLE.has(codeOf(one)) ||
      one.errno === STATEMENT_TIMEOUT ||
      /closed state|Connection lost|Pool is closed|Queue limit reached/i.test(one.message ?? ''),
  );
}

/** Whether a transaction failed because of a concurrent one and can be retried at once. */
export function isRetryable(error: unknown): boolean {
  const isDeadlock = ({ code, message = '' }: DatabaseError) =>
    code === 'ER_ERROR_DURING_COMMIT' && DEADLOCK_DURING_COMMIT.test(message);
  return isConflict(error) || chain(error).some(isDeadlock);
}

const busy = (message: string, cause?: unknown): RestException =>
  new RestException('busy', 'database_unavailable', message, {}, { cause });

/** The error for an unavailable database during a write that was rolled back. */
export const notWritten = (why: string): RestException =>
  busy('The database does not answer at the moment; nothing was written.', why);

/** The error for a connection lost during a commit. */
export function unconfirmed(why: string): RestException {
  const message =
    'The database did not confirm the write: it may have been stored. Look before sending it again.';
  return new RestException('unconfirmed', 'write_unconfirmed', message, {}, { cause: why });
}

/** The error for a committed write whose response cannot be read. */
function storedButUnreadable(cause?: unknown): RestException {
  const message =
    'The write was stored, but the database does not answer at the moment and it cannot be shown.';
  return new RestException('unconfirmed', 'write_not_shown', message, {}, { cause });
}

/** The error for a text that exceeds a column's length or character set. */
export function notStorable(why?: string): RestException {
  const message =
    'A text that was sent is longer than the tables of this site can hold, or has characters that they cannot.';
  return new RestException('invalid', 'rest_invalid_param', message, {}, { cause: why });
}

/** The error for writes in read-only mode, by configuration or by the database. */
export const readOnly = (): RestException =>
  new RestException('forbidden_for_all', 'read_only', 'This server may only read; nothing was written.');

export const isReadOnlyException = (error: unknown): boolean =>
  error instanceof RestException && error.code === 'read_only';

/** The code without SQLite's suffixes (`SQLITE_IOERR_WRITE`). */
const codeOf = ({ code = '' }: DatabaseError): string => /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;

/** The error and the driver's error that it wraps; none for an HTTP exception. */
function chain(error: unknown): DatabaseError[] {
  if (error instanceof HttpException) return [];
  const outer = (error ?? {}) as DatabaseError;
  const inner = outer.driverError;
  return inner === undefined || inner === error ? [outer] : [outer, inner as DatabaseError];
}

/** Converts database errors to HTTP exceptions; other errors stay unchanged. */
export function toHttpException(thrown: unknown): unknown {
  if (isTooLarge(thrown))
    return new RestException(
      'too_large',
      'rest_content_too_large',
      'The request is larger than the database accepts.',
    );
  if (isOutsideCharset(thrown)) return notStorable();
  // Shared work may be aborted by the request that began it.
  const away = (cause?: unknown) =>
    currentCaller()?.hasCommitted
      ? storedButUnreadable(cause)
      : busy('The database does not answer at the moment.', cause);
  if (thrown instanceof ClientDisconnected) return away();
  if (isDatabaseUnavailable(thrown)) return away(thrown);
  return isReadOnly(thrown) ? readOnly() : thrown;
}
