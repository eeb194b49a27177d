import { ClientDisconnected } from '../common/context/abort.js';
import { getStore, runWith } from '../common/context/request-store.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { RestException } from '../common/errors/rest-exception.js';

/**
 * Builds the response after a committed write. A failure must not look like a rejected write: failing `prepare` filters
 * are logged and ignored, other errors become `write_not_shown`.
 */
export async function respondAfterWrite<T>(show: () => Promise<T>): Promise<T> {
  const { request, caller } = getStore() ?? {};
  try {
    return await runWith({ request, caller, isWritten: true }, show);
  } catch (error) {
    // These errors describe themselves.
    if (error instanceof ClientDisconnected || isDatabaseUnavailable(error)) throw error;
    const message = 'The write was stored, but it can not be shown.';
    throw new RestException('unconfirmed', 'write_not_shown', message, {}, { cause: error });
  }
}
