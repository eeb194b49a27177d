import { serverMissing } from '../support/mariadb.js';
import { recordedSite } from '../support/replay.js';
import { makeSite, SERVER_NAME } from '../support/sites.js';
import { declareRecordedCases } from '../suites/recorded-cases.js';

const NAMES = ['site-a/read', 'site-d/read', 'site-a/write'] as const;

(serverMissing() ? describe.skip : describe)('recorded cases of events that are made ready', () => {
  for (const name of NAMES)
    declareRecordedCases(name, SERVER_NAME, {}, () => makeSite(SERVER_NAME, recordedSite(name)), true);
});
