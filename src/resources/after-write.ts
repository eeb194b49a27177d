import { ClientDisconnected } from '../common/context/abort.js';
import { getStore, runWith } from '../common/context/request-store.js';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { RestException } from '../common/errors/rest-exception.js';

/**
 * Shows a record whose write was committed. Nothing that fails here may look like a refused write: a failed filter of
 * `prepare` is logged and changes nothing, anything else is `write_not_shown`.
 */
export async function afterWrite<T>(show: () => Promise<T>): Promise<T> {
  const { request, caller } = getStore() ?? {};
  try {
    return await runWith({ request, caller, isWritten: true }, show);
  } catch (error) {
    // These say it themselves.
    if (error instanceof ClientDisconnected || isDatabaseUnavailable(error)) throw error;
    const message = 'The write was stored, but it can not be shown.';
    throw new RestException('unconfirmed', 'write_not_shown', message, {}, { cause: error });
  }
}
