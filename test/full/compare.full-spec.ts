import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type TestApp } from '../support/app.js';
import { builtPackage, killed } from '../support/built-server.js';
import { type OldServer, startOldServer } from '../support/old-server.js';
import { loadRecording } from '../support/replay.js';
import { describeDatabases, makeSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';

describeDatabases('almanac verify as a process', (database) => {
  let site: Site;
  let app: TestApp;
  let old: OldServer;
  let bin: string;
  let cwd: string;
  let heard: () => void = () => {};
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    const almanac = await builtPackage();
    bin = join(almanac, 'bin', 'almanac.cjs');
    cwd = await mkdtemp(join(testFolder(), 'compare-'));
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, now: new Date().toISOString() });
    old = await startOldServer(app.url, () => heard());
  });
  afterAll(async () => {
    for (const child of children) await killed(child);
    await old?.close();
    await app?.close();
    await site?.drop();
  });

  const env = () => ({ ...process.env, DATABASE_URL: site.url });
  const started = (...words: string[]) => {
    const child = spawn(process.execPath, [bin, 'verify', '--against', old.url, ...words], {
      cwd,
      env: env(),
    });
    children.push(child);
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const ended = new Promise<[code: number | null, said: string]>((resolve) =>
      child.once('close', (code) => resolve([code, said])),
    );
    return { child, ended };
  };

  it('writes a report and its state at Ctrl-C, and resumes from there', async () => {
    const many = old.requests.length + 130;
    const { child, ended } = started('--rate', '1000', '--sample', '5');
    heard = () => {
      // A second signal would end it at once.
      if (old.requests.length >= many && !child.killed) child.kill('SIGINT');
    };
    const [code, said] = await ended;
    heard = () => {};
    expect(said).toContain('Interrupted: --resume goes on.');
    expect(code).toBe(1);
    expect(existsSync(join(cwd, 'almanac-verify.state.json'))).toBe(true);
    expect(JSON.parse(await readFile(join(cwd, 'almanac-verify.json'), 'utf8'))).toMatchObject({
      is_complete: false,
    });
    expect((await started('--rate', '1000', '--sample', '5', '--resume').ended)[0]).toBe(0);
    expect(existsSync(join(cwd, 'almanac-verify.state.json'))).toBe(false);
  });

  it('shows no password in the process list', async () => {
    const { login, password } = loadRecording('site-a/read').users['editor'] ?? { login: '', password: '' };
    const { child, ended } = started('--rate', '4', '--as', `${login}:${password}`, '--json');
    const before = old.requests.length;
    while (old.requests.length <= before) await sleep(20);
    const listed = await new Promise<string>((resolve) =>
      execFile('ps', ['-o', 'args=', '-p', `${child.pid}`], (_, out) => resolve(out)),
    );
    child.kill('SIGTERM');
    expect(listed).toMatch(/^almanac verify/);
    expect(listed).not.toContain(password);
    expect((await ended)[1]).toMatch(/^A password on the command line stays in the history/);
  });

  it('sends no request as a user whose password is missing', async () => {
    const before = old.requests.length;
    const { child, ended } = started('--as', 'editor1');
    child.stdin?.end();
    expect(await ended).toEqual([1, 'No password was entered for editor1.\n']);
    expect(old.requests).toHaveLength(before);
  });

  it('exits with 3 where responses differ', async () => {
    heard = () => {};
    const wrong = await startOldServer(app.url, ({ path, json }) => {
      if (path === '/tags') json.total += 1;
    });
    const words = [
      'verify',
      '--against',
      wrong.url,
      '--rate',
      '1000',
      '--sample',
      '1',
      '--json',
      '--report',
      'other',
    ];
    const [code, out] = await new Promise<[unknown, string]>((resolve) =>
      execFile(process.execPath, [bin, ...words], { cwd, env: env() }, (error, text) =>
        resolve([error?.code, text]),
      ),
    );
    await wrong.close();
    expect(code).toBe(3);
    expect(JSON.parse(out).differences).toHaveLength(1);
  });
});
