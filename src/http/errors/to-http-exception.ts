import { ClientDisconnected, currentAbortState } from '../../common/context/abort.js';
import { RestException } from '../../common/errors/rest-exception.js';
import {
  databaseUnavailable,
  isDatabaseUnavailable,
  isOutsideCharset,
  isReadOnly,
  isTooLarge,
  notStorable,
  readOnly,
  storedButUnreadable,
} from '../../database/database-errors.js';

/** Converts database errors to HTTP exceptions; other errors stay unchanged. */
export function toHttpException(thrown: unknown): unknown {
  if (isTooLarge(thrown))
    return new RestException(
      'too_large',
      'rest_content_too_large',
      'This is more than the database takes at once.',
    );
  if (isOutsideCharset(thrown)) return notStorable();
  // Shared work may be aborted by the request that began it.
  const away = (cause?: unknown) =>
    currentAbortState()?.hasCommitted ? storedButUnreadable(cause) : databaseUnavailable(cause);
  if (thrown instanceof ClientDisconnected) return away();
  if (isDatabaseUnavailable(thrown)) return away(thrown);
  return isReadOnly(thrown) ? readOnly() : thrown;
}
