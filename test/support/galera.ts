import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ClusterNode } from '../suites/cluster-of-writers.js';
import { killed } from './built-server.js';
import { freePort } from './free-port.js';
import { mariadbMissing } from './mariadb.js';
import { query } from './own-mariadb.js';
import { program } from './programs.js';
import { SITE_A } from './sites.js';
import { testFolder } from './test-folder.js';

const NODES = 3;
const TIMEOUT_MS = 240_000;
const LIBRARIES = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];

/** Whether tests on a cluster are skipped; never where MariaDB is required. */
export function galeraMissing(): boolean {
  const isRequired = process.env['CI'] === 'true' || process.env['ALMANAC_REQUIRE_MARIADB'] === '1';
  return !isRequired && (mariadbMissing() || !library());
}

/** Three nodes that form a cluster on this machine, with the recorded site. */
export async function startGalera(): Promise<ClusterNode[]> {
  const cluster: string[] = [];
  for (let n = 0; n < NODES; n++) cluster.push(`127.0.0.1:${await freePort()}`);
  const nodes: ClusterNode[] = [];
  for (const address of cluster) {
    const node = await prepare(nodes.length, address, cluster);
    await node.start();
    nodes.push(node);
  }
  const [{ url } = { url: '' }] = nodes;
  await query(
    new URL('/', url).href,
    'CREATE DATABASE site CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci',
  );
  await query(url, `SET autocommit = 0, sql_mode = ''; ${readFileSync(SITE_A, 'utf8')}\nCOMMIT`);
  return nodes;
}

async function prepare(number: number, address: string, cluster: readonly string[]): Promise<ClusterNode> {
  const folder = join(testFolder(), `galera-${number}`);
  mkdirSync(join(folder, 'tmp'), { recursive: true });
  const common = ['--no-defaults', `--datadir=${join(folder, 'data')}`, `--tmpdir=${join(folder, 'tmp')}`];
  if (process.getuid?.() === 0) {
    // A new node gets its rows through a program that drops root's privileges and then could not write.
    common.push('--user=mysql');
    await promisify(execFile)('chown', ['-R', 'mysql', folder]);
    chmodSync(testFolder(), 0o755);
  }
  const install = [...common, '--auth-root-authentication-method=normal', '--skip-test-db'];
  await promisify(execFile)(program('mariadb-install-db'), install);
  const port = await freePort();
  const log = join(folder, 'log');
  const root = `mysql://root@127.0.0.1:${port}/`;
  const options = [
    ...common,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(folder, 's')}`,
    `--log-error=${log}`,
    '--innodb-flush-log-at-trx-commit=0',
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-provider=${library()}`,
    '--wsrep-cluster-name=almanac-test',
    `--wsrep-node-address=${address}`,
    `--wsrep-provider-options=gmcast.listen_addr=tcp://${address};ist.recv_addr=127.0.0.1:${await freePort()};gcache.size=16M;evs.suspect_timeout=PT3S;evs.inactive_timeout=PT9S`,
    `--wsrep-sst-receive-address=127.0.0.1:${await freePort()}`,
    '--wsrep-sst-method=rsync',
  ];
  let child: ChildProcess | undefined;
  let isFirst = number === 0;
  const start = async () => {
    const others = isFirst ? '' : cluster.filter((one) => one !== address).join();
    isFirst = false;
    child = spawn(program('mariadbd'), [...options, `--wsrep-cluster-address=gcomm://${others}`], {
      stdio: 'ignore',
    });
    for (const giveUp = Date.now() + TIMEOUT_MS; !(await isSynced(root)); await sleep(50))
      if (Date.now() > giveUp || child.exitCode !== null)
        throw new Error(`node ${number} did not start:\n${readFileSync(log, 'utf8').slice(-3000)}`);
  };
  return { url: `${root}site`, kill: () => killed(child), start };
}

async function isSynced(root: string): Promise<boolean> {
  try {
    const rows = (await query(root, "SHOW STATUS LIKE 'wsrep_local_state_comment'")) as { Value: string }[];
    return rows[0]?.Value === 'Synced';
  } catch {
    return false;
  }
}

function library(): string | undefined {
  return LIBRARIES.find((path) => existsSync(path));
}
