import { errorLine } from '../common/errors/error-line.js';
import { RestException } from '../common/errors/rest-exception.js';
import { isReadOnlyException } from '../database/database-errors.js';
import { StartError } from '../database/start-error.js';

/** Converts a `RestException` to a `StartError` that ends a command; other errors stay. */
export function exceptionText(error: unknown): unknown {
  if (isReadOnlyException(error))
    return new StartError(
      'The database may only be read, by the rights of its user or READ_ONLY: nothing was written.',
    );
  return error instanceof RestException ? new StartError(errorLine(error)) : error;
}
