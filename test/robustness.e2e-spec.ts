import { declareOddRequests } from './suites/odd-requests.js';
import { describeDatabase } from './support/sites.js';

// On MariaDB it is one of the long tests.
describeDatabase('odd requests', 'SQLite', declareOddRequests);
