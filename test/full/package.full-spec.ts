import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeResource } from '../../scripts/new-resource.mjs';
import { type BuiltServer, builtPackage, startBuilt } from '../support/built-server.js';
import { basic } from '../support/calendar-client.js';
import { testFolder } from '../support/test-folder.js';

const ROOT = join(__dirname, '..', '..');
const REPORT = '/reports/events.csv?from=2030-01-01&to=2030-01-02';
const HEAD = '"id","title","start_date","end_date","timezone","status","url"\r\n';

/** A project beside the built package, with the package and the example linked as npm links them. */
async function makeProject(): Promise<string> {
  const almanac = await builtPackage();
  const examples = join(almanac, 'examples');
  const modules = join(examples, 'node_modules');
  cpSync(join(ROOT, 'tsconfig.json'), join(almanac, 'tsconfig.json'));
  cpSync(join(ROOT, 'examples', 'reports'), join(examples, 'reports'), {
    recursive: true,
    filter: (path) => !/\/(dist|node_modules)$/.test(path),
  });
  mkdirSync(modules);
  symlinkSync(almanac, join(modules, 'almanac'));
  symlinkSync(join(examples, 'reports'), join(modules, 'almanac-example-reports'));
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  await promisify(execFile)(process.execPath, [compiler, '-p', join(examples, 'reports')]);
  return examples;
}

/** The output of a module of the project. */
async function printedBy(project: string, source: string): Promise<string> {
  const file = join(project, 'own.mjs');
  writeFileSync(file, source);
  const env = { ...process.env, DATABASE_URL: `sqlite:${join(testFolder(), 'own.db')}`, LOG_LEVEL: 'silent' };
  const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: project, env });
  return stdout;
}

describe('the built package, imported by its own name', () => {
  let project: string;
  let server: BuiltServer | undefined;
  beforeAll(async () => {
    project = await makeProject();
  });
  afterAll(() => server?.kill());

  it('is the instance that plugins of PLUGINS import', async () => {
    const env = { PLUGINS: 'almanac-example-reports' };
    server = await startBuilt(`sqlite:${join(testFolder(), 'plugins.db')}`, [], { cwd: project, env });
    expect((await fetch(server.url + REPORT)).status).toBe(401);
    const [, password = ''] = /password "(.*?)"/.exec(server.log()) ?? [];
    const answer = await fetch(server.url + REPORT, { headers: basic('admin', password) });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(await answer.text()).toBe(HEAD);
  });

  it('starts from a custom main file', async () => {
    const printed = await printedBy(
      project,
      `import { createServer, Environment } from 'almanac';
       import Reports from 'almanac-example-reports';
       const app = await createServer({ plugins: [Reports] });
       await app.listen(0, '127.0.0.1');
       const { status } = await fetch('http://127.0.0.1:' + app.getHttpServer().address().port + '${REPORT}');
       console.log('report', status, app.get(Environment).logLevel);
       await app.close();`,
    );
    expect(printed).toMatch(/^report 401 silent$/m);
  });

  it('starts in the tests of a plugin', async () => {
    const printed = await printedBy(
      project,
      `import { startTestServer } from 'almanac/testing';
       import Reports from 'almanac-example-reports';
       const server = await startTestServer({ plugins: [Reports] });
       const { status, body } = await server.asAdmin().get('${REPORT}');
       console.log(JSON.stringify([status, body]));
       await server.close();`,
    );
    expect(JSON.parse(printed)).toEqual([200, HEAD]);
  });

  it('compiles and tests a new resource', async () => {
    const cwd = makeResource(project, 'workshops');
    const run = (script: string, ...words: string[]) =>
      promisify(execFile)(process.execPath, [...words, join(ROOT, 'node_modules', script)], { cwd });
    await run('typescript/bin/tsc');
    const { stderr } = await run('jest/bin/jest.js', '--experimental-vm-modules');
    expect(stderr).toMatch(/^Tests: +6 passed, 6 total$/m);
  });

  it('exports nothing but its entry points', async () => {
    const printed = await printedBy(
      project,
      `for (const name of ['almanac/dist/app.module.js', 'almanac/package.json', 'almanac/src/almanac.ts'])
         await import(name).catch(({ code }) => console.log(code));`,
    );
    expect(printed).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n'.repeat(3));
  });

  it('says in one sentence why a plugin does not load', async () => {
    const env = { PLUGINS: '@acme/none' };
    const rejected = startBuilt(`sqlite:${join(testFolder(), 'none.db')}`, [], { cwd: project, env });
    await expect(rejected).rejects.toThrow(
      /^the server did not start:\nPLUGINS names "@acme\/none", which was not found from .*\.\n$/,
    );
  });
});
