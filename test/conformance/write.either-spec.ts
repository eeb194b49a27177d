import { describeMariadbFirst } from '../support/sites.js';
import { declareRecordedCases } from '../suites/recorded-cases.js';

describeMariadbFirst('recorded writes', (database) => declareRecordedCases('site-a/write', database));
