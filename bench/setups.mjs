// Ways to run more than one process on a site (docs/scaling.md), each from nothing: servers of ours, and the databases and
// what else they need. `run` keeps what is started, to be stopped.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { freePort, listens, startProgram, startServer } from './processes.mjs';
import { ask, startSite } from './site.mjs';

const ALMANAC = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const EVENTS = '/cal/events/v1/events';
const GALERA = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];
const NODES = 3;

/** By name: `{ servers, databases, others }` of one way. */
export const SETUPS = {
  'one process': async (run) => {
    const site = await run.site();
    return { servers: [await run.server(site)], databases: [site] };
  },
  'two workers': async (run) => {
    const site = await run.site();
    return { servers: [await run.server(site, { WORKERS: '2' })], databases: [site] };
  },
  'two machines': async (run) => {
    const site = await run.site();
    const { url: REDIS_URL, ...redis } = await run.redis();
    const servers = [await run.server(site, { REDIS_URL }), await run.server(site, { REDIS_URL })];
    return { servers, databases: [site], others: [redis] };
  },
  'a replica': async (run) => {
    const primary = await run.site(['--server-id=1', '--log-bin=changes', '--binlog-format=ROW']);
    const replica = await run.site(['--server-id=2', '--read-only']);
    await ask(replica.uri, (connection) =>
      connection.query(
        `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${new URL(primary.uri).port},
           MASTER_USER = 'root', MASTER_USE_GTID = slave_pos; START SLAVE`,
      ),
    );
    const servers = [await run.server(primary, { DATABASE_REPLICA_URLS: replica.uri })];
    return { servers, databases: [primary, replica] };
  },
  Galera: async (run) => {
    const addresses = [];
    for (let n = 0; n < NODES; n++) addresses.push(`127.0.0.1:${await freePort()}`);
    // A node that joins gets its rows through a program that gives up root's rights.
    const databases = [];
    for (const [n, address] of addresses.entries())
      databases.push(await run.site(await nodeOptions(address, addresses.slice(0, n)), 'mysql'));
    const servers = [];
    for (const database of databases) servers.push(await run.server(database));
    return { servers, databases };
  },
};

/** What is started for one way, until `stop`. */
export function newRun(events, say) {
  const running = [];
  const track = async (starting) => {
    const one = await starting;
    running.unshift(one);
    return one;
  };
  return {
    site: (options, user) => track(startSite(events, say, options, user)),
    server: ({ uri }, more = {}) => {
      const env = { DATABASE_URL: uri, LOG_LEVEL: 'error', NODE_ENV: 'production', ...more };
      return track(startServer(ALMANAC, EVENTS, env));
    },
    redis: async () => {
      const port = await freePort();
      const options = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
      const redis = await track(startProgram('redis-server', options, () => listens(port)));
      return { ...redis, url: `redis://127.0.0.1:${port}` };
    },
    stop: async () => {
      for (const one of running.splice(0)) await one.stop();
    },
  };
}

async function nodeOptions(address, others) {
  const library = GALERA.find((path) => existsSync(path));
  if (!library) throw new Error('There is no Galera library: install galera-4.');
  return [
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-provider=${library}`,
    '--wsrep-cluster-name=almanac-bench',
    `--wsrep-cluster-address=gcomm://${others}`,
    `--wsrep-node-address=${address}`,
    `--wsrep-provider-options=gmcast.listen_addr=tcp://${address};ist.recv_addr=127.0.0.1:${await freePort()};gcache.size=64M`,
    `--wsrep-sst-receive-address=127.0.0.1:${await freePort()}`,
    '--wsrep-sst-method=rsync',
    // What another node has committed is seen by the next statement.
    '--wsrep-sync-wait=1',
  ];
}
