import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { credentials, request } from '../support/calendar-client.js';
import { EventStreamClient } from '../support/event-stream-client.js';
import { makeJournalTables } from '../support/journal-site.js';
import { serverMissing } from '../support/mariadb.js';
import {
  type OwnProxy,
  type PhpStandIn,
  type ProxyName,
  proxiesMissing,
  startPhp,
  startProxy,
} from '../support/own-proxies.js';
import { makeSite, SERVER_NAME, type Site } from '../support/sites.js';
import { EVENT } from '../support/write-fixture.js';

const STREAMS = 6;
const PATH = '/wp-json/cal/events/v1/changes?since=now&types=events';

/** Streams behind web servers, of two workers, each of which hears of the writes of both. */
(serverMissing() || proxiesMissing() ? describe.skip : describe)('streams of changes behind proxies', () => {
  let site: Site;
  let php: PhpStandIn;
  let server: BuiltServer;

  beforeAll(async () => {
    site = await makeSite(SERVER_NAME);
    await makeJournalTables(site.url);
    php = await startPhp();
    const env = {
      CHANGES: 'on',
      WORKERS: '2',
      PATH_PREFIX: '/wp-json',
      TRUST_PROXY: '127.0.0.1',
      SHUTDOWN_SECONDS: '20',
    };
    server = await startBuilt(site.url, [], { env });
  });
  afterAll(async () => {
    await server?.kill();
    await php?.stop();
    await site?.drop();
  });

  const create = async (title: string) => {
    const root = `${server.url}/wp-json`;
    const { status, body } = await request(root, 'POST', '/events', credentials('admin'), {
      ...EVENT,
      title,
    });
    expect(status).toBe(201);
    return Number(body['id']);
  };

  it.each<ProxyName>(['nginx', 'apache'])(
    'reach all clients of %s at once, stay open longer than its time limit, and end with the server',
    async (name) => {
      if (!server.runs()) await server.restart();
      const proxy: OwnProxy = await startProxy(name, { almanac: server.url, php: php.url });
      const streams: EventStreamClient[] = [];
      try {
        while (streams.length < STREAMS) {
          const one = await EventStreamClient.open(`${proxy.url}${PATH}`, { Host: 'example.org' });
          // The journal is filled after the first start.
          if (one.status === 503) await new Promise((resolve) => setTimeout(resolve, 200));
          else streams.push(one);
        }
        expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
        const hears = async (title: string) => {
          const id = await create(title);
          for (const one of streams)
            await one.until(() => one.data('created').some((event) => event.id === id));
        };
        await hears('Right away');
        // The time limit of both is a minute without a byte.
        const begun = Date.now();
        const comments = streams.map((one) => one.comments);
        while (Date.now() - begun < 70_000) await new Promise((resolve) => setTimeout(resolve, 1000));
        expect(streams.map(({ isEnded }) => isEnded)).toEqual(streams.map(() => false));
        for (const [at, one] of streams.entries())
          expect(one.comments - (comments[at] ?? 0)).toBeGreaterThan(2);
        await hears('After a while');
        server.child()?.kill('SIGTERM');
        for (const one of streams) await one.until(() => one.isEnded, 15_000);
        while (server.runs()) await new Promise((resolve) => setTimeout(resolve, 50));
        expect(server.child()?.exitCode).toBe(0);
      } finally {
        for (const one of streams) one.close();
        await proxy.stop();
      }
    },
  );
});
