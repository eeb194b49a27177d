import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { clientOf, type Reply, type Send } from '../support/calendar-client.js';
import { brokenRows } from '../support/invariants.js';
import { askOf } from '../support/own-mariadb.js';
import { EVENT } from '../support/write-fixture.js';

/** A cluster node: a database server that holds the same rows as the others. */
export interface ClusterNode {
  /** URL of the recorded site. */
  url: string;
  /** Kills the node at once, like a power cut. */
  kill(): Promise<void>;
  /** Starts the node; resolves once it is synchronised and writable. */
  start(): Promise<void>;
}

/** Events that each server creates concurrently. */
const EVENTS_PER_SERVER = 20;
const TITLE = 'On every node';

/** Declares tests of a cluster of three writable nodes, each with an Almanac of its own. */
export function declareClusterOfWriters(startNodes: () => Promise<ClusterNode[]>): void {
  let nodes: ClusterNode[];
  let servers: BuiltServer[];
  let brokenAtStart: string[];
  /** Slugs of the events that a server confirmed. */
  const createdSlugs: string[] = [];

  beforeAll(async () => {
    nodes = await startNodes();
    const [first] = nodes;
    brokenAtStart = await brokenRows(askOf(String(first?.url)));
    servers = [];
    for (const { url } of nodes) servers.push(await startBuilt(url));
  });
  afterAll(async () => {
    for (const one of [...(servers ?? []), ...(nodes ?? [])]) await one.kill();
  });

  /** Repeats a request while the response is 503, the only failure allowed. */
  async function retryWhileBusy(send: Send, ...request: Parameters<Send>): Promise<Reply> {
    for (let attempt = 0; attempt < 300; attempt++) {
      const reply = await send(...request);
      if (reply.status < 300) return reply;
      expect([reply.status, reply.headers.get('Retry-After'), request]).toEqual([503, '1', request]);
      await sleep(300);
    }
    throw new Error('still busy after all attempts');
  }

  /** Creates and updates events, each of which the same server must return as written. */
  async function write({ url }: BuiltServer, name: string): Promise<void> {
    const send = clientOf(url);
    for (let number = 0; number < EVENTS_PER_SERVER; number++) {
      const fields = {
        ...EVENT,
        title: TITLE,
        tags: [`Tag ${number % 4}`],
        venue: { venue: `Hall ${number % 3}` },
      };
      const { body } = await retryWhileBusy(send, 'admin', 'POST', '/events', fields);
      createdSlugs.push(String(body['slug']));
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

  /** Every created event exists once on every node, and no invariant is newly broken. */
  async function checkNodes(): Promise<void> {
    expect(new Set(createdSlugs).size).toBe(createdSlugs.length);
    for (const { url } of nodes) {
      const ask = askOf(url);
      const slugs = async () =>
        (
          await ask(
            `SELECT post_name AS name FROM wp_posts WHERE post_title = '${TITLE}' AND post_type = 'tribe_events'`,
          )
        ).map(({ name }) => String(name));
      // Commits of other nodes are applied with a delay.
      while ((await slugs()).length < createdSlugs.length) await sleep(50);
      const found = await slugs();
      expect(createdSlugs.filter((slug) => !found.includes(slug))).toEqual([]);
      expect(await brokenRows(ask)).toEqual(brokenAtStart);
    }
  }

  it('concurrent creates lose no event and get unique slugs', async () => {
    await Promise.all(servers.map((server, number) => write(server, `node ${number}`)));
    expect(createdSlugs).toHaveLength(servers.length * EVENTS_PER_SERVER);
    await checkNodes();
  });

  it.each(['categories', 'tags'])(
    'concurrent creates of %s with one name create one term',
    async (collection) => {
      const createdSlugs = async ({ url }: BuiltServer) => {
        for (;;) {
          const reply = await clientOf(url)('admin', 'POST', `/${collection}`, { name: 'The only one' });
          if (reply.status !== 503) return reply.status;
        }
      };
      const statuses = await Promise.all([...servers, ...servers, ...servers].map(createdSlugs));
      expect(statuses.sort()).toEqual([201, ...Array.from({ length: servers.length * 3 - 1 }, () => 400)]);
    },
  );

  it('writes go on after a node was killed, and include it once it has rejoined', async () => {
    const [first, second, third] = servers as [BuiltServer, BuiltServer, BuiltServer];
    const writing = [first, second].map((server, number) => write(server, `survivor ${number}`));
    await nodes[2]?.kill();
    const { status, headers } = await clientOf(third.url)('admin', 'POST', '/events', EVENT);
    expect([status, headers.get('Retry-After')]).toEqual([503, '1']);
    await Promise.all(writing);
    await nodes[2]?.start();
    await write(third, 'who came back');
    expect(createdSlugs).toHaveLength(2 * servers.length * EVENTS_PER_SERVER);
    await checkNodes();
  });
}
