import { testFiles } from './jest.config.mjs';
import config from './jest.full.config.mjs';

// Read by the tests' support when a worker loads it.
process.env.ALMANAC_TEST_SERVER = 'mysql';

/** Specs whose outcome depends on the database server: its SQL, locks, errors, character sets and privileges. */
const E2E =
  'ask|beside-php|database-refusals|database-sessions|date-edges|demo|indexes|transactions|conformance/(read|write|odd)[^/]*';
const EITHER = 'additions|kept-answers|kept-terms|stored-dates|stored-texts|statements';
const FULL =
  'changes|concurrency|doctor|first-start|group-replication|kill|list-sql|migrate|one-connection|protocol-database|refusing-database|replicas|sql-modes|staleness|table-name-case';

const isNamed = process.argv.slice(2).some((word) => !/^(-|\d+$)/.test(word));

/** Those on a real MySQL: `npm run test:mysql`. Files that the command line names, whichever they are. */
export default {
  ...config,
  ...(isNamed
    ? testFiles('spec|e2e-spec|either-spec', String.raw`\.full-spec\.ts$`)
    : {
        testRegex: [
          String.raw`/test/(${E2E})\.(e2e-)?spec\.ts$`,
          String.raw`/test/(${EITHER})\.either-spec\.ts$`,
          String.raw`/test/full/(${FULL})\.full-spec\.ts$`,
        ],
      }),
};
