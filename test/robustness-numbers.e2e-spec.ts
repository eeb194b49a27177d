import { declareOddNumbers } from './suites/odd-numbers.js';
import { describeDatabase } from './support/sites.js';

// On MariaDB it is one of the long tests.
describeDatabase('odd numbers', 'SQLite', declareOddNumbers);
