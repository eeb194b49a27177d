import { declareRecordedCases } from '../suites/recorded-cases.js';
import { describeMariadbFirst } from '../support/sites.js';

describeMariadbFirst('recorded writes', (database) => declareRecordedCases('site-a/write', database));
