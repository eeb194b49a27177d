import { declareRecordedCases } from '../suites/recorded-cases.js';
import { mariadbMissing } from '../support/mariadb.js';
import { recordedSite } from '../support/replay.js';
import { makeSite } from '../support/sites.js';

const NAMES = ['site-a/read', 'site-d/read', 'site-a/write'] as const;

(mariadbMissing() ? describe.skip : describe)('recorded cases of events that are made ready', () => {
  for (const name of NAMES)
    declareRecordedCases(name, 'MariaDB', {}, () => makeSite('MariaDB', recordedSite(name)), true);
});
