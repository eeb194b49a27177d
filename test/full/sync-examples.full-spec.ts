import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import Database from 'libsql';
import { type ChangesSite, openChangesSite } from '../support/changes-site.js';
import { blocksOf, ROOT } from '../support/doc-blocks.js';
import { describeDatabases } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';
import { EVENT } from '../support/write-fixture.js';

/** The example below a heading of docs/sync.md. */
function example(heading: string): string {
  const found = blocksOf('docs/sync.md').find((block) => block.kind === 'ts' && block.heading === heading);
  if (!found) throw new Error(`no example below ${heading}`);
  return found.text;
}

const run = async (program: string, words: string[], cwd: string, env: Record<string, string> = {}) =>
  (await promisify(execFile)(program, words, { cwd, env: { ...process.env, ...env } })).stdout;

describeDatabases('docs/sync.md', (database) => {
  let site: ChangesSite;
  let folder: string;
  let env: Record<string, string>;

  beforeAll(async () => {
    site = await openChangesSite(database);
    env = { CALENDAR: site.app.url };
    folder = await mkdtemp(join(testFolder(), 'sync-'));
    const client = join(folder, 'client');
    cpSync(join(ROOT, 'packages', 'client'), client, {
      recursive: true,
      filter: (path) => !/\/(dist|node_modules)$/.test(path),
    });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await run('npm', ['run', 'build'], client);
  });
  afterAll(() => site?.close());

  /** A folder of its own for an example, with the built client. */
  async function program(heading: string): Promise<string> {
    const own = await mkdtemp(join(testFolder(), 'sync-example-'));
    await run('mkdir', ['node_modules'], own);
    symlinkSync(join(folder, 'client'), join(own, 'node_modules', 'almanac-client'));
    for (const name of ['libsql', '@types', 'undici-types'])
      symlinkSync(join(ROOT, 'node_modules', name), join(own, 'node_modules', name));
    writeFileSync(join(own, 'package.json'), '{ "private": true, "type": "module" }');
    writeFileSync(join(own, 'example.ts'), example(heading));
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    const strict = ['--strict', '--target', 'es2023', '--module', 'nodenext', '--types', 'node'];
    const lib = ['--lib', 'es2023,dom', '--noEmit', '--skipLibCheck'];
    await run(process.execPath, [compiler, ...strict, ...lib, 'example.ts'], own).catch(
      ({ stdout }: { stdout: string }) => Promise.reject(new Error(stdout)),
    );
    const { code } = await transform(example(heading), { loader: 'ts', format: 'esm' });
    writeFileSync(join(own, 'example.js'), code);
    return own;
  }

  const create = async (title: string) =>
    Number((await site.send('admin', 'POST', '/events', { ...EVENT, title })).body['id']);
  const trash = (id: number) => site.send('admin', 'DELETE', `/events/${id}`);

  it('a static site has a file for each event, and is built again after changes only', async () => {
    const own = await program('A static site');
    const build = () => run(process.execPath, ['example.js'], own, env);
    const files = () => readdirSync(join(own, 'events'));
    expect(await build()).toMatch(/^build the site: \d+ changes\n$/);
    const { length } = files();
    expect(length).toBeGreaterThan(100);
    expect(await build()).toBe('nothing to build\n');
    const id = await create('Knots &amp; bends');
    expect(await build()).toBe('build the site: 1 changes\n');
    expect(readFileSync(join(own, 'events', `${id}.md`), 'utf8')).toMatch(/^# Knots & bends\n/);
    await trash(id);
    await build();
    expect(files()).toHaveLength(length);
    writeFileSync(join(own, 'events', '1.md'), 'left over');
    // Another journal, as after a restored backup.
    await site.ask("UPDATE wp_almanac_records SET checksum = 'x' WHERE record_id = 0 AND record_type = ''");
    await build();
    expect(files()).toHaveLength(length);
  });

  it('a mirror in SQLite hears of changes at once, and goes on where it stopped', async () => {
    const own = await program('A mirror in SQLite');
    let mirror: ChildProcess | undefined;
    const begin = () => {
      mirror = spawn(process.execPath, ['example.js'], {
        cwd: own,
        env: { ...process.env, ...env },
        stdio: 'inherit',
      });
    };
    const end = async () => {
      mirror?.kill('SIGTERM');
      if (mirror?.exitCode === null) await once(mirror, 'exit');
      expect(mirror?.exitCode).toBe(0);
    };
    const title = (id: number): string | undefined => {
      try {
        const file = new Database(join(own, 'mirror.db'), { readonly: true });
        const row = file.prepare("SELECT json FROM records WHERE type = 'events' AND id = ?").get(id);
        file.close();
        return row && JSON.parse((row as { json: string }).json).title;
      } catch {
        // The file is not there yet, or is being written.
        return 'unknown';
      }
    };
    const until = async (isMet: () => boolean) => {
      while (!isMet()) await new Promise((resolve) => setTimeout(resolve, 50));
    };
    const first = await create('Before the mirror');
    begin();
    await until(() => title(first) === 'Before the mirror');
    const second = await create('While it runs');
    await until(() => title(second) === 'While it runs');
    await end();
    const third = await create('While it is off');
    await trash(first);
    begin();
    await until(() => title(third) === 'While it is off' && title(first) === undefined);
    expect(title(second)).toBe('While it runs');
    await end();
  });

  it('a phone keeps what it shows', async () => {
    const own = await program('A phone');
    const steps = `
      import { load, refresh } from './example.js';
      const kept = new Map();
      const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) };
      const { token, events } = await refresh(storage);
      await refresh(storage);
      const again = load(storage);
      console.log(JSON.stringify([events, again.token === token && again.events]));`;
    writeFileSync(join(own, 'steps.js'), steps);
    const id = await create('On the phone');
    const [events, again] = JSON.parse(await run(process.execPath, ['steps.js'], own, env)) as Record<
      string,
      unknown
    >[];
    expect(events?.[id]).toEqual({ title: 'On the phone', start: '2091-05-01T14:00:00.000Z' });
    expect(again).toEqual(events);
  });
});
