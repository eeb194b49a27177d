import { describeDatabases } from '../support/sites.js';
import { declareRecordedCases } from '../suites/recorded-cases.js';

describeDatabases('recorded writes', (database) => declareRecordedCases('site-a/write', database));
