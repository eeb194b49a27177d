import { describeOddNumbers } from '../suites/odd-numbers.js';
import { describeOddRequests } from '../suites/odd-requests.js';
import { describeOddWrites } from '../suites/odd-writes.js';
import { describeDatabase } from '../support/sites.js';

describeDatabase('odd requests', 'MariaDB', describeOddRequests);
describeDatabase('odd writes', 'MariaDB', describeOddWrites);
describeDatabase('odd numbers', 'MariaDB', describeOddNumbers);
