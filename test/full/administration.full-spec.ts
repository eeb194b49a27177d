import { spawn } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtPackage } from '../support/built-server.js';
import { describeDatabases, makeSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';

describeDatabases('the built command almanac', (database) => {
  let bin: string;
  let cwd: string;
  let site: Site;
  beforeAll(async () => {
    const almanac = await builtPackage();
    bin = join(almanac, 'bin', 'almanac.cjs');
    cwd = await mkdtemp(join(testFolder(), 'administration-'));
    site = await makeSite(database);
  });
  afterAll(() => site?.drop());

  const ran = (words: string[], input = '') =>
    new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      const child = spawn(process.execPath, [bin, ...words], {
        cwd,
        env: { ...process.env, DATABASE_URL: site.url },
      });
      const said = { out: '', err: '' };
      child.stdout.on('data', (chunk) => (said.out += chunk));
      child.stderr.on('data', (chunk) => (said.err += chunk));
      child.on('close', (code) => resolve({ code, ...said }));
      // A rejected command ends before its input is written.
      child.stdin.on('error', () => undefined).end(input);
    });

  it('reads a password from a pipe and exits with the documented codes', async () => {
    const words = ['user', 'create', 'mara', 'mara@example.org', '--role', 'editor', '--ask'];
    const created = await ran(words, 'a long secret');
    expect(created).toEqual({
      code: 0,
      err: '',
      out: expect.stringMatching(
        /^Made the user "mara" with the id \d+\.\n"almanac user app-password create mara" makes the password for \/editor\.\n$/,
      ),
    });
    expect(await ran(words, 'a long secret')).toEqual({
      code: 1,
      out: '',
      err: 'There is a user "mara" already.\n',
    });
    expect(await ran(['user', 'dance'])).toMatchObject({ code: 2, out: '' });
    expect(await ran(['site', 'show', 'name'])).toEqual({ code: 0, out: 'Corpus & Calendar\n', err: '' });
  });

  it('exports the same bytes to a pipe and to a file, and imports the file', async () => {
    const words = ['export', '--format', 'csv', '--as', 'mara', '--raw'];
    const piped = await ran(words);
    expect((await ran([...words, '-o', 'all.csv'])).code).toBe(0);
    expect(piped.out).toBe(await readFile(join(cwd, 'all.csv'), 'utf8'));
    const dry = await ran(['import', 'all.csv', '--as', 'mara', '--dry-run']);
    expect(dry.out).toMatch(
      /Events that would be created: 0, updated: \d{2,}; unchanged: 0; left out: 0\.\n$/,
    );
    expect(dry.code).toBe(0);
  });
});
