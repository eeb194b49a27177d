import { availableParallelism } from 'node:os';

// An odd zone on purpose: the process time zone must never matter.
process.env.TZ = 'Pacific/Chatham';

// What a plugin of the first brings stays with TypeORM's module, and would be refused elsewhere; the other one is long, and begins first.
const ALONE = 'plugin-entities|conformance/read';

/**
 * Which files jest runs: those that the command line names, each by itself; without any, spec files of these `kinds` in the groups
 * of test/groups, and `further` ones.
 */
export function testFiles(kinds, ...further) {
  const isNamed = process.argv.slice(2).some((word) => !/^(-|\d+$)/.test(word));
  const all = String.raw`\.(${kinds})\.ts$`;
  const files = isNamed ? [all] : [String.raw`/test/groups/\d+\.ts$`, `(${ALONE})${all}`];
  return { globals: { groupedSpecs: `(?<!${ALONE})${all}` }, testRegex: [...files, ...further] };
}

// Packages that are published as ES modules only; swc turns them, like src, into CommonJS.
const modules =
  '@nestjs|@apidevtools|@noble|bcryptjs|sql-template-tag|file-type|token-types|strtok3|uint8array-extras|@tokenizer|@borewit|peek-readable|ical\\.js|temporal-polyfill|temporal-utils';

/** Unit, vector and end-to-end tests: `npm test`. */
export default {
  testEnvironment: 'node',
  ...testFiles('spec|e2e-spec|either-spec'),
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  // Ten times what the longest takes: a busy machine is no reason to fail.
  testTimeout: 300_000,
  // Some tests wait, for a second to pass or for a database.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // A new worker takes the place of one that is full of garbage, between two files.
  workerIdleMemoryLimit: '800MB',
  // Half a second, which jest gives a worker to end by itself, is short on a busy machine.
  workerGracefulExitTimeout: 30_000,
  coverageProvider: 'v8',
  collectCoverageFrom: ['src/**/*.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'json', 'node'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // The package's front door, without a build before.
    '^almanac$': '<rootDir>/src/almanac.ts',
    '^almanac/testing$': '<rootDir>/src/testing.ts',
    '^almanac-client$': '<rootDir>/packages/client/src/index.ts',
    // What is imported by its address.
    '^file://(/.*)$': '$1',
  },
  // Compiled code of the same name.
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/examples/[^/]+/dist/',
    '<rootDir>/packages/[^/]+/dist/',
  ],
  transformIgnorePatterns: [`/node_modules/(?!(${modules})/)`],
  transform: {
    '^.+\\.(ts|js|mjs)$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          keepClassNames: true,
        },
        module: { type: 'commonjs' },
      },
    ],
  },
};
