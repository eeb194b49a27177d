import { declareOddNumbers } from '../suites/odd-numbers.js';
import { declareOddRequests } from '../suites/odd-requests.js';
import { declareOddWrites } from '../suites/odd-writes.js';
import { describeDatabase } from '../support/sites.js';

describeDatabase('odd requests', 'MariaDB', declareOddRequests);
describeDatabase('odd writes', 'MariaDB', declareOddWrites);
describeDatabase('odd numbers', 'MariaDB', declareOddNumbers);
