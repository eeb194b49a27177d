import { declareOddWrites } from './suites/odd-writes.js';
import { describeDatabase } from './support/sites.js';

// On MariaDB it is one of the long tests.
describeDatabase('odd writes', 'SQLite', declareOddWrites);
