import {
  isDatabaseUnavailable,
  isOutsideCharset,
  isReadOnly,
  isRetryable,
  isTooLarge,
} from '../../src/database/database-errors.js';

const meaning = (code: unknown, message = 'refused') => {
  const error = Object.assign(new Error(message), { driverError: { code, message } });
  return Object.entries({
    isDatabaseUnavailable,
    isRetryable,
    isReadOnly,
    isTooLarge,
    isOutsideCharset,
  }).flatMap(([name, is]) => (is(error) ? [name] : []));
};

describe('error codes of a database', () => {
  it.each([
    ['ER_LOCK_DEADLOCK', ['isDatabaseUnavailable', 'isRetryable']],
    ['ER_READ_ONLY_MODE', ['isReadOnly']],
    ['SQLITE_BUSY', ['isDatabaseUnavailable', 'isRetryable']],
    ['SQLITE_BUSY_SNAPSHOT', ['isDatabaseUnavailable', 'isRetryable']],
    ['SQLITE_IOERR_WRITE', ['isDatabaseUnavailable']],
    ['SQLITE_READONLY_DBMOVED', ['isReadOnly']],
    ['SQLITE_TOOBIG', ['isTooLarge']],
    ['SQLITE_CONSTRAINT_UNIQUE', []],
    ['ER_PARSE_ERROR', []],
    [undefined, []],
    ['ER_TRANSACTION_ROLLBACK_DURING_COMMIT', ['isDatabaseUnavailable', 'isRetryable']],
    ['ER_ERROR_DURING_COMMIT', ['isDatabaseUnavailable']],
    ['ER_CANNOT_CONVERT_STRING', ['isOutsideCharset']],
  ])('are classified: %s', (code, means) => expect(meaning(code)).toEqual(means));

  it('distinguish a deadlock during the commit from other errors', () => {
    const ofCommit = (message: string) => meaning('ER_ERROR_DURING_COMMIT', message);
    expect(ofCommit("Got error 149 - 'Lock deadlock; Retry transaction' during COMMIT")).toContain(
      'isRetryable',
    );
    expect(ofCommit("Got error 5 - 'Transaction was aborted' during COMMIT")).toEqual([
      'isDatabaseUnavailable',
    ]);
  });
});
