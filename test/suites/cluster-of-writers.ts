import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { clientOf, type Reply, type Send } from '../support/calendar-client.js';
import { brokenRows } from '../support/invariants.js';
import { askOf } from '../support/own-mariadb.js';
import { EVENT } from '../support/write-fixture.js';

/** A node of a cluster: a server of its own that holds the same rows as the others. */
export interface ClusterNode {
  /** Address of the recorded site. */
  url: string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it; resolves when it has all rows of the others and takes writes. */
  start(): Promise<void>;
}

/** Events that each server is asked for at the same time. */
const EACH = 20;
const TITLE = 'On every node';

/** Declares tests of a cluster of three nodes that all take writes, each with an Almanac beside it. */
export function declareClusterOfWriters(startNodes: () => Promise<ClusterNode[]>): void {
  let nodes: ClusterNode[];
  let servers: BuiltServer[];
  let broken: string[];
  /** Slugs of the events of which a server said that they were made. */
  const created: string[] = [];

  beforeAll(async () => {
    nodes = await startNodes();
    const [first] = nodes;
    broken = await brokenRows(askOf(String(first?.url)));
    servers = [];
    for (const { url } of nodes) servers.push(await startBuilt(url));
  });
  afterAll(async () => {
    for (const one of [...(servers ?? []), ...(nodes ?? [])]) await one.kill();
  });

  /** Asks until it is not told to come back later, which is all that may go wrong. */
  async function retryWhileBusy(send: Send, ...request: Parameters<Send>): Promise<Reply> {
    for (let tries = 0; tries < 300; tries++) {
      const reply = await send(...request);
      if (reply.status < 300) return reply;
      expect([reply.status, reply.headers.get('Retry-After'), request]).toEqual([503, '1', request]);
      await sleep(300);
    }
    throw new Error('told to come back again and again');
  }

  /** Makes and changes events one after the other, which the same server must show as they were answered. */
  async function write({ url }: BuiltServer, name: string): Promise<void> {
    const send = clientOf(url);
    for (let number = 0; number < EACH; number++) {
      const fields = {
        ...EVENT,
        title: TITLE,
        tags: [`Tag ${number % 4}`],
        venue: { venue: `Hall ${number % 3}` },
      };
      const { body } = await retryWhileBusy(send, 'admin', 'POST', '/events', fields);
      created.push(String(body['slug']));
      const path = `/events/${body['id']}`;
      expect((await retryWhileBusy(send, 'anonymous', 'GET', path)).body).toMatchObject({
        slug: body['slug'],
        title: TITLE,
      });
      if (number % 2 === 0) continue;
      const cost = `${number} of ${name}`;
      await retryWhileBusy(send, 'admin', 'PUT', path, {
        website: `https://example.com/${encodeURIComponent(cost)}`,
      });
      const { body: changed } = await retryWhileBusy(send, 'anonymous', 'GET', path);
      expect(changed['website']).toBe(`https://example.com/${encodeURIComponent(cost)}`);
    }
  }

  /** What was made is there once, on every node, and nothing is broken. */
  async function check(): Promise<void> {
    expect(new Set(created).size).toBe(created.length);
    for (const { url } of nodes) {
      const ask = askOf(url);
      const slugs = async () =>
        (
          await ask(
            `SELECT post_name AS name FROM wp_posts WHERE post_title = '${TITLE}' AND post_type = 'tribe_events'`,
          )
        ).map(({ name }) => String(name));
      // What other nodes committed is applied a moment later.
      while ((await slugs()).length < created.length) await sleep(50);
      const found = await slugs();
      expect(created.filter((slug) => !found.includes(slug))).toEqual([]);
      expect(await brokenRows(ask)).toEqual(broken);
    }
  }

  it('gives each event a slug of its own and loses none', async () => {
    await Promise.all(servers.map((server, number) => write(server, `node ${number}`)));
    expect(created).toHaveLength(servers.length * EACH);
    await check();
  });

  it.each(['categories', 'tags'])('makes of %s of one name one term', async (collection) => {
    const created = async ({ url }: BuiltServer) => {
      for (;;) {
        const reply = await clientOf(url)('admin', 'POST', `/${collection}`, { name: 'The only one' });
        if (reply.status !== 503) return reply.status;
      }
    };
    const statuses = await Promise.all([...servers, ...servers, ...servers].map(created));
    expect(statuses.sort()).toEqual([201, ...Array.from({ length: servers.length * 3 - 1 }, () => 400)]);
  });

  it('goes on without a node that was killed, and with it when it is back', async () => {
    const [first, second, third] = servers as [BuiltServer, BuiltServer, BuiltServer];
    const writing = [first, second].map((server, number) => write(server, `survivor ${number}`));
    await nodes[2]?.kill();
    const { status, headers } = await clientOf(third.url)('admin', 'POST', '/events', EVENT);
    expect([status, headers.get('Retry-After')]).toEqual([503, '1']);
    await Promise.all(writing);
    await nodes[2]?.start();
    await write(third, 'who came back');
    expect(created).toHaveLength(2 * servers.length * EACH);
    await check();
  });
}
