import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { clientOf } from '../support/calendar-client.js';
import { brokenRows } from '../support/invariants.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';

const EVENTS = 20;
const TIMEOUT_MS = 120_000;

(serverMissing() ? describe.skip : describe)('servers with several workers each, on one site', () => {
  let mariadb: OwnServer;
  const servers: BuiltServer[] = [];
  beforeAll(async () => {
    mariadb = await startOwnServer(SERVER);
  });
  afterAll(async () => {
    for (const server of servers) if (server.runs()) server.child()?.kill('SIGTERM');
    await mariadb?.kill();
  });

  it('publish all due records once, without requests, while one of them is killed', async () => {
    const broken = await brokenRows(mariadb.ask);
    const env = { WORKERS: '2', LOG_LEVEL: 'log' };
    servers.push(await startBuilt(mariadb.url, [], { env }), await startBuilt(mariadb.url, [], { env }));
    const doomed = await startBuilt(mariadb.url, [], { env: { LOG_LEVEL: 'log' } });
    servers.push(doomed);
    const send = clientOf(servers[0]?.url ?? '');
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19);
    for (let n = 0; n < EVENTS; n++) {
      const event = {
        title: `Due ${n}`,
        start_date: day(30),
        end_date: day(31),
        date_utc: day(1),
        tags: ['Due'],
      };
      const { body } = await send('admin', 'POST', '/events', event);
      expect(body['status']).toBe('future');
    }
    // A record is scheduled at least a minute ahead: the test moves dates back instead.
    await mariadb.ask(
      "UPDATE wp_posts SET post_date = post_date - INTERVAL 1 DAY, post_date_gmt = post_date_gmt - INTERVAL 1 DAY WHERE post_title LIKE 'Due %'",
    );
    const left = async () =>
      (await mariadb.ask("SELECT ID FROM wp_posts WHERE post_title LIKE 'Due %' AND post_status = 'future'"))
        .length;
    for (const giveUp = Date.now() + TIMEOUT_MS; (await left()) === EVENTS; await sleep(5))
      expect(Date.now()).toBeLessThan(giveUp);
    await doomed.kill();
    // It may have been publishing one when it was killed.
    const others = (await left()) - 1;
    for (const giveUp = Date.now() + TIMEOUT_MS; (await left()) > 0; await sleep(100))
      expect(Date.now()).toBeLessThan(giveUp);
    const publishedBy = (some: BuiltServer[]) =>
      some.flatMap((server) => server.log().match(/Published the event \d+/g) ?? []);
    // Log lines are delayed by some 100 ms: the last actions of the killed one are visible in the database only.
    while (publishedBy(servers.filter((server) => server !== doomed)).length < others) await sleep(20);
    const published = publishedBy(servers);
    expect(new Set(published).size).toBe(published.length);
    const [tag] = await mariadb.ask(
      "SELECT x.count FROM wp_term_taxonomy x JOIN wp_terms t USING (term_id) WHERE t.slug = 'due'",
    );
    expect(tag?.['count']).toBe(EVENTS);
    expect(await brokenRows(mariadb.ask)).toEqual(broken);
  });
});
