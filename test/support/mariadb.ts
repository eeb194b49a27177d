import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, createConnection } from 'mysql2/promise';
import { freePort } from './free-port.js';
import { PID_FILE } from './global-setup.js';
import { installServer, isInstalled, programOf, type ServerKind } from './programs.js';
import type { Site } from './sites.js';
import { onceForAllWorkers, testFolder } from './test-folder.js';

/** The database server of this run: MariaDB, or MySQL with `ALMANAC_TEST_SERVER=mysql`. */
export const SERVER: ServerKind = process.env['ALMANAC_TEST_SERVER'] === 'mysql' ? 'mysql' : 'mariadb';

/** Small and fast instead of durable: the rows live for one test run. */
const FAST = [
  '--innodb-buffer-pool-size=64M',
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-doublewrite=0',
  '--key-buffer-size=1M',
  '--skip-log-bin',
  '--max-connections=200',
];

/** The strictest server settings: Almanac must configure its sessions itself. */
const STRICT = '--sql-mode=TRADITIONAL,ONLY_FULL_GROUP_BY';

/** Whether tests on the run's server are skipped; never where it is required (CI=true, ALMANAC_REQUIRE_MARIADB=1). */
export function serverMissing(): boolean {
  const { TEST_DATABASE_URL, CI, ALMANAC_REQUIRE_MARIADB } = process.env;
  if (TEST_DATABASE_URL || CI === 'true' || ALMANAC_REQUIRE_MARIADB === '1') return false;
  return !isInstalled(SERVER);
}

/** Whether tests for MariaDB only are skipped. */
export function mariadbMissing(): boolean {
  return SERVER !== 'mariadb' || serverMissing();
}

/** A new database on TEST_DATABASE_URL's server or on a private one; empty without a dump. */
export async function makeMariadbSite(dump?: string): Promise<Site> {
  const server = process.env['TEST_DATABASE_URL'] || (await onceForAllWorkers(SERVER, startServer));
  const name = `almanac_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, async (connection) => {
    await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`);
    if (dump === undefined) return;
    await connection.query(`USE ${name}; SET autocommit = 0; ${readFileSync(dump, 'utf8')}\nCOMMIT`);
  });
  const url = new URL(server);
  url.pathname = `/${name}`;
  const drop = () => onServer(server, (connection) => connection.query(`DROP DATABASE ${name}`));
  return { url: url.href, drop };
}

/** Starts the private server of this jest run; returns its URL. */
async function startServer(): Promise<string> {
  const folder = join(testFolder(), SERVER);
  // MySQL reports lock waits there.
  const own = SERVER === 'mariadb' ? ['--innodb-log-file-size=8M', '--performance-schema=OFF'] : [];
  const options = await installServer(SERVER, folder, ...own);
  const port = await freePort();
  const log = join(folder, 'log');
  const listen = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 's')}`];
  const server = spawn(programOf(SERVER), [...options, ...listen, ...FAST, STRICT, `--log-error=${log}`], {
    detached: true,
    stdio: 'ignore',
  });
  server.unref();
  writeFileSync(join(testFolder(), PID_FILE), `${server.pid}\n`);
  const url = `mysql://root@127.0.0.1:${port}/`;
  for (const giveUp = Date.now() + 120_000; ; await sleep(50)) {
    try {
      await onServer(url, (connection) => connection.ping());
      return url;
    } catch (error) {
      if (Date.now() < giveUp && server.exitCode === null) continue;
      const said = existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : '';
      throw new Error(`${SERVER} did not start: ${(error as Error).message}\n${said}`);
    }
  }
}

async function onServer(url: string, work: (connection: Connection) => Promise<unknown>): Promise<void> {
  const connection = await createConnection({ uri: url, multipleStatements: true, charset: 'utf8mb4' });
  try {
    await work(connection);
  } finally {
    await connection.end();
  }
}
