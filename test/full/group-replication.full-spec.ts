import { setTimeout as sleep } from 'node:timers/promises';
import { type ClusterNode, declareClusterOfWriters } from '../suites/cluster-of-writers.js';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { clientOf } from '../support/calendar-client.js';
import { primaryOf, type Router, startGroup, startRouter } from '../support/group-replication.js';
import { brokenRows } from '../support/invariants.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { askOf } from '../support/own-mariadb.js';
import { EVENT } from '../support/write-fixture.js';

const describeHere = SERVER !== 'mysql' || serverMissing() ? describe.skip : describe;
const WRITERS = 6;
/** The number of events per writer. */
const EACH = 15;
const TITLE = 'Through the router';

describeHere('Group Replication, a cluster whose three nodes all take writes', () => {
  declareClusterOfWriters(() => startGroup('all'));
});

describeHere('Group Replication with one primary, behind a router', () => {
  let nodes: ClusterNode[];
  let router: Router;
  let server: BuiltServer;

  beforeAll(async () => {
    nodes = await startGroup('one');
    router = await startRouter(nodes);
    server = await startBuilt(router.url);
  });
  afterAll(async () => {
    await server?.kill();
    router?.close();
    for (const node of nodes ?? []) await node.kill();
  });

  it('loses no confirmed event when the primary is killed, and continues with the next primary', async () => {
    const broken = await brokenRows(askOf(String(nodes[0]?.url)));
    const send = clientOf(server.url);
    const created: string[] = [];
    const rejections: string[] = [];
    let killed: ClusterNode | undefined;
    const write = async (writer: number) => {
      for (let number = 0; number < EACH; ) {
        const fields = {
          ...EVENT,
          title: TITLE,
          tags: [`Tag ${writer}`],
          venue: { venue: `Hall ${number}` },
        };
        const { status, body, headers } = await send('admin', 'POST', '/events', fields);
        if (status === 201) {
          created.push(String(body['slug']));
          number += 1;
        } else {
          rejections.push(`${status} ${body['code']} ${headers.get('Retry-After')}`);
          await sleep(200);
        }
      }
    };
    const writing = Array.from({ length: WRITERS }, (_, writer) => write(writer));
    while (created.length < WRITERS * 3) await sleep(10);
    const port = await primaryOf(nodes);
    killed = nodes.find(({ url }) => url.includes(`:${port}/`));
    await killed?.kill();
    await Promise.all(writing);
    expect(await primaryOf(nodes)).not.toBe(port);
    // The outcome of a commit in progress is unknown; every other error must be 503 with Retry-After.
    for (const rejection of rejections)
      expect([
        '503 database_unavailable 1',
        '503 write_unconfirmed null',
        '503 write_not_shown null',
      ]).toContain(rejection);
    expect(created).toHaveLength(WRITERS * EACH);
    expect(new Set(created).size).toBe(created.length);
    await killed?.start();
    for (const { url } of nodes) {
      const slugs = async () =>
        (await askOf(url)(`SELECT post_name AS name FROM wp_posts WHERE post_title = '${TITLE}'`)).map(
          ({ name }) => String(name),
        );
      while ((await slugs()).length < created.length) await sleep(50);
      const found = await slugs();
      expect(created.filter((slug) => !found.includes(slug))).toEqual([]);
      expect(new Set(found).size).toBe(found.length);
      expect(await brokenRows(askOf(url))).toEqual(broken);
    }
  });
});
