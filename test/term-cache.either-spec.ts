import { setTimeout as sleep } from 'node:timers/promises';
import { startApp, type TestApp } from './support/app.js';
import { clientOf, type Send } from './support/calendar-client.js';
import { retry } from './support/retry.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const TAXONOMIES = ['categories', 'tags'] as const;
/** Milliseconds after which a poll of the tables is no longer valid. */
const POLL_VALIDITY_MS = 950;

interface TermJson {
  id: number;
  name: string;
}
interface EventJson extends Record<(typeof TAXONOMIES)[number], TermJson[]> {
  id: number;
}

describeEither('cached terms', (database) => {
  let site: Site;
  let app: TestApp;
  let send: Send;
  let events: EventJson[];
  /** An event with several tags. */
  let many: EventJson;

  // Responses to authenticated users are not cached.
  const readEvent = async (id: number) =>
    (await send('editor', 'GET', `/events/${id}`)).body as unknown as EventJson;
  const namesOf = async (id: number) => (await readEvent(id)).tags.map(({ name }) => name);
  /** Returns the statements on terms of a read after the terms are cached. */
  const onTerms = async (id: number) => {
    for (let times = 0; times < 2; times++) await readEvent(id);
    app.statements();
    await readEvent(id);
    // The entity tag of the record has a statement of its own.
    return app.statements().sql.filter((text) => /wp_term/.test(text) && !text.includes("'term' AS kind"));
  };
  /** Waits until successive polls agree that nothing has changed. */
  const settle = () => sleep(database !== 'SQLite' ? 3200 : POLL_VALIDITY_MS);
  const run = (text: string) => app.dataSource.query(text);

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url });
    send = clientOf(app.url);
    for (let page = 1; page <= 2; page++) {
      const list = `/events?start_date=2000-01-01&per_page=50&page=${page}`;
      events = [...(events ?? []), ...((await send('anonymous', 'GET', list)).body['events'] as EventJson[])];
    }
    const locked = await run("SELECT ID AS id FROM wp_posts WHERE post_password <> ''");
    events = events.filter(({ id }) => !locked.some((post: EventJson) => post.id === id));
    many = events.reduce((most, event) => (event.tags.length > most.tags.length ? event : most));
    await settle();
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it('equal those of lists, in the same order', async () => {
    expect(many.tags.length).toBeGreaterThan(1);
    for (const event of events) {
      const single = await readEvent(event.id);
      for (const name of TAXONOMIES) expect([event.id, single[name]]).toEqual([event.id, event[name]]);
    }
  });

  it('are not read again, except the relationships of an event', async () => {
    await retry(async () =>
      expect(await onTerms(many.id)).toEqual([expect.not.stringMatching(/wp_terms|wp_term_taxonomy/)]),
    );
  });

  it('are renewed at once after a write of this server', async () => {
    const [first] = many.tags;
    for (const name of ['Zzz last', 'Aaa first', 'Mmm middle']) {
      await onTerms(many.id);
      expect((await send('admin', 'POST', `/tags/${first?.id}`, { name })).status).toBe(200);
      expect(await namesOf(many.id)).toContain(name);
    }
    const { status } = await send('admin', 'POST', `/events/${many.id}`, { tags: ['Made just now'] });
    expect([status, await namesOf(many.id)]).toEqual([200, ['Made just now']]);
  });

  it('are renewed within a second after a write of another program', async () => {
    const before = await readEvent(many.id);
    const id = before.tags[0]?.id;
    await onTerms(many.id);
    await run(`UPDATE wp_terms SET name = 'Renamed elsewhere' WHERE term_id = ${id}`);
    await sleep(POLL_VALIDITY_MS);
    expect(await namesOf(many.id)).toEqual(['Renamed elsewhere']);
    await onTerms(many.id);
    await run(`DELETE FROM wp_term_taxonomy WHERE term_id = ${id}`);
    await run(`DELETE FROM wp_terms WHERE term_id = ${id}`);
    await sleep(POLL_VALIDITY_MS);
    expect(await namesOf(many.id)).toEqual([]);
  });

  it('do not exist for taxonomies of more than three thousand terms', async () => {
    const ids = Array.from({ length: 3001 }, (_, at) => 500_000 + at);
    const rows = ids.map((id) => `(${id}, 'Tag ${id}', 'tag-${id}', 0)`);
    await run(`INSERT INTO wp_terms (term_id, name, slug, term_group) VALUES ${rows}`);
    const places = ids.map((id) => `(${id}, ${id}, 'post_tag', '', 0, 0)`);
    await run(
      `INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, parent, count) VALUES ${places}`,
    );
    await run(
      `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id, term_order) VALUES (${many.id}, 500007, 0)`,
    );
    await settle();
    expect(await namesOf(many.id)).toEqual(['Tag 500007']);
    expect(await onTerms(many.id)).toEqual([expect.stringMatching(/wp_terms/)]);
    expect(await namesOf(many.id)).toEqual(['Tag 500007']);
  });
});
