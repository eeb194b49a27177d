import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { killed } from './built-server.js';
import { freePort } from './free-port.js';
import type { Ask } from './invariants.js';
import { askOf, query } from './own-mariadb.js';
import { installServer, programOf, type ServerKind } from './programs.js';
import { SITE_A, type Site } from './sites.js';
import { testFolder } from './test-folder.js';

const TIMEOUT_MS = 120_000;

/** A database server that a test may kill; durable as by default. */
export interface OwnServer {
  /** URL of a database with the recorded site. */
  url: string;
  ask: Ask;
  /** Creates another database with the recorded site under a name. */
  newSite(name: string): Promise<Site>;
  /** URL with its socket. */
  socket: string;
  /** Suspends and resumes it: connections are accepted, nothing is answered. */
  hang(): void;
  goOn(): void;
  /** Kills it, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it on the same data; resolves when it answers queries. */
  start(): Promise<void>;
}

/** Initializes and starts a server on a free port, with the recorded site and further options. */
export async function startOwnServer(kind: ServerKind, ...options: string[]): Promise<OwnServer> {
  const port = await freePort();
  const folder = join(testFolder(), `own-${kind}-${port}`);
  const common = await installServer(kind, folder, ...options);
  const log = join(folder, 'log');
  const listen = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(folder, 's')}`];
  const root = `mysql://root@127.0.0.1:${port}/`;
  let child: ChildProcess | undefined;
  const start = async () => {
    child = spawn(programOf(kind), [...common, ...listen, `--log-error=${log}`], { stdio: 'ignore' });
    for (const giveUp = Date.now() + TIMEOUT_MS; !(await answers(root)); await sleep(20))
      if (Date.now() > giveUp || child.exitCode !== null)
        throw new Error(
          `${kind} did not start:\n${existsSync(log) ? readFileSync(log, 'utf8').slice(-2000) : ''}`,
        );
  };
  await start();
  const newSite = async (name: string): Promise<Site> => {
    await query(root, `CREATE DATABASE ${name} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`);
    const url = `${root}${name}`;
    await query(url, `SET autocommit = 0, sql_mode = ''; ${readFileSync(SITE_A, 'utf8')}\nCOMMIT`);
    return { url, drop: async () => void (await query(root, `DROP DATABASE ${name}`)) };
  };
  const { url } = await newSite('site');
  return {
    url,
    ask: askOf(url),
    newSite,
    socket: join(folder, 's'),
    hang: () => void child?.kill('SIGSTOP'),
    goOn: () => void child?.kill('SIGCONT'),
    kill: () => killed(child),
    start,
  };
}

function answers(url: string): Promise<boolean> {
  return query(url, 'SELECT 1').then(
    () => true,
    () => false,
  );
}
