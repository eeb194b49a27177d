import { type ChildProcess, spawn } from 'node:child_process';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { killed } from './built-server.js';
import { freePort } from './free-port.js';
import { findProgram } from './programs.js';
import { testFolder } from './test-folder.js';

const TIMEOUT_MS = 120_000;

/** A Redis server without persistence that a test may kill. */
export interface OwnRedis {
  url: string;
  /** Kills it, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same port; resolves when it listens. */
  start(): Promise<void>;
  /** Suspends and resumes it: connections are accepted, nothing is answered. */
  hang(): void;
  goOn(): void;
  /** Makes it a read-only replica of another one. */
  follow(port: number): Promise<void>;
}

/** Whether tests with Redis are skipped; never where they are required (CI=true). */
export function redisMissing(): boolean {
  return process.env['CI'] !== 'true' && findProgram('redis-server') === undefined;
}

/** Starts a server on a free port. */
export async function startOwnRedis(): Promise<OwnRedis> {
  const found = findProgram('redis-server');
  if (!found) throw new Error('No redis-server found: install redis-server.');
  const port = await freePort();
  const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  let child: ChildProcess | undefined;
  const start = async () => {
    child = spawn(found, options, { cwd: testFolder(), stdio: 'ignore' });
    for (const giveUp = Date.now() + TIMEOUT_MS; !(await listens(port)); await sleep(20))
      if (Date.now() > giveUp || child.exitCode !== null) throw new Error('redis-server did not start');
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => killed(child),
    start,
    hang: () => void child?.kill('SIGSTOP'),
    goOn: () => void child?.kill('SIGCONT'),
    follow: (primary) => sendCommand(port, `REPLICAOF 127.0.0.1 ${primary}`),
  };
}

function sendCommand(port: number, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: '127.0.0.1' }, () => socket.write(`${command}\r\n`));
    socket.once('error', reject);
    socket.once('data', (reply) => {
      socket.destroy();
      if (`${reply}`.startsWith('+OK')) resolve();
      else reject(new Error(`${reply}`));
    });
  });
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: '127.0.0.1' });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
