import config from './jest.full.config.mjs';

// Read by the tests' support when a worker loads it.
process.env.ALMANAC_TEST_SERVER = 'mysql';

/** Specs whose outcome depends on the database server: its SQL, locks, errors, character sets and privileges. */
const SPECS = [
  '(raw-statements|concurrent-php-writes|database-errors|database-sessions|demo|foreign-changes|indexes|journal|out-of-range-dates|transactions).e2e',
  '(extension-parameters|response-cache|term-cache|statement-counts|stored-dates|serialized-texts|conformance/[a-z-]+).either',
  'full/(table-versions|concurrency|doctor|first-start|group-replication|kill|list-plans|list-sql|migrate).full',
  'full/(one-connection|protocol-database|database-errors|replicas|sql-modes|staleness|table-name-case).full',
];

const isNamed = process.argv.slice(2).some((word) => !/^(-|\d+$)/.test(word));

/** Those on a real MySQL: `npm run test:mysql`. Files that the command line names, whichever they are. */
export default {
  ...config,
  testRegex: isNamed
    ? [String.raw`\.(spec|e2e-spec|either-spec|full-spec)\.ts$`]
    : SPECS.map((specs) => `/test/${specs}-spec\\.ts$`),
};
