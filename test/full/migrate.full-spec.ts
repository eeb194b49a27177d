import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuiltServer, builtPackage, startBuilt } from '../support/built-server.js';
import { describeDatabases, makeSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';

/** A plugin in plain JavaScript; its second migration fails on demand. */
const PLUGIN = `
class CreateSeats1700000000001 {
  up(runner) { return runner.query('CREATE TABLE wp_acme_seats (id INTEGER)'); }
}
class FillSeats1700000000002 {
  up(runner) { return runner.query(process.env.FAILS ? 'no statement' : 'INSERT INTO wp_acme_seats (id) VALUES (1)'); }
}
export default class Seats { static migrations = [CreateSeats1700000000001, FillSeats1700000000002]; }`;

const WAITING = 'run "almanac migrate".';

describeDatabases('the command almanac', (database) => {
  let bin: string;
  let cwd: string;
  let site: Site;
  let server: BuiltServer | undefined;
  beforeAll(async () => {
    const almanac = await builtPackage();
    bin = join(almanac, 'bin', 'almanac.cjs');
    cwd = await mkdtemp(join(testFolder(), 'migrate-'));
    writeFileSync(join(cwd, 'seats.mjs'), PLUGIN);
    site = await makeSite(database);
  });
  afterAll(async () => {
    await server?.kill();
    await site?.drop();
  });

  const ran = (words: string[], further: Record<string, string> = {}) => {
    const env = { ...process.env, DATABASE_URL: site.url, PLUGINS: './seats.mjs', ...further };
    return new Promise<[code: number | string, out: string, error: string]>((resolve) => {
      execFile(process.execPath, [bin, ...words], { cwd, env }, (error, out, err) =>
        // Progress is printed after a second.
        resolve([error?.code ?? 0, out, err.replace('Migrating …\n', '')]),
      );
    });
  };
  const logOfStart = async () => {
    const env = { PLUGINS: './seats.mjs', LOG_LEVEL: 'warn' };
    server = await startBuilt(site.url, [], { cwd, env });
    // Lines are written a tenth of a second later, but all before the end.
    const ended = new Promise((resolve) => server?.child()?.once('exit', resolve));
    server.child()?.kill('SIGTERM');
    await ended;
    return server.log();
  };

  it('migrates and reports the migrations', async () => {
    const [first, second] = ['CreateSeats1700000000001', 'FillSeats1700000000002'];
    expect(await logOfStart()).toContain(`(${first}, ${second}): ${WAITING}`);
    expect(await ran(['migrate', '--list'])).toEqual([0, `${first}\n${second}\n`, '']);
    const [code, out, error] = await ran(['migrate'], { FAILS: '1' });
    expect([code, out]).toEqual([1, `${first}\n`]);
    expect(error).toMatch(RegExp(`^The migration ${second} failed and is not recorded: .*\\.\n$`));
    expect(await ran(['migrate', '--list'])).toEqual([0, `${second}\n`, '']);
    expect(await ran(['migrate'])).toEqual([0, `${second}\n`, '']);
    expect(await ran(['migrate'])).toEqual([0, 'Nothing is pending.\n', '']);
    expect(await ran(['migrate', '--list', '--json'])).toEqual([0, '[]\n', '']);
    expect(await logOfStart()).not.toContain(WAITING);
  });

  it('migrates the plugins that a custom main file passes to createServer', async () => {
    const other = await makeSite(database);
    const further = { DATABASE_URL: other.url, PLUGINS: '' };
    // Does not end by itself: nothing distinguishes a server from a pending promise.
    const main = `import { createServer } from 'almanac';
import Seats from './seats.mjs';
setInterval(() => undefined, 1000);
const app = await createServer({ plugins: [Seats] });
await app.listen(0);
throw new Error('It is running.');`;
    writeFileSync(join(cwd, 'main.mjs'), main);
    writeFileSync(join(cwd, 'other.mjs'), 'export const nothing = 1;');
    mkdirSync(join(cwd, 'node_modules'), { recursive: true });
    symlinkSync(join(bin, '..', '..'), join(cwd, 'node_modules', 'almanac'));
    try {
      const names = 'CreateSeats1700000000001\nFillSeats1700000000002\n';
      expect(await ran(['migrate', '--list', '--main', 'main.mjs'], further)).toEqual([0, names, '']);
      expect(await ran(['migrate', '--list'], further)).toEqual([
        0,
        'Nothing is pending.\n',
        'PLUGINS names no plugins. Those of a main file of your own: almanac migrate --main FILE\n',
      ]);
      expect(await ran(['migrate', '--main', './main.mjs'], further)).toEqual([0, names, '']);
      expect(await ran(['migrate', '--main', 'main.mjs'], further)).toEqual([0, 'Nothing is pending.\n', '']);
      expect(await ran(['migrate', '--main', 'none.mjs'], further)).toEqual([
        1,
        '',
        expect.stringMatching(/^There is no \/.*none\.mjs\.\n$/),
      ]);
      expect(await ran(['migrate', '--main', 'other.mjs'], further)).toEqual([
        1,
        '',
        'other.mjs does not call createServer.\n',
      ]);
    } finally {
      await other.drop();
    }
  });

  it('rejects unknown arguments in one sentence', async () => {
    const rejections: [words: string[], what: string, help: string][] = [
      [['migrat'], "unknown command 'migrat'\n(Did you mean migrate?)", 'almanac'],
      [['--list'], "unknown option '--list'", 'almanac'],
      [
        ['migrate', 'now'],
        "too many arguments for 'migrate'. Expected 0 arguments but got 1.",
        'almanac migrate',
      ],
      [['indexes', '--aply'], "unknown option '--aply'\n(Did you mean --apply?)", 'almanac indexes'],
      [
        ['indexes', '--apply', '--drop'],
        "option '--apply' cannot be used with option '--drop'",
        'almanac indexes',
      ],
    ];
    for (const [words, what, help] of rejections)
      expect(await ran(words)).toEqual([2, '', `error: ${what}\n("${help} --help" says more)\n`]);
    for (const words of [['--help'], ['migrate', '--help'], ['help', 'indexes']]) {
      const [code, out, error] = await ran(words);
      expect([code, error]).toEqual([0, '']);
      expect(out).toMatch(/^Usage: almanac /);
    }
    const [code, out, error] = await ran(['migrate'], { PLUGINS: './none.mjs' });
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(/^PLUGINS names "\.\/none\.mjs", which was not found from .*\.\n$/);
    expect(await ran(['migrate'], { DATABASE_URL: 'mysql://root@127.0.0.1:1/site' })).toEqual([
      1,
      '',
      'The database cannot be reached: nothing listens at 127.0.0.1:1. It was tried once: try again when it is there.\n',
    ]);
    expect((await ran(['migrate'], { TABLE_PREFIX: 'x9_' }))[2]).toBe(
      'The database holds no tables of a site with TABLE_PREFIX "x9_". There is a table wp_postmeta: is TABLE_PREFIX "wp_"?\n',
    );
  });

  it('exits with 3 where the doctor has findings, with 0 where not, with 1 where it cannot check', async () => {
    const [code, out] = await ran(['doctor', '--json']);
    expect([code, JSON.parse(out).healthy]).toEqual([3, false]);
    const [rejected, , why] = await ran(['doctor', '--fix', 'links']);
    expect([rejected, why]).toEqual([
      1,
      'This needs a confirmation, and there is no terminal to ask: add --yes.\n',
    ]);
    expect((await ran(['doctor', '--fix', 'slugs']))[0]).toBe(2);
    expect((await ran(['doctor', '--fix', 'links', '--yes']))[0]).toBe(0);
    expect((await ran(['doctor']))[0]).toBe(0);
    expect((await ran(['doctor'], { TABLE_PREFIX: 'blog_' }))[0]).toBe(1);
  });
});
