import { ClientDisconnected, currentAbortState } from '../../common/context/abort.js';
import { RestException } from '../../common/errors/rest-exception.js';
import {
  databaseUnavailable,
  isDatabaseUnavailable,
  isOutsideCharset,
  isReadOnly,
  isTooLarge,
  storedButUnreadable,
  notStorable,
  readOnly,
} from '../../database/database-errors.js';

/** What was thrown, or where the database refused something the refusal that this means. */
export function toHttpException(thrown: unknown): unknown {
  if (isTooLarge(thrown))
    return new RestException(
      'too_large',
      'rest_content_too_large',
      'This is more than the database takes at once.',
    );
  if (isOutsideCharset(thrown)) return notStorable();
  // Work that requests share can be dropped by the one that began it.
  const away = (cause?: unknown) =>
    currentAbortState()?.hasCommitted ? storedButUnreadable(cause) : databaseUnavailable(cause);
  if (thrown instanceof ClientDisconnected) return away();
  if (isDatabaseUnavailable(thrown)) return away(thrown);
  return isReadOnly(thrown) ? readOnly() : thrown;
}
