import { replayCases } from '../suites/recorded-cases.js';
import { describeDatabase } from '../support/sites.js';

describeDatabase('recorded reads of odd records', 'MariaDB', (database) => {
  replayCases('site-d/read', database);
});
