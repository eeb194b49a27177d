import {
  isDatabaseAway,
  isReadOnly,
  isTooLarge,
  isWorthRepeating,
} from '../../src/database/database-errors.js';

const meaning = (code: unknown) => {
  const error = Object.assign(new Error('refused'), { driverError: { code } });
  return [isDatabaseAway, isWorthRepeating, isReadOnly, isTooLarge].flatMap((is) =>
    is(error) ? [is.name] : [],
  );
};

describe('codes of a database', () => {
  it.each([
    ['ER_LOCK_DEADLOCK', ['isDatabaseAway', 'isWorthRepeating']],
    ['ER_READ_ONLY_MODE', ['isReadOnly']],
    ['SQLITE_BUSY', ['isDatabaseAway', 'isWorthRepeating']],
    ['SQLITE_BUSY_SNAPSHOT', ['isDatabaseAway', 'isWorthRepeating']],
    ['SQLITE_IOERR_WRITE', ['isDatabaseAway']],
    ['SQLITE_READONLY_DBMOVED', ['isReadOnly']],
    ['SQLITE_TOOBIG', ['isTooLarge']],
    ['SQLITE_CONSTRAINT_UNIQUE', []],
    ['ER_PARSE_ERROR', []],
    [undefined, []],
  ])('%s', (code, means) => expect(meaning(code)).toEqual(means));
});
