import { declareRecordedCases } from '../suites/recorded-cases.js';
import { describeEither } from '../support/sites.js';

describeEither('recorded reads of odd records', (database) => {
  declareRecordedCases('site-d/read', database);
});
