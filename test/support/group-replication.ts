import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClusterNode } from '../suites/cluster-of-writers.js';
import { freePort } from './free-port.js';
import { query } from './own-mariadb.js';
import { type OwnServer, startOwnServer } from './own-server.js';

const NODES = 3;
const TIMEOUT_MS = 240_000;
const GROUP = '6a1d2c3e-0001-4000-8000-00000000a1ac';

/** Three MySQL servers in one group on this machine, with the recorded site; single-primary or multi-primary. */
export async function startGroup(primaries: 'one' | 'all'): Promise<ClusterNode[]> {
  const addresses: string[] = [];
  for (let n = 0; n < NODES; n++) addresses.push(`127.0.0.1:${await freePort()}`);
  const nodes: ClusterNode[] = [];
  for (const [at, address] of addresses.entries()) {
    const isFirst = at === 0;
    const server = await startOwnServer(
      'mysql',
      '--log-bin=binlog',
      `--server-id=${at + 1}`,
      '--gtid-mode=ON',
      '--enforce-gtid-consistency=ON',
      '--report-host=127.0.0.1',
      '--plugin-load-add=group_replication.so',
      `--group-replication-group-name=${GROUP}`,
      `--group-replication-local-address=${address}`,
      `--group-replication-group-seeds=${addresses.join()}`,
      '--group-replication-start-on-boot=OFF',
      '--group-replication-ip-allowlist=127.0.0.1',
      '--group-replication-member-expel-timeout=0',
      '--group-replication-recovery-get-public-key=ON',
      `--group-replication-single-primary-mode=${primaries === 'one' ? 'ON' : 'OFF'}`,
      `--group-replication-enforce-update-everywhere-checks=${primaries === 'one' ? 'OFF' : 'ON'}`,
    );
    // Each node has initialized its own data; the group begins with the rows of the first one.
    if (isFirst) await server.ask('SET GLOBAL group_replication_bootstrap_group = ON');
    else await server.ask('DROP DATABASE site; RESET BINARY LOGS AND GTIDS');
    await join(server);
    if (isFirst) await server.ask('SET GLOBAL group_replication_bootstrap_group = OFF');
    nodes.push({
      url: server.url,
      kill: server.kill,
      start: async () => {
        await server.start();
        await join(server);
      },
    });
  }
  return nodes;
}

const root = (url: string) => new URL('/', url).href;

/** Joins the group; resolves when it has caught up. */
async function join({ url }: OwnServer): Promise<void> {
  const port = new URL(url).port;
  await query(root(url), "START GROUP_REPLICATION USER = 'root'");
  const state = `SELECT MEMBER_STATE AS state FROM performance_schema.replication_group_members WHERE MEMBER_PORT = ${port}`;
  const isOnline = async () =>
    ((await query(root(url), state)) as { state: string }[])[0]?.state === 'ONLINE';
  for (const giveUp = Date.now() + TIMEOUT_MS; !(await isOnline()); await sleep(100))
    if (Date.now() > giveUp) throw new Error(`node ${port} did not join`);
}

/** A replacement for MySQL Router: a port that forwards each new connection to the primary. */
export interface Router {
  url: string;
  close(): void;
}

/** Starts one for a group. */
export async function startRouter(nodes: readonly ClusterNode[]): Promise<Router> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.on('error', () => undefined).on('close', () => sockets.delete(client));
    primaryOf(nodes).then(
      (port) => {
        const upstream = connect(port, '127.0.0.1');
        upstream.on('error', () => client.destroy()).on('close', () => client.destroy());
        client.on('close', () => upstream.destroy());
        client.pipe(upstream).pipe(client);
      },
      () => client.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(String(nodes[0]?.url));
  url.port = String((server.address() as AddressInfo).port);
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: url.href, close };
}

/** The port of the primary, as the first responding member reports it. */
export async function primaryOf(nodes: readonly ClusterNode[]): Promise<number> {
  const member = `SELECT MEMBER_PORT AS port FROM performance_schema.replication_group_members
    WHERE MEMBER_ROLE = 'PRIMARY' AND MEMBER_STATE = 'ONLINE' AND MEMBER_PORT = @@port AND NOT @@super_read_only`;
  const requested = nodes.map(async ({ url }) => {
    const [row] = (await query(root(url), member)) as { port: number }[];
    if (!row) throw new Error('not the primary');
    return row.port;
  });
  return Promise.any(requested);
}
