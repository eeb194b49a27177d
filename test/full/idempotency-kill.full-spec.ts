import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { credentials, type Reply, request } from '../support/calendar-client.js';
import { makeJournalTables } from '../support/journal-site.js';
import { describeDatabases, makeSite, type Site } from '../support/sites.js';
import { EVENT } from '../support/write-fixture.js';

/** The number of events that clients create while the server is killed. */
const CREATES = 60;
const CLIENTS = 3;

describeDatabases('a server that is killed among creates with an Idempotency-Key', (database) => {
  let site: Site;
  let server: BuiltServer;

  beforeAll(async () => {
    site = await makeSite(database);
    await makeJournalTables(site.url);
    server = await startBuilt(site.url, [], { env: { CHANGES: 'on' } });
  });
  afterAll(async () => {
    await server?.kill();
    await site?.drop();
  });

  const send = (headers: Record<string, string>, method: string, path: string, body?: object) =>
    request(server.url, method, path, { ...credentials('admin'), ...headers }, body);

  /** Sends a request until it gets a response other than 409, 503 and none. */
  async function insist(key: string, body: object): Promise<{ reply: Reply; attempts: number }> {
    for (let attempts = 1; ; attempts++) {
      const reply = await send({ 'Idempotency-Key': key }, 'POST', '/events', body).catch(() => undefined);
      if (reply && reply.status !== 409 && reply.status !== 503) return { reply, attempts };
      await sleep(20);
    }
  }

  it('stores exactly one record per key, and answers each with it', async () => {
    const created = new Map<string, unknown>();
    const statuses = new Set<number>();
    let next = 0;
    let retried = 0;
    let isDone = false;
    const bodyOf = (number: number) => ({
      ...EVENT,
      title: `Keyed ${number}`,
      venue: { venue: `Hall of ${number}` },
      tags: [`Tag of ${number}`],
    });
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (next < CREATES) {
        const number = next++;
        const { reply, attempts } = await insist(`create-${number}`, bodyOf(number));
        statuses.add(reply.status);
        created.set(`create-${number}`, reply.body['id']);
        retried += Number(attempts > 1);
      }
    });
    const done = Promise.all(clients).then(() => {
      isDone = true;
    });
    let kills = 0;
    while (!isDone) {
      const due = created.size + 1 + Math.random() * 4;
      while (!isDone && created.size < due) await sleep(1);
      await sleep(Math.random() * 20);
      await server.kill();
      kills++;
      await server.restart();
    }
    await done;
    expect(kills).toBeGreaterThan(5);
    expect(retried).toBeGreaterThan(5);
    expect([...statuses]).toEqual([201]);
    const found: string[] = [];
    for (const page of [1, 2]) {
      const list = await send(
        {},
        'GET',
        `/events?per_page=50&page=${page}&search=Keyed&status=publish&start_date=2091-01-01&end_date=2092-01-01`,
      );
      for (const event of (list.body['events'] ?? []) as { id: number; title: string }[])
        if (/^Keyed \d+$/.test(event.title))
          found.push(`${event.title.replace('Keyed ', 'create-')} ${event.id}`);
    }
    expect(found.toSorted()).toEqual([...created].map(([key, id]) => `${key} ${id}`).toSorted());
    for (const [key, id] of created) {
      const { reply } = await insist(key, bodyOf(Number(key.replace('create-', ''))));
      expect([key, reply.status, reply.body['id']]).toEqual([key, 201, id]);
    }
  });
});
