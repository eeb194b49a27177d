import { describeDatabases } from '../support/sites.js';
import { replayCases } from '../suites/recorded-cases.js';

describeDatabases('recorded writes', (database) => replayCases('site-a/write', database));
