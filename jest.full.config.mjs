import config from './jest.config.mjs';

// What `npm test` runs on one database only is run on the other.
process.env.ALMANAC_LONG_TESTS = '1';

/** Tests that take minutes, and those on the database that `npm test` leaves out: `npm run test:full`. */
export default {
  ...config,
  testRegex: [String.raw`\.(either-spec|full-spec)\.ts$`],
  testTimeout: 1_200_000,
  // Many of them start servers of their own.
  maxWorkers: '100%',
};
