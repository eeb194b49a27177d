import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);
const root = fileURLToPath(new URL('.', import.meta.url));
/** Packages that specs share with the sources: jest's own, which it loads before, are not among them. */
const packages = Object.keys({ ...dependencies, ...devDependencies }).filter(
  (name) => !/^@?(jest|swc)/.test(name),
);

// An unusual zone: the process time zone must never matter.
process.env.TZ = 'Pacific/Chatham';

/** Unit, vector and end-to-end tests: `npm test`. */
export default {
  testEnvironment: '<rootDir>/test/jest/environment.cjs',
  testRegex: [String.raw`\.(spec|e2e-spec|either-spec)\.ts$`],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  // Ten times what the longest takes: a busy machine is no reason to fail.
  testTimeout: 300_000,
  // Some tests wait, for a second to pass or for a database.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  // Between two files, a new worker takes the place of one with a large heap.
  workerIdleMemoryLimit: '800MB',
  // Half a second, which jest gives a worker to end by itself, is short on a busy machine.
  workerGracefulExitTimeout: 30_000,
  moduleFileExtensions: ['ts', 'tsx', 'js', 'mjs', 'cjs', 'json', 'node'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    '^almanac$': '<rootDir>/src/almanac.ts',
    '^almanac/testing$': '<rootDir>/src/testing.ts',
    '^almanac-client$': '<rootDir>/packages/client/src/index.ts',
  },
  // Compiled code of the same name.
  modulePathIgnorePatterns: [
    '<rootDir>/dist/',
    '<rootDir>/examples/[^/]+/dist/',
    '<rootDir>/packages/[^/]+/dist/',
  ],
  transformIgnorePatterns: [],
  transform: {
    [`^${root}((examples|packages)/[^/]+/)?src/.*\\.ts$`]: '<rootDir>/test/jest/native.cjs',
    [`^${root}(?!node_modules/).*\\.mjs$`]: '<rootDir>/test/jest/native.cjs',
    [`^${root}node_modules/(${packages.join('|')})/.*\\.(m?js|cjs)$`]: '<rootDir>/test/jest/native.cjs',
    '\\.tsx$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic', importSource: 'preact' } },
        },
        module: { type: 'commonjs' },
      },
    ],
    '\\.ts$': [
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
