import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { runInBackground } from '../../src/common/context/abort.js';
import { Database } from '../../src/database/database.js';
import { startApp } from '../support/app.js';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { type Caller, clientOf, type Send } from '../support/calendar-client.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { askOf } from '../support/own-mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';
import { EVENT } from '../support/write-fixture.js';

const TIMEOUT_MS = 240_000;
/** The server's term for a replica. */
const REPLICA = SERVER === 'mysql' ? 'REPLICA' : 'SLAVE';

/** Waits until something holds; fails when it never does. */
async function eventually(holds: () => Promise<boolean>): Promise<void> {
  for (const giveUp = Date.now() + TIMEOUT_MS; !(await holds()); await sleep(20))
    if (Date.now() > giveUp) throw new Error('it never held');
}

(serverMissing() ? describe.skip : describe)('a primary, a late replica and a prompt one', () => {
  let primary: OwnServer;
  let late: OwnServer;
  let prompt: OwnServer;
  let servers: BuiltServer[];
  let writer: Send;
  let other: Send;
  let id: number;

  /** Makes a server with the same rows replicate from the primary. */
  async function follow(replica: OwnServer, delay: number): Promise<void> {
    const { port } = new URL(primary.url);
    if (SERVER === 'mysql') {
      const [row] = await primary.ask('SELECT @@GLOBAL.gtid_executed AS position');
      await replica.ask(`RESET BINARY LOGS AND GTIDS; SET GLOBAL gtid_purged = '${row?.['position']}';
        CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = ${port}, SOURCE_USER = 'root',
          SOURCE_AUTO_POSITION = 1, SOURCE_DELAY = ${delay}, SOURCE_CONNECT_RETRY = 1, GET_SOURCE_PUBLIC_KEY = 1;
        START REPLICA`);
      return;
    }
    const [row] = await primary.ask('SELECT @@gtid_binlog_pos AS position');
    await replica.ask(`SET GLOBAL gtid_slave_pos = '${row?.['position']}';
      CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${port}, MASTER_USER = 'root',
        MASTER_USE_GTID = slave_pos, MASTER_DELAY = ${delay}, MASTER_CONNECT_RETRY = 1;
      START SLAVE`);
  }
  const titleOf = async (send: Send, caller: Caller = 'anonymous') => {
    const { status, body } = await send(caller, 'GET', `/events/${id}`);
    return status === 200 ? String(body['title']) : `status ${status}`;
  };
  /** A server's readiness: the status of the whole, and of the replica. */
  const readiness = async () => {
    const answer = await fetch(`${servers[1]?.url}/readyz`);
    const { status, details } = (await answer.json()) as {
      status: string;
      details: Record<'database' | 'replica', { status: string }>;
    };
    return [answer.status, status, details.database.status, details.replica.status].join(' ');
  };
  const rename = async (title: string) => {
    expect((await writer('admin', 'PUT', `/events/${id}`, { title })).status).toBe(200);
  };
  /** Sets the event's title on one server only, so that responses show where they were read. */
  const mark = (server: OwnServer, title: string) =>
    server.ask(`UPDATE wp_posts SET post_title = '${title}' WHERE ID = ${id}`);

  beforeAll(async () => {
    const gtids =
      SERVER === 'mysql' ? ['--gtid-mode=ON', '--enforce-gtid-consistency=ON'] : ['--binlog-format=ROW'];
    primary = await startOwnServer(SERVER, '--log-bin=binlog', '--server-id=1', ...gtids);
    const lenient = `--${REPLICA.toLowerCase()}-exec-mode=IDEMPOTENT`;
    late = await startOwnServer(SERVER, '--server-id=2', ...gtids, lenient);
    prompt = await startOwnServer(SERVER, '--server-id=3', ...gtids, lenient);
    await follow(late, 3600);
    await follow(prompt, 0);
    const env = { DATABASE_REPLICA_URLS: `${late.url},${prompt.url}`, LOG_LEVEL: 'warn' };
    servers = [await startBuilt(primary.url, [], { env }), await startBuilt(primary.url, [], { env })];
    [writer, other] = servers.map(({ url }) => clientOf(url)) as [Send, Send];
    const { status, body } = await writer('admin', 'POST', '/events', { ...EVENT, title: 'First' });
    expect(status).toBe(201);
    id = Number(body['id']);
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server.kill();
    for (const server of [prompt, late, primary]) await server?.kill();
  });

  it('send anonymous reads to the up-to-date replica, those of users to the primary', async () => {
    await eventually(
      async () => (await askOf(prompt.url)(`SELECT 1 FROM wp_posts WHERE ID = ${id}`)).length > 0,
    );
    await mark(prompt, 'Of the replica');
    for (const send of [writer, other]) {
      await eventually(async () => (await titleOf(send)) === 'Of the replica');
      expect(await titleOf(send, 'admin')).toBe('First');
      expect(await titleOf(send, 'subscriber')).toBe('First');
    }
  });

  it('never get a write, for any user', async () => {
    const env = { DATABASE_REPLICA_URLS: prompt.url };
    const app = await startApp({ databaseUrl: primary.url, env });
    const database = app.nest.get(Database);
    const read = () =>
      runInBackground(() =>
        database.query<{ title: string }>(sql`SELECT post_title AS title FROM wp_posts WHERE ID = ${id}`),
      );
    await eventually(async () => (await read())[0]?.title === 'Of the replica');
    await runInBackground(() => database.query(sql`UPDATE wp_posts SET menu_order = 7 WHERE ID = ${id}`));
    const [row] = await primary.ask(`SELECT menu_order AS number FROM wp_posts WHERE ID = ${id}`);
    expect(row?.['number']).toBe(7);
    await app.close();
  });

  it('show a write on the same server at once, and on others soon', async () => {
    for (let n = 0; n < 100; n++) {
      await rename(`Written ${n}`);
      expect(await titleOf(writer)).toBe(`Written ${n}`);
    }
    await eventually(async () => (await titleOf(other)) === 'Written 99');
    await primary.ask(`UPDATE wp_posts SET post_title = 'By another program' WHERE ID = ${id}`);
    for (const send of [writer, other])
      await eventually(async () => (await titleOf(send)) === 'By another program');
  });

  it('are not used once they stop replicating', async () => {
    await mark(prompt, 'Stopped');
    await eventually(async () => (await titleOf(other)) === 'Stopped');
    await eventually(async () => (await readiness()) === '200 ok up up');
    await prompt.ask(`STOP ${REPLICA}`);
    await rename('After it stopped');
    expect(await titleOf(writer)).toBe('After it stopped');
    await eventually(async () => (await titleOf(other)) === 'After it stopped');
    // It is served nevertheless.
    await eventually(async () => (await readiness()) === '200 degraded up degraded');
    await prompt.ask(`START ${REPLICA}`);
    await eventually(
      async () =>
        (await askOf(prompt.url)(`SELECT 1 FROM wp_posts WHERE post_title = 'After it stopped'`)).length > 0,
    );
    await mark(prompt, 'Following');
    await eventually(async () => (await titleOf(other)) === 'Following');
  });

  it('fail no request when killed, and are used again once they are back', async () => {
    await rename('Before the kill');
    await eventually(async () => (await titleOf(other)) === 'Before the kill');
    await mark(prompt, 'Read here');
    await eventually(async () => (await titleOf(other)) === 'Read here');
    let stopped = false;
    const seen = new Set<string>();
    const readers = Array.from({ length: 8 }, async () => {
      while (!stopped) seen.add(await titleOf(other));
    });
    await sleep(200);
    await prompt.kill();
    await eventually(async () => seen.has('Before the kill'));
    await prompt.start();
    await eventually(async () => (await titleOf(other)) === 'Read here');
    stopped = true;
    await Promise.all(readers);
    expect([...seen].sort()).toEqual(['Before the kill', 'Read here']);
  });

  it('are reported in the log when the primary is read instead', () => {
    for (const server of servers)
      expect(server.log()).toMatch(/Reading from the primary, not from a replica/);
  });
});
