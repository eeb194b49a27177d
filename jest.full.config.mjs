import config from './jest.config.mjs';

/** Tests that take minutes, `*.full-spec.ts`: `npm run test:full`. */
export default {
  ...config,
  testRegex: String.raw`\.full-spec\.ts$`,
  testTimeout: 600_000,
  // Servers that a failed test left behind must not keep jest waiting.
  forceExit: true,
};
