import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createServer, type ServerOptions } from '../src/app/create-server.js';
import { readEnvironment } from '../src/config/env.js';
import { StartError } from '../src/database/start-error.js';
import { testFolder } from './support/test-folder.js';

const REPORTS = './examples/reports/dist/reports.module.js';

/** Texts of plugin files, by path; none needs an installed package. */
const FILES: Readonly<Record<string, string>> = {
  'one.mjs': "export default class One { static said = 'one'; }",
  'dynamic.mjs':
    "class Two {}\nexport default { module: Two, providers: [{ provide: 'SAID', useValue: 'two' }] };",
  'list.mjs':
    "class A {}\nclass B {}\nexport default [A, { module: B, providers: [{ provide: 'SAID', useValue: 'list' }] }];",
  'compiled.cjs':
    "exports.default = { module: class Three {}, providers: [{ provide: 'SAID', useValue: 'three' }] };\nexports.__esModule = true;",
  'throws.mjs': "\nthrow new Error('no licence was found\\nsecond line');",
  'needs.mjs': "import '@acme/absent';\nexport default class Needs {}",
  'nothing.mjs': 'export const plugin = class {};',
  'number.mjs': 'export default 5;',
  'empty.mjs': 'export default [];',
  'mixed.mjs': "export default [class {}, 'text'];",
  'bare.mjs': 'export default class Seats { static forRoot() { return { module: Seats }; } }',
  'uncalled.mjs':
    'class Seats { static forRoot() { return { module: Seats }; } }\nexport default Seats.forRoot;',
  'function.mjs': 'export default function seats() { return { module: class Seats {} }; }',
  'copied/plugin.mjs': 'export default class Copied {}',
  'copied/main.mjs': '',
  'copied/node_modules/@nestjs/common/package.json': '{"name":"@nestjs/common","version":"12.0.0"}',
  'doubled/plugin.mjs': 'export default class Doubled {}',
  'doubled/node_modules/almanac/package.json': '{"name":"almanac","version":"0.0.1"}',
  'arrow.mjs': 'export default () => undefined;',
  'node_modules/@acme/almanac-tickets/package.json': '{"name":"@acme/almanac-tickets","main":"tickets.cjs"}',
  'node_modules/@acme/almanac-tickets/tickets.cjs':
    "exports.default = { module: class T {}, providers: [{ provide: 'SAID', useValue: 'tickets' }] };",
  'node_modules/import-only/package.json':
    '{"name":"import-only","type":"module","exports":{".":{"types":"./i.d.ts","import":{"default":"./i.cjs"}}}}',
  'node_modules/import-only/i.cjs':
    "exports.default = { module: class I {}, providers: [{ provide: 'SAID', useValue: 'import only' }] };",
};

