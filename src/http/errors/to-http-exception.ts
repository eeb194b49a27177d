import { ClientDisconnected, currentAbortState } from '../../common/context/abort.js';
import { RestException } from '../../common/errors/rest-exception.js';
import {
  databaseAway,
  isDatabaseAway,
  isOutsideCharset,
  isReadOnly,
  isTooLarge,
  notShown,
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
    currentAbortState()?.hasCommitted ? notShown(cause) : databaseAway(cause);
  if (thrown instanceof ClientDisconnected) return away();
  if (isDatabaseAway(thrown)) return away(thrown);
  return isReadOnly(thrown) ? readOnly() : thrown;
}
