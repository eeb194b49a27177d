import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './support/free-port.js';
import { testFolder } from './support/test-folder.js';

const ROOT = join(__dirname, '..');
const ALMANAC = join(ROOT, 'bin', 'almanac.cjs');

const MODULE = `import { Controller, Get, Module } from '@nestjs/common';

@Controller('greeting')
class GreetingController {
  @Get()
  greet(): string {
    return 'WORD';
  }
}

@Module({ controllers: [GreetingController] })
export default class GreetingModule {}
`;

const TSCONFIG = {
  compilerOptions: {
    target: 'ES2023',
    module: 'nodenext',
    rootDir: 'src',
    outDir: 'dist',
    strict: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    skipLibCheck: true,
    types: [],
  },
  include: ['src/**/*.ts'],
};

/** A package of a plugin whose controller greets. */
function makePlugin() {
  const folder = mkdtempSync(join(testFolder(), 'greeting-'));
  const write = (source: string) => writeFileSync(join(folder, 'src', 'greeting.module.ts'), source);
  const greet = (word: string) => write(MODULE.replace('WORD', word));
  const json = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value));
  mkdirSync(join(folder, 'src'));
  json('package.json', { name: 'greeting', type: 'module', exports: './dist/greeting.module.js' });
  json('tsconfig.json', TSCONFIG);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  greet('first');
  return { folder, write, greet };
}

describe('almanac dev', () => {
  let child: ChildProcess | undefined;
  let log = '';
  afterEach(() => child?.kill('SIGKILL'));

  const runs = () => child?.exitCode === null && child.signalCode === null;
  const until = async (what: string, isDone: () => unknown) => {
    for (const giveUp = Date.now() + 120_000; !(await isDone()); await sleep(50))
      if (!runs() || Date.now() > giveUp) throw new Error(`not reached: ${what}\n${log}`);
  };

  it('serves a plugin, and each change of it that compiles, until it is stopped', async () => {
    const { folder, write, greet } = makePlugin();
    const port = await freePort();
    const env = {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATABASE_URL: `sqlite:${join(folder, 'calendar.db')}`,
    };
    child = spawn(process.execPath, [ALMANAC, 'dev'], { cwd: folder, env });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (log += String(text)));
    const greeting = () =>
      fetch(`http://127.0.0.1:${port}/greeting`).then(
        (response) => response.text(),
        () => undefined,
      );

    await until('first', async () => (await greeting()) === 'first');
    greet('second');
    await until('second', async () => (await greeting()) === 'second');
    write(MODULE.replace("'WORD'", '5'));
    await until('an error', () => log.includes('TS2322') && log.includes('Found 1 error.'));
    expect(await greeting()).toBe('second');
    greet('third');
    await until('third', async () => (await greeting()) === 'third');

    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child.kill();
    expect(await ended).toBe(0);
    expect(await greeting()).toBeUndefined();
  });

  it('ends with the process that has started it', async () => {
    const { folder } = makePlugin();
    const port = await freePort();
    const env = { ...process.env, PORT: String(port), DATABASE_URL: `sqlite:${join(folder, 'calendar.db')}` };
    // A shell that waits, as npm does.
    const words = `"${process.execPath}" "${ALMANAC}" dev & wait`;
    child = spawn('sh', ['-c', words], { cwd: folder, env });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (log += String(text)));
    const isServed = () =>
      fetch(`http://127.0.0.1:${port}/livez`).then(
        () => true,
        () => false,
      );
    await until('a server', isServed);
    child.kill('SIGKILL');
    for (const giveUp = Date.now() + 60_000; await isServed(); await sleep(100))
      if (Date.now() > giveUp) throw new Error('The server goes on.');
  });

  it('says what a folder lacks', async () => {
    const { folder } = makePlugin();
    const start = (...words: string[]) => {
      const { status, stderr } = spawnSync(process.execPath, [ALMANAC, 'dev', ...words], {
        cwd: folder,
        encoding: 'utf8',
        timeout: 60_000,
        env: { ...process.env, DATABASE_URL: 'sqlite:calendar.db' },
      });
      return [status, stderr];
    };
    expect(start('src')).toEqual([1, expect.stringMatching(/^The package\.json in .*src has no "exports"/)]);
    writeFileSync(join(testFolder(), 'package.json'), '{"exports":"./x.js"}');
    expect(start(testFolder())).toEqual([
      1,
      expect.stringMatching(/ has no TypeScript: run npm install there/),
    ]);
  });
});
