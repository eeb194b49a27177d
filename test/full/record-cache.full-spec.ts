import { declareRecordedCases } from '../suites/recorded-cases.js';
import { serverMissing } from '../support/mariadb.js';
import { recordedSite } from '../support/replay.js';
import { SERVER_NAME, makeSite } from '../support/sites.js';

const NAMES = ['site-a/read', 'site-d/read', 'site-a/write'] as const;

(serverMissing() ? describe.skip : describe)('recorded cases of events that are made ready', () => {
  for (const name of NAMES)
    declareRecordedCases(name, SERVER_NAME, {}, () => makeSite(SERVER_NAME, recordedSite(name)), true);
});
