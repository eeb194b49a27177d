import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnvironment } from '../../src/config/env.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { CreateJobs1764100000000 } from '../../src/database/migrations/1764100000000-create-jobs.js';
import { connect } from '../../src/database/open-site.js';
import { runMigrations } from '../../src/database/plugin-migrations.js';
import { type BuiltServer, builtPackage, startBuilt } from '../support/built-server.js';
import { clientOf } from '../support/calendar-client.js';
import { serverMissing } from '../support/mariadb.js';
import { makeSite, SERVER_NAME, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';

const DAY = { start_date: '2091-05-01 10:00:00', end_date: '2091-05-01 12:30:00' };
const EVENTS = 60;

/** A plugin that queues a job with each new event, and sends it to a receiver. */
const PLUGIN = (built: string, receiver: string) => `
import { Module } from '${built}/node_modules/@nestjs/common/index.js';
import { EVENT, Hooks, Job, Jobs, JobsModule, postHooks } from '${built}/dist/almanac.js';
class Outbox {
  constructor(hooks, jobs) {
    this.hooks = hooks;
    this.jobs = jobs;
  }
  onModuleInit() {
    this.hooks.addAction(postHooks(EVENT).beforeCommit, ({ id, transaction }) =>
      this.jobs.enqueue('acme_send', { id }, { transaction }));
  }
  async send({ id }, { signal, attempt }) {
    const body = JSON.stringify({ id, attempt, process: process.pid });
    const { ok } = await fetch('${receiver}', { method: 'POST', body, signal });
    if (!ok) throw new Error('not received');
  }
}
Reflect.defineMetadata('design:paramtypes', [Hooks, Jobs], Outbox);
Job({ name: 'acme_send', retries: 20, backoff: '100ms', timeout: '2s' })(Outbox.prototype, 'send');
class OutboxModule {}
Module({ imports: [JobsModule], providers: [Outbox] })(OutboxModule);
export default OutboxModule;
`;

(serverMissing() ? describe.skip : describe)('jobs of two processes', () => {
  let site: Site;
  let receiver: Server;
  let servers: BuiltServer[] = [];
  const received: { id: number; process: number }[] = [];
  let requests = 0;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => {
        text += chunk;
      });
      request.on('end', async () => {
        requests += 1;
        // The receiver fails at every third request, and is slow at every seventh.
        if (requests % 7 === 0) await sleep(200);
        if (requests % 3 !== 0) received.push(JSON.parse(text));
        response.writeHead(requests % 3 === 0 ? 500 : 204).end();
      });
    }).listen(0, '127.0.0.1');
    site = await makeSite(SERVER_NAME);
    const env = readEnvironment({ DATABASE_URL: site.url });
    const source = await connect(dataSourceOptions(env, true), env, true);
    await runMigrations(source, [CreateJobs1764100000000], () => undefined);
    await source.destroy();
    const plugin = join(testFolder(), 'jobs-plugin.mjs');
    await writeFile(
      plugin,
      PLUGIN(await builtPackage(), `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`),
    );
    const start = () => startBuilt(site.url, [], { env: { PLUGINS: plugin, SCHEDULER: 'on' } });
    servers = [await start(), await start()];
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) await server.kill();
    receiver?.closeAllConnections();
    receiver?.close();
    await site?.drop();
  });

  it('reach their receiver at least once each, from one process at a time, also when processes are killed', async () => {
    const ids: number[] = [];
    const kills = [20, 40];
    for (let number = 0; number < EVENTS; number++) {
      const server = servers[number % 2];
      const reply = await clientOf(server?.url ?? '')('admin', 'POST', '/events', {
        ...DAY,
        title: `Event ${number}`,
      });
      expect(reply.status).toBe(201);
      ids.push(Number(reply.body['id']));
      if (!kills.includes(number)) continue;
      // The one that runs the jobs dies while it does.
      const holder = received.at(-1)?.process;
      const killed = servers.find((one) => one.pid() === holder) ?? servers[0];
      await killed?.kill();
      await killed?.restart();
    }
    const missing = () => ids.filter((id) => !received.some((one) => one.id === id));
    for (const giveUp = Date.now() + 120_000; missing().length > 0 && Date.now() < giveUp; await sleep(200));
    expect(missing()).toEqual([]);
    const switches = received.filter((one, at) => at > 0 && received[at - 1]?.process !== one.process).length;
    expect(switches).toBeLessThanOrEqual(kills.length * 2);
  }, 240_000);

  it('are not lost when their process ends on SIGTERM', async () => {
    const [first, second] = servers;
    await second?.kill();
    const reply = await clientOf(first?.url ?? '')('admin', 'POST', '/events', { ...DAY, title: 'Last' });
    first?.child()?.kill('SIGTERM');
    for (const giveUp = Date.now() + 15_000; first?.runs() && Date.now() < giveUp; await sleep(50));
    expect([first?.runs(), first?.child()?.exitCode]).toEqual([false, 0]);
    await first?.restart();
    const isReceived = () => received.some(({ id }) => id === reply.body['id']);
    for (const giveUp = Date.now() + 60_000; !isReceived() && Date.now() < giveUp; await sleep(200));
    expect(isReceived()).toBe(true);
  }, 120_000);
});