describe('plugins named by PLUGINS', () => {
  const home = process.cwd();
  let folder: string;
  let servers: NestExpressApplication[];
  beforeAll(async () => {
    folder = await mkdtemp(join(testFolder(), 'plugins-'));
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  });
  beforeEach(() => {
    servers = [];
  });
  afterEach(async () => {
    process.chdir(home);
    for (const server of servers) await server.close();
  });

  /** Creates a server with the given PLUGINS; `from` is its working directory. */
  async function serverWith(PLUGINS: string, from = folder, options: ServerOptions = {}) {
    process.chdir(from);
    const env = readEnvironment({ PLUGINS, DATABASE_URL: `sqlite:${join(folder, `${servers.length}.db`)}` });
    const server = await createServer({ env, logger: false, ...options });
    servers.push(server);
    return server;
  }

  it.each([
    ['a path', './dynamic.mjs', 'two'],
    ['a list', './list.mjs', 'list'],
    ['CommonJS', './compiled.cjs', 'three'],
    ['a package', '@acme/almanac-tickets', 'tickets'],
    ['a package that exports for import only', 'import-only', 'import only'],
    ['several names with spaces', ' ./one.mjs , ./dynamic.mjs,', 'two'],
  ])('are loaded from %s', async (_, names, said) => {
    expect((await serverWith(names)).get('SAID')).toBe(said);
  });

  it('are loaded from an absolute path in addition to the option plugins', async () => {
    const given = { module: class Given {}, providers: [{ provide: 'GIVEN', useValue: 'given' }] };
    const server = await serverWith(join(folder, 'dynamic.mjs'), folder, { plugins: [given] });
    expect([server.get('SAID'), server.get('GIVEN')]).toEqual(['two', 'given']);
  });

  it('serve their routes', async () => {
    jest.spyOn(console, 'log').mockImplementation(() => undefined);
    const server = await serverWith(REPORTS, home);
    await server.listen(0, '127.0.0.1');
    jest.restoreAllMocks();
    const { port } = server.getHttpServer().address() as { port: number };
    const response = await fetch(`http://127.0.0.1:${port}/reports/events.csv?from=2030-01-01&to=2030-01-02`);
    expect([response.status, await response.json()]).toMatchObject([401, { code: 'reports_forbidden' }]);
  });

  it.each([
    ['./none.mjs', /^PLUGINS names ".\/none.mjs", which was not found from \/.*\.$/],
    ['@acme/none', /^PLUGINS names "@acme\/none", which was not found from \/.*\.$/],
    [
      './throws.mjs',
      /^PLUGINS names ".\/throws.mjs", which cannot be loaded \(\/.*\/throws.mjs:2\): no licence was found\.$/,
    ],
    ['./needs.mjs', /^PLUGINS names ".\/needs.mjs", which cannot be loaded( \(.*\))?: .*@acme\/absent.*\.$/],
    ...['nothing', 'number', 'empty', 'mixed', 'arrow'].map((name): [string, RegExp] => [
      `./${name}.mjs`,
      RegExp(
        `^PLUGINS names "./${name}.mjs", whose default export is no Nest module, dynamic module or list of them\\.$`,
      ),
    ]),
    [
      './bare.mjs',
      /^PLUGINS names ".\/bare.mjs", which is the bare class Seats, a module without anything in it: give what Seats.forRoot\(…\) returns\.$/,
    ],
    [
      './uncalled.mjs',
      /^PLUGINS names ".\/uncalled.mjs", which is the function forRoot, no module: give what it returns\.$/,
    ],
    [
      './function.mjs',
      /^PLUGINS names ".\/function.mjs", which is the function seats, no module: give what it returns\.$/,
    ],
    [
      './copied/plugin.mjs',
      /^PLUGINS names ".\/copied\/plugin.mjs", which uses a second copy of @nestjs\/common \(\/.*\/copied\/node_modules\/@nestjs\/common; Almanac has \/.*\): make it a peerDependency/,
    ],
    [
      './doubled/plugin.mjs',
      /^PLUGINS names ".\/doubled\/plugin.mjs", which uses a second copy of almanac \(/,
    ],
  ])('stop the start for %s with a StartError of one sentence', async (name, message) => {
    const thrown = await serverWith(`./one.mjs,${name}`).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(StartError);
    expect((thrown as Error).message).toMatch(message);
  });

  describe('passed to createServer', () => {
    const started = process.argv[1];
    afterEach(() => {
      process.argv[1] = started as string;
    });
    class Empty {
      static register() {
        return { module: Empty };
      }
    }

    it('are rejected when the program has a second copy of Nest', async () => {
      process.argv[1] = join(folder, 'copied', 'main.mjs');
      const thrown = await serverWith('', folder, { plugins: [class Given {}] }).catch(
        (error: unknown) => error,
      );
      expect(thrown).toBeInstanceOf(StartError);
      expect((thrown as Error).message).toMatch(/main\.mjs uses a second copy of @nestjs\/common \(/);
    });

    it('are rejected as bare classes with a register method and accepted as the module that it returns', async () => {
      await expect(serverWith('', folder, { plugins: [class Given {}, Empty] })).rejects.toEqual(
        new StartError(
          'The plugin at place 2 of those given is the bare class Empty, a module without anything in it: give what Empty.register(…) returns.',
        ),
      );
      const provided = { ...Empty.register(), providers: [{ provide: 'SAID', useValue: 'registered' }] };
      expect((await serverWith('', folder, { plugins: [provided] })).get('SAID')).toBe('registered');
    });
  });
});
