import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startApp, type TestApp } from '../support/app.js';
import { testFolder } from '../support/test-folder.js';

const ROOT = join(__dirname, '..', '..');
const PACKAGES = ['almanac-client', 'openapi-fetch', 'openapi-typescript-helpers'];
const DOCUMENT = readFileSync(join(ROOT, 'docs', 'clients.md'), 'utf8');

/** The blocks of one language, joined. */
const blocks = (language: string): string =>
  [...DOCUMENT.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .flatMap(([, name, text]) => (name === language ? [text] : []))
    .join('\n');

const run = async (program: string, words: string[], cwd: string, env: Record<string, string> = {}) =>
  (await promisify(execFile)(program, words, { cwd, env: { ...process.env, ...env } })).stdout;

/** Skips tests whose program is missing, except in CI, which installs it. */
const itWith = (program: string): jest.It =>
  process.env['CI'] || spawnSync(program, ['--version']).status === 0 ? it : it.skip;

/** Builds and packs `almanac-client`, and installs it with its dependencies in an empty folder. */
async function installed(): Promise<string> {
  const folder = await mkdtemp(join(testFolder(), 'client-'));
  const source = join(folder, 'source');
  cpSync(join(ROOT, 'packages', 'client'), source, {
    recursive: true,
    filter: (path) => !/\/(dist|node_modules)$/.test(path),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  await run('npm', ['run', 'build'], source);
  const modules = join(ROOT, 'node_modules');
  for (const name of PACKAGES)
    await run('npm', ['pack', name === 'almanac-client' ? source : join(modules, name)], folder);
  const empty = await mkdtemp(join(testFolder(), 'client-user-'));
  writeFileSync(join(empty, 'package.json'), '{ "private": true, "type": "module" }');
  const archives = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  expect(archives).toHaveLength(PACKAGES.length);
  const files = archives.map((name) => join(folder, name));
  await run('npm', ['install', '--offline', '--no-audit', ...files], empty, {
    npm_config_cache: join(folder, 'cache'),
  });
  return empty;
}

describe('docs/clients.md', () => {
  let app: TestApp;
  let env: Record<string, string>;
  const printed = blocks('text');

  beforeAll(async () => {
    const before = process.cwd();
    // The demo is in the working directory, and prints its password once.
    process.chdir(await mkdtemp(join(testFolder(), 'clients-')));
    const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    app = await startApp({ databaseUrl: '', now: '2026-11-22T09:30:00Z', clockStands: true });
    const [, password = ''] = /password "(.*?)"/.exec(log.mock.calls.flat().join('\n')) ?? [];
    log.mockRestore();
    process.chdir(before);
    env = { CALENDAR: app.url, CALENDAR_USER: 'admin', CALENDAR_PASSWORD: password };
  });
  afterAll(() => app?.close());

  it('compiles its TypeScript against the published package', async () => {
    const folder = await installed();
    expect(readdirSync(join(folder, 'node_modules', 'almanac-client')).sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
    ]);
    writeFileSync(join(folder, 'example.ts'), blocks('ts'));
    mkdirSync(join(folder, 'node_modules', '@types'));
    for (const name of ['@types/node', 'undici-types'])
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const strict = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--types', 'node'];
    await run(process.execPath, [compiler, ...strict, 'example.ts'], folder);
    expect(await run(process.execPath, ['example.js'], folder, env)).toBe(printed);
  });

  itWith('python3')('Python', async () => {
    expect(await run('python3', ['-c', blocks('python')], testFolder(), env)).toBe(printed);
  });

  itWith('php')('PHP', async () => {
    const file = join(testFolder(), 'clients.php');
    writeFileSync(file, blocks('php'));
    expect(await run('php', [file], testFolder(), env)).toBe(printed);
  });
});
