import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, mkdirSync, openSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { REST_BASE_URL } from './app.js';
import { freePort } from './free-port.js';
import { onceForAllWorkers, testFolder } from './test-folder.js';
import { buildPages } from './web-pages.js';

const ROOT = join(__dirname, '..', '..');
const TIMEOUT_MS = 120_000;

/** A server process of the built code. */
export interface BuiltServer {
  url: string;
  /** Process id; another one after a restart. */
  pid(): number | undefined;
  /** The process; another one after a restart. */
  child(): ChildProcess | undefined;
  /** Whether the process runs. */
  runs(): boolean;
  /** Kills it, as a crash or `kill -9` would. */
  kill(): Promise<void>;
  /** Starts it again on the same port; resolves once it responds. */
  restart(): Promise<void>;
  /** Its output. */
  log(): string;
}

/** The folder, variables and limits of a server process. */
export interface BuiltServerPlace {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
  /** The limit of file descriptors. */
  files?: number;
}

/** A folder that is a whole package with the compiled code, copied once per jest run. */
export function builtPackage(): Promise<string> {
  return onceForAllWorkers('build', build);
}

/** Starts the built code on a free port; with Node flags also with an IPC channel. */
export async function startBuilt(
  databaseUrl: string,
  flags: readonly string[] = [],
  { cwd = testFolder(), env: further, files }: BuiltServerPlace = {},
): Promise<BuiltServer> {
  const main = join(await builtPackage(), 'dist', 'main.js');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const logFile = join(testFolder(), `server-${port}.log`);
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    REST_BASE_URL,
    HOST: '127.0.0.1',
    PORT: String(port),
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'error',
    ...further,
  };
  let child: ChildProcess | undefined;
  const runs = () => child !== undefined && child.exitCode === null && child.signalCode === null;
  const restart = async () => {
    const log = openSync(logFile, 'a');
    const channel = flags.length > 0 ? (['ipc'] as const) : [];
    const stdio = ['ignore', log, log, ...channel] as const;
    const limited = files === undefined ? [] : ['prlimit', `--nofile=${files}`];
    const [command = '', ...args] = [...limited, process.execPath, ...flags, main];
    child = spawn(command, args, { env, cwd, stdio: [...stdio] });
    for (
      const giveUp = Date.now() + TIMEOUT_MS;
      !(await answers(url + (further?.['PATH_PREFIX'] ?? '')));
      await sleep(20)
    )
      if (Date.now() > giveUp || !runs())
        throw new Error(`the server did not start:\n${readFileSync(logFile, 'utf8')}`);
  };
  await restart();
  return {
    url,
    pid: () => child?.pid,
    child: () => child,
    runs,
    kill: () => killed(child),
    restart,
    log: () => readFileSync(logFile, 'utf8'),
  };
}

/** Kills a process and waits for its end. */
export async function killed(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
}

async function answers(root: string): Promise<boolean> {
  try {
    return (await fetch(`${root}/cal/events/v1/tags?per_page=1`)).ok;
  } catch {
    return false;
  }
}

/** Copies the compiled code and the pages' files into the folder of this jest run, beside a link to its packages. */
async function build(): Promise<string> {
  await buildPages();
  const folder = join(testFolder(), 'built');
  mkdirSync(folder);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  // A program behind a symbolic link searches around the target for its files.
  for (const part of ['dist', 'bin', 'package.json', join('web', 'dist')])
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  return folder;
}
