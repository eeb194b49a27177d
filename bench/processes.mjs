import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { freemem } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';

const run = promisify(execFile);
const GB = 2 ** 30;
/** Linux counts a process's CPU time in these. */
const MS_PER_TICK = 10;

/** What `npm start` gives to Node. */
export const NODE_OPTIONS = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
).scripts.start.match(/--\S+/g);

/** What a run leaves behind when it is interrupted, unless it is taken away. */
const children = new Set();
const folders = new Set();
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** A new folder below another, which is there no longer than this process, or until it has another name. */
export async function temporaryFolder(parent, name) {
  const folder = await mkdtemp(join(parent, name));
  folders.add(folder);
  return folder;
}

/** What MariaDB is measured with: durable, and with room for a million events (half of what is free, 4 GB at most). */
export const MEASURED = ['--innodb-flush-log-at-trx-commit=1', `--innodb-buffer-pool-size=${poolSize()}`];
/** What it is filled with: nothing is lost if that breaks off. */
export const FILLED = ['--innodb-flush-log-at-trx-commit=0', `--innodb-buffer-pool-size=${poolSize()}`];

/** The folder of an empty database, for root without a password. */
export async function makeDataFolder(folder) {
  await run(program('mariadb-install-db'), [
    ...common(folder),
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ]);
}

/** A private MariaDB on a folder, from the installed program; `user` runs it where root starts it. */
export async function startMariadb(folder, options, user = 'root') {
  const port = await freePort();
  const own = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 'socket')}`];
  const files = [`--log-error=${join(folder, 'log')}`, '--skip-log-bin'];
  const child = spawn(program('mariadbd'), [...common(folder, user), ...own, ...files, ...options]);
  const uri = `mysql://root@127.0.0.1:${port}/`;
  await answers(child, 'MariaDB', 50, async () => {
    const connection = await createConnection({ uri });
    // A node of a cluster takes connections before it takes statements.
    await connection.query('SELECT COUNT(*) FROM mysql.db').finally(() => connection.end());
  });
  return running(child, { uri });
}

/** A server of ours; `path` must answer 200 with events before it counts as started, `took` milliseconds after; without one it must listen. */
export async function startServer(script, path, env, nodeOptions = []) {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, script], {
    env: { ...process.env, ...env, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(child, script, 10, async () => {
    if (path === undefined) return listens(port);
    const answer = await fetch(url + path);
    const { events } = await answer.json();
    if (answer.status !== 200 || !events?.length) throw new Error(`${path} answers ${answer.status}`);
  });
  const took = performance.now() - began;
  // What it has loaded answers messages.
  const tell = (message) => {
    child.send(message);
    return once(child, 'message');
  };
  // For servers that have loaded the profiler.
  const profile = async (file, work) => {
    await tell(file);
    const result = await work();
    await tell(file);
    return result;
  };
  return running(child, { url, took, tell, profile });
}

/** The version that a MariaDB names. */
export async function databaseVersion() {
  const { stdout } = await run(program('mariadbd'), ['--version']);
  return /Ver ([\d.]+)/.exec(stdout)?.[1] ?? stdout.trim();
}

/** Waits until the processes have had next to nothing to do for a while, so many seconds at most. */
export async function settled(seconds, processes, pause = 0.5) {
  const used = () => processes.reduce((sum, { cpu }) => sum + cpu(), 0);
  for (const giveUp = Date.now() + seconds * 1000; Date.now() < giveUp; ) {
    const before = used();
    await sleep(pause * 1000);
    if (used() - before <= pause * 4 * MS_PER_TICK) return;
  }
}

function running(child, more) {
  const proc = (name) => readFileSync(`/proc/${child.pid}/${name}`, 'latin1');
  const megabytes = (name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(proc('status'))?.[1]) / 1024;
  return {
    ...more,
    /** Milliseconds of CPU that the process and those that it has started have used. */
    cpu: () => [child.pid, ...childrenOf(child.pid)].reduce((sum, pid) => sum + cpuOf(pid), 0),
    /** Megabytes in memory, and the most there have been. */
    memory: () => ({ now: megabytes('VmRSS'), peak: megabytes('VmHWM') }),
    stop: () => stop(child),
  };
}

function cpuOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/.*\) /s, '');
  const [user, system] = stat.split(' ').slice(11, 13).map(Number);
  return (user + system) * MS_PER_TICK;
}

const childrenOf = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean);

async function answers(child, name, pause, ask) {
  children.add(child);
  child.once('exit', () => children.delete(child));
  for (const giveUp = Date.now() + 60_000; ; await sleep(pause)) {
    try {
      return await ask();
    } catch (error) {
      if (child.exitCode === null && Date.now() < giveUp) continue;
      child.kill('SIGKILL');
      throw new Error(`${name} did not start: ${error.message}`);
    }
  }
}

/** A program that runs beside what is measured; `isThere` resolves once it listens. */
export async function startProgram(name, options, isThere) {
  const child = spawn(program(name), options, { stdio: 'ignore' });
  await answers(child, name, 20, isThere);
  return running(child, {});
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

function common(folder, user = 'root') {
  const options = ['--no-defaults', `--datadir=${join(folder, 'data')}`, '--skip-name-resolve'];
  return process.getuid?.() === 0 ? [...options, `--user=${user}`] : options;
}

function poolSize() {
  return Math.floor(Math.min(4 * GB, Math.max(GB / 4, freemem() / 2)));
}

/** Throws unless something listens on the port. */
export function listens(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(socket.destroy()));
    socket.once('error', reject);
  });
}

/** A free port. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function program(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (!found) throw new Error(`The benchmark needs servers of its own: ${name} is not installed.`);
  return found;
}
