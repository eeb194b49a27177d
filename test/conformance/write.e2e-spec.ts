import { describeDatabases } from '../support/sites.js';
import { replayCases } from './replay-cases.js';

describeDatabases('recorded writes', (database) => replayCases('site-a/write', database));
