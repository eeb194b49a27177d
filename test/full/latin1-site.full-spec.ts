import { declareRecordedCases } from '../suites/recorded-cases.js';
import { makeLatin1Site } from '../support/latin1-site.js';
import { describeDatabase } from '../support/sites.js';

// Recorded lists are sorted by names as utf8mb4 has them; test/latin1-site.e2e-spec.ts compares reads.
for (const tables of ['latin1', 'mixed'] as const)
  describeDatabase(`recorded writes of a site over latin1, ${tables} tables`, 'MariaDB', (database) => {
    declareRecordedCases('site-a/write', database, {}, () => makeLatin1Site(tables));
  });
