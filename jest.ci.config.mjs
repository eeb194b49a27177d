import config from './jest.full.config.mjs';

delete process.env.ALMANAC_LONG_TESTS;
// Read by the tests' support: specs of either database run on the one that `npm test` leaves out.
process.env.ALMANAC_OTHER_DATABASE = '1';

/** Specs of test/full that guard data and secrets, and what each of them would notice. */
const GUARDS = [
  'cache-poisoning', // a cached response that reaches another client
  'concurrency', // a slug, a link or a count that is wrong after writes at once
  'database-errors', // half a write, or an internal text, after an error of the database
  'doctor', // a repair that changes what was right, or writes half of its changes
  'first-start', // a first start that leaves half a site, or two logins
  'hidden-records', // a private record that changes a response
  'import-export', // an import that loses or doubles events
  'index-updates', // a list by an index that missed a write
  'kill', // half a write after a crash of the server or of the database
  'kses-fuzz', // a script that passes the filter
  'linked-record-index', // venues and organizers that are listed by stale events
  'matrix', // an operation that a role may do against the table of rights
  'migrate', // a migration that loses data of plugins
  'one-connection', // a deadlock of the pool
  'replicas', // a read after a write that is served by a replica
  'row-checksums', // a record of the cache that differs from one that was read
  'staleness', // a response that is older than a second
  'write-costs', // a write whose cost grows with the calendar
];

/** What `.ci/run` adds to `npm test`: the other database, and the guards. */
export default {
  ...config,
  testRegex: [String.raw`\.either-spec\.ts$`, String.raw`/test/full/(${GUARDS.join('|')})\.full-spec\.ts$`],
};
