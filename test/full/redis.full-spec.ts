import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TableVersions } from '../../src/database/table-versions.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { type BuiltServer, builtPackage, startBuilt } from '../support/built-server.js';
import { basic, clientOf, credentials, request } from '../support/calendar-client.js';
import { serverMissing } from '../support/mariadb.js';
import { type OwnRedis, redisMissing, startOwnRedis } from '../support/own-redis.js';
import { makeSite, SERVER_NAME, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';
import { EVENT } from '../support/write-fixture.js';

const TIMEOUT_MS = 120_000;

(serverMissing() || redisMissing() ? describe.skip : describe)('two servers that share a Redis', () => {
  let site: Site;
  let redis: OwnRedis;

  beforeAll(async () => {
    site = await makeSite(SERVER_NAME);
    redis = await startOwnRedis();
  });
  afterAll(async () => {
    await redis?.kill();
    await site?.drop();
  });

  describe('learn of commits', () => {
    let apps: TestApp[];

    beforeAll(async () => {
      const env = { REDIS_URL: redis.url };
      apps = [await startApp({ databaseUrl: site.url, env }), await startApp({ databaseUrl: site.url, env })];
    });
    afterAll(async () => {
      for (const app of apps ?? []) await app.close();
    });

    it('before the writer’s response is sent', async () => {
      const [one, other] = apps as [TestApp, TestApp];
      const send = clientOf(one.url);
      const created = await send('admin', 'POST', '/events', { ...EVENT, title: 'Made' });
      expect(created.status).toBe(201);
      const path = `/events/${created.body['id']}`;
      const changes = other.nest.get(TableVersions);
      const seen = new Set<number>();
      for (let n = 0; n < 20; n++) {
        const before = await changes.snapshot();
        expect((await send('admin', 'PUT', path, { title: `Version ${n}` })).status).toBe(200);
        expect(changes.latest()).not.toBe(before);
        const after = await changes.snapshot();
        expect(seen.has(after?.contentVersion ?? 0)).toBe(false);
        seen.add(after?.contentVersion ?? 0);
        const read = await clientOf(other.url)('anonymous', 'GET', path);
        expect(read.body['title']).toBe(`Version ${n}`);
      }
    });
  });

  it.each([
    ['nested without an end', '*1\r\n'.repeat(200_000)],
    ['replies to nothing', ':0\r\n'.repeat(4)],
    ['a channel that is null', '*3\r\n$-1\r\n$-1\r\n:1\r\n'],
    ['a message that is null', '*3\r\n$7\r\nmessage\r\n$-1\r\n$-1\r\n'],
    ['no number', '$3\r\nNaN\r\n'],
    ['a wait of a thousand years', ':31536000000000\r\n'],
    ['a message without an end', `$500000000\r\n${'x'.repeat(400_000)}`],
    ['always that nobody failed', ':0\r\n'],
  ])('neither block nor admit logins, and keep serving, where Redis fails: %s', async (_, reply) => {
    const hostile = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => socket.write(reply));
    });
    await new Promise<void>((resolve) => hostile.listen(0, '127.0.0.1', resolve));
    const { port } = hostile.address() as AddressInfo;
    const env = { REDIS_URL: `redis://127.0.0.1:${port}`, RATE_LIMIT: '3/1h' };
    const app = await startApp({ databaseUrl: site.url, env });
    try {
      const statuses: number[] = [];
      for (let n = 0; n < 6; n++)
        statuses.push((await request(app.url, 'GET', '/tags', basic('nobody', 'wrong'))).status);
      expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
      expect((await request(app.url, 'GET', '/tags', credentials('editor'))).status).toBe(200);
      expect((await clientOf(app.url)('admin', 'POST', '/tags', { name: `Made ${port}` })).status).toBe(201);
    } finally {
      await app.close();
      hostile.close();
    }
  });

  it('follow a managed address to the new primary while the old one becomes a replica', async () => {
    const next = await startOwnRedis();
    const old = await startOwnRedis();
    const portOf = ({ url }: OwnRedis) => Number(new URL(url).port);
    let target = portOf(old);
    const sockets = new Set<Socket>();
    // Like a DNS name: routes new connections elsewhere and keeps existing ones.
    const address = createServer((client) => {
      const server = connect(target, '127.0.0.1');
      for (const socket of [client, server]) sockets.add(socket.on('error', () => undefined));
      client.pipe(server).pipe(client);
    });
    await new Promise<void>((resolve) => address.listen(0, '127.0.0.1', resolve));
    const { port } = address.address() as AddressInfo;
    const env = { REDIS_URL: `redis://127.0.0.1:${port}`, RATE_LIMIT: '3/1h' };
    const early = await startApp({ databaseUrl: site.url, env });
    const apps = [early];
    try {
      await old.follow(portOf(next));
      target = portOf(next);
      const late = await startApp({ databaseUrl: site.url, env });
      apps.push(late);
      const changes = late.nest.get(TableVersions);
      let name = 0;
      /** Whether one server learns of the other's write before its response is sent. */
      const isHeard = async () => {
        const before = await changes.snapshot();
        const created = await clientOf(early.url)('admin', 'POST', '/tags', {
          name: `Over ${port} ${name++}`,
        });
        expect(created.status).toBe(201);
        return changes.latest() !== before;
      };
      // One may have been detected by a poll that was due then.
      for (let inRow = 0, giveUp = Date.now() + TIMEOUT_MS; inRow < 5; await sleep(100)) {
        inRow = (await isHeard()) ? inRow + 1 : 0;
        if (Date.now() > giveUp) throw new Error('nobody hears of commits any more');
      }
      const statuses = [];
      for (let n = 0; n < 6; n++) {
        const { url } = n % 2 ? early : late;
        statuses.push((await request(url, 'GET', '/tags', basic('after', 'wrong'))).status);
      }
      expect(statuses).toEqual([401, 401, 401, 429, 429, 429]);
    } finally {
      for (const app of apps) await app.close();
      for (const socket of sockets) socket.destroy();
      address.close();
      await old.kill();
      await next.kill();
    }
  });

  describe('share the count of failed logins', () => {
    let servers: BuiltServer[];

    beforeAll(async () => {
      const env = { REDIS_URL: redis.url, RATE_LIMIT: '3/1h', LOG_LEVEL: 'log' };
      servers = [await startBuilt(site.url, [], { env }), await startBuilt(site.url, [], { env })];
    });
    afterAll(async () => {
      for (const server of servers ?? []) await server.kill();
    });

    /** The numbers of attempts, alternating between servers, rejected for the password, and for the limit. */
    async function attempts(login: string, count: number): Promise<{ wrong: number; limited: number }> {
      const statuses: number[] = [];
      for (let n = 0; n < count; n++) {
        const { url } = servers[n % 2] as BuiltServer;
        const { status, body } = await request(url, 'GET', '/tags', basic(login, 'wrong'));
        statuses.push(status);
        if (status === 429) expect(body['code']).toBe('too_many_attempts');
      }
      const many = (wanted: number) => statuses.filter((status) => status === wanted).length;
      return { wrong: many(401), limited: many(429) };
    }
    const says = async (text: string) => {
      for (
        const giveUp = Date.now() + TIMEOUT_MS;
        !servers.every((one) => one.log().includes(text));
        await sleep(20)
      )
        if (Date.now() > giveUp) throw new Error(`nobody said "${text}"`);
    };
    const logins = async () => {
      for (const { url } of servers)
        for (let n = 0; n < 5; n++)
          expect((await request(url, 'GET', '/tags', credentials('editor'))).status).toBe(200);
    };

    it('of all processes, without successful ones', async () => {
      expect(await attempts('nobody', 10)).toEqual({ wrong: 3, limited: 7 });
      await logins();
    });

    it('and each process counts alone while Redis is away; no request fails', async () => {
      await redis.kill();
      await says('Not reachable, so each process works on its own');
      expect(await attempts('nobody else', 10)).toEqual({ wrong: 6, limited: 4 });
      await logins();
      for (const { url } of servers)
        expect((await clientOf(url)('admin', 'POST', '/tags', { name: `Written at ${url}` })).status).toBe(
          201,
        );
      await redis.start();
      await says('Reachable again');
      expect(await attempts('yet another', 10)).toEqual({ wrong: 3, limited: 7 });
      for (const server of servers) expect(server.log().match(/Not reachable/g)).toHaveLength(1);
    });

    it('and count no login that succeeded while Redis hung', async () => {
      redis.hang();
      await logins();
      expect(await attempts('somebody', 10)).toEqual({ wrong: 6, limited: 4 });
      redis.goOn();
      await logins();
      expect(await attempts('one more', 10)).toEqual({ wrong: 3, limited: 7 });
      const said = (text: RegExp) => servers.map((server) => server.log().match(text)?.length);
      // A log line may follow the response.
      for (const giveUp = Date.now() + TIMEOUT_MS; Date.now() < giveUp; await sleep(20))
        if (said(/Reachable again/g).every((count) => count === 2)) break;
      expect([said(/Not reachable/g), said(/Reachable again/g)]).toEqual([
        [2, 2],
        [2, 2],
      ]);
    });
  });

  it('logs a missing package in one line', async () => {
    const whole = await builtPackage();
    const bare = mkdtempSync(join(testFolder(), 'without-ioredis-'));
    cpSync(join(whole, 'dist'), join(bare, 'dist'), { recursive: true });
    cpSync(join(whole, 'package.json'), join(bare, 'package.json'));
    symlinkSync(join(whole, 'bin'), join(bare, 'bin'));
    // An empty folder, so that parent folders are not searched.
    mkdirSync(join(bare, 'node_modules', 'ioredis'), { recursive: true });
    for (const name of readdirSync(join(whole, 'node_modules')))
      if (name !== 'ioredis')
        symlinkSync(join(whole, 'node_modules', name), join(bare, 'node_modules', name));
    const env = { ...process.env, DATABASE_URL: site.url, REDIS_URL: redis.url, PORT: '0' };
    const [code, output] = await new Promise<[unknown, string]>((resolve) => {
      execFile(
        process.execPath,
        [join(bare, 'dist', 'main.js')],
        { env, cwd: bare },
        (error, stdout, stderr) => resolve([error?.code, stdout + stderr]),
      );
    });
    expect([code, output]).toEqual([
      1,
      'REDIS_URL needs a package that is not installed: npm install ioredis\n',
    ]);
  });
});
