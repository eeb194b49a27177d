import { declareRecordedCases } from '../suites/recorded-cases.js';
import { describeDatabase } from '../support/sites.js';

describeDatabase('recorded reads of odd records', 'MariaDB', (database) => {
  declareRecordedCases('site-d/read', database);
});
