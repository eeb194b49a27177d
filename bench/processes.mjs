import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';

const run = promisify(execFile);

/** A private MariaDB in a folder, made from the installed programs; empty, for root without a password. */
export async function startMariadb(folder) {
  const [server, installer] = ['mariadbd', 'mariadb-install-db'].map(program);
  await mkdir(folder);
  const common = ['--no-defaults', `--datadir=${join(folder, 'data')}`, '--skip-name-resolve'];
  if (process.getuid?.() === 0) common.push('--user=root');
  await run(installer, [...common, '--auth-root-authentication-method=normal', '--skip-test-db']);
  const port = await freePort();
  const own = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 'socket')}`];
  const tuned = ['--innodb-buffer-pool-size=512M', '--innodb-flush-log-at-trx-commit=2', '--skip-log-bin'];
  const child = spawn(server, [...common, ...own, ...tuned, `--log-error=${join(folder, 'log')}`]);
  const uri = `mysql://root@127.0.0.1:${port}/`;
  await answers(child, 'MariaDB', async () => (await createConnection({ uri })).end());
  return { uri, stop: () => stop(child) };
}

/** A server of ours on a free port; `path` must answer 200 before it counts as started. */
export async function startServer(script, path, env) {
  const port = await freePort();
  const child = spawn(process.execPath, [script], {
    env: { ...process.env, ...env, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await answers(child, script, async () => {
    const { status } = await fetch(url + path);
    if (status !== 200) throw new Error(`${path} answers ${status}`);
  });
  return { url, stop: () => stop(child) };
}

async function answers(child, name, ask) {
  for (const giveUp = Date.now() + 30_000; ; await sleep(100)) {
    try {
      return await ask();
    } catch (error) {
      if (child.exitCode === null && Date.now() < giveUp) continue;
      child.kill('SIGKILL');
      throw new Error(`${name} did not start: ${error.message}`);
    }
  }
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

function freePort() {
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
  if (!found) throw new Error(`The benchmark needs a MariaDB server of its own: ${name} is not installed.`);
  return found;
}
