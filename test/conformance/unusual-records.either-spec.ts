import { declareRecordedCases } from '../suites/recorded-cases.js';
import { describeEither } from '../support/sites.js';

describeEither('recorded reads of unusual records', (database) => {
  declareRecordedCases('site-d/read', database);
});
