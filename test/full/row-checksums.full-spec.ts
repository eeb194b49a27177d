import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { Replicas } from '../../src/database/replicas.js';
import { TableVersions } from '../../src/database/table-versions.service.js';
import { rowChecksums } from '../../src/resources/record-cache/row-checksums.query.js';
import { startApp, type TestApp } from '../support/app.js';
import { clientOf } from '../support/calendar-client.js';
import { askOf } from '../support/own-mariadb.js';
import { rawRequest } from '../support/raw-request.js';
import { describeDatabases, makeSite, type Site } from '../support/sites.js';

const PLAIN = '/events?start_date=2077-01-01&end_date=2077-12-31';
const PATHS = ['/events?start_date=2000-01-01&per_page=50', '/venues?per_page=50', '/organizers?per_page=50'];

describeDatabases('cached records after a change', (database) => {
  if (database === 'SQLite') {
    it('are read again, as SQLite has no row checksums', () => expect(database).toBe('SQLite'));
    return;
  }
  let site: Site;
  let caching: TestApp;
  let plain: TestApp;
  let ask: ReturnType<typeof askOf>;

  beforeAll(async () => {
    site = await makeSite(database);
    caching = await startApp({ databaseUrl: site.url });
    plain = await startApp({ databaseUrl: site.url, env: { CACHE: 'off' } });
    ask = askOf(site.url);
    // New tables count as recently changed.
    await sleep(3200);
  });
  afterAll(async () => {
    await caching?.close();
    await plain?.close();
    await site?.drop();
  });

  const text = async (app: TestApp, path: string) =>
    (await rawRequest(app.url, { path: `/cal/events/v1${path}` })).text;
  const texts = (app: TestApp) => Promise.all(PATHS.map((path) => text(app, path)));
  /** A change that no response shows. */
  const changeNothing = async () => {
    await ask("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (999999, 'x', 'y')");
    caching.nest.get(TableVersions).invalidate();
  };
  /** The statements of a response: reads of checksums, and of meta rows. */
  const taken = async (path = PLAIN) => {
    caching.statements();
    const answer = await text(caching, path);
    const { sql } = caching.statements();
    const prints = sql.filter((statement) => statement.includes('SHA2')).length;
    return {
      answer,
      prints,
      reads: sql.filter((statement) => statement.includes('m.meta_key AS name')).length,
    };
  };

  it('are compared by row checksums in one statement, and read again only where these differ', async () => {
    const send = clientOf(caching.url);
    const create = async (path: string, fields: object) =>
      Number((await send('admin', 'POST', path, fields)).body['id']);
    const venue = await create('/venues', { venue: 'A hall', status: 'publish' });
    const times = { start_date: '2077-05-01 10:00:00', end_date: '2077-05-01 12:00:00', venue };
    const ids = [
      await create('/events', { ...times, title: 'One' }),
      await create('/events', { ...times, title: 'Two' }),
    ];
    await taken();
    await changeNothing();
    expect(await taken()).toMatchObject({ prints: 1, reads: 2 });
    await changeNothing();
    expect(await taken()).toMatchObject({ prints: 1, reads: 0, answer: await text(plain, PLAIN) });
    await ask(`UPDATE wp_posts SET post_title = 'Other' WHERE ID = ${ids[1]}`);
    caching.nest.get(TableVersions).invalidate();
    expect(await taken()).toMatchObject({ prints: 1, reads: 2, answer: await text(plain, PLAIN) });
    await changeNothing();
    expect(await taken()).toMatchObject({ prints: 1, reads: 0 });
    // The same applies to own commits.
    await send('admin', 'POST', `/events/${ids[0]}`, { tags: ['New tag'] });
    expect(await taken()).toMatchObject({ prints: 1, reads: 2, answer: await text(plain, PLAIN) });
  });

  it('are rendered for their own route only after one of their rows has changed', async () => {
    const send = clientOf(caching.url);
    const times = { start_date: '2077-07-01 10:00:00', end_date: '2077-07-01 12:00:00' };
    const { body } = await send('admin', 'POST', '/events', { ...times, title: 'Alone' });
    for (const path of [`/events/${body['id']}`, `/events/by-slug/${body['slug']}`]) {
      await taken(path);
      await changeNothing();
      await taken(path);
      await changeNothing();
      expect(await taken(path)).toMatchObject({ prints: 1, reads: 0, answer: await text(plain, path) });
    }
    const path = `/events/${body['id']}`;
    for (const change of [
      `UPDATE wp_posts SET post_title = 'Renamed' WHERE ID = ${body['id']}`,
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${body['id']}, '_EventURL', 'https://other.example.org')`,
      `UPDATE wp_posts SET post_status = 'draft' WHERE ID = ${body['id']}`,
    ]) {
      await ask(change);
      caching.nest.get(TableVersions).invalidate();
      expect(await text(caching, path)).toBe(await text(plain, path));
    }
    expect(await text(caching, path)).toContain('not-accessible');
  });

  it('keep their older version when rows change between the reads of rows and of checksums', async () => {
    const fields = { title: 'First', start_date: '2078-05-01 10:00:00', end_date: '2078-05-01 12:00:00' };
    const { id } = (await clientOf(caching.url)('admin', 'POST', '/events', fields)).body;
    // SQL answers such lists, with rows.
    const path = `/events?start_date=2000-01-01&include=${id}`;
    await text(caching, path);
    await changeNothing();
    await text(caching, path);
    const rename = (title: string) => ask(`UPDATE wp_posts SET post_title = '${title}' WHERE ID = ${id}`);
    await rename('Read by the list');
    caching.nest.get(TableVersions).invalidate();
    const replicas = caching.nest.get(Replicas);
    const query = replicas.query.bind(replicas);
    const spy = jest.spyOn(replicas, 'query').mockImplementation(async (statement, values) => {
      if (statement.includes('SHA2')) await rename('Seen by the fingerprint');
      return query<never>(statement, values);
    });
    expect(await text(caching, path)).toContain('Read by the list');
    spy.mockRestore();
    caching.nest.get(TableVersions).invalidate();
    const last = await text(caching, path);
    expect(last).toContain('Seen by the fingerprint');
    expect(last).toBe(await text(plain, path));
  });

  it('have other checksums when a meta changes of a term that two taxonomies share', async () => {
    const [row] = await ask(`SELECT r.object_id AS id, x.term_id AS term FROM wp_term_relationships r
      JOIN wp_term_taxonomy x ON x.term_taxonomy_id = r.term_taxonomy_id WHERE x.taxonomy = 'tribe_events_cat' LIMIT 1`);
    const { id, term } = row as unknown as { id: number; term: number };
    await ask(`INSERT INTO wp_term_taxonomy (term_id, taxonomy, description) VALUES (${term}, 'post_tag', '');
      INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (${id}, LAST_INSERT_ID());
      INSERT INTO wp_termmeta (term_id, meta_key, meta_value) VALUES (${term}, 'colour', 'red')`);
    const print = async () => (await rowChecksums(caching.nest.get(Database), [id])).get(id);
    const before = await print();
    await ask("UPDATE wp_termmeta SET meta_value = 'blue' WHERE meta_key = 'colour'");
    expect(await print()).not.toBe(before);
    await ask("DELETE FROM wp_termmeta WHERE meta_key = 'colour'");
    await ask(`DELETE r, x FROM wp_term_taxonomy x JOIN wp_term_relationships r ON r.term_taxonomy_id = x.term_taxonomy_id
      WHERE x.term_id = ${term} AND x.taxonomy = 'post_tag'`);
  });

  it('are rendered the same when a linked record with position-dependent blocks is cached', async () => {
    const send = clientOf(caching.url);
    const create = async (path: string, fields: object) =>
      Number((await send('admin', 'POST', path, fields)).body['id']);
    const description = '<!-- wp:paragraph --><p>Blocks.</p><!-- /wp:paragraph -->';
    const venue = await create('/venues', { venue: 'A hall of blocks', description, status: 'publish' });
    const [organizer] = await ask(`SELECT ID FROM wp_posts WHERE post_type = 'tribe_organizer'
      AND post_content LIKE '[caption%' AND post_status = 'publish' LIMIT 1`);
    const times = { start_date: '2078-05-01 10:00:00', end_date: '2078-05-01 12:00:00' };
    const links = { venue, organizer: Number(organizer?.['ID']) };
    for (const title of ['First', 'Second', 'Third']) {
      const id = await create('/events', { ...times, ...links, title });
      for (const path of [`/events/${id}`, `/events/${id}?_fields=organizer`])
        expect(await text(caching, path)).toBe(await text(plain, path));
    }
  });

  it('show every change of their dependencies', async () => {
    const one = async (sql: string) => Number(Object.values((await ask(sql))[0] as object)[0]);
    const linked = (key: string) =>
      one(`SELECT m.meta_value FROM wp_postmeta m JOIN wp_posts p ON p.ID = m.post_id AND p.post_type = 'tribe_events'
        AND p.post_status = 'publish' JOIN wp_posts v ON v.ID = m.meta_value AND v.post_status = 'publish' WHERE m.meta_key = '${key}'`);
    const venue = await linked('_EventVenueID');
    const event = await one(`SELECT m.post_id FROM wp_postmeta m JOIN wp_posts p ON p.ID = m.post_id
      WHERE m.meta_key = '_EventVenueID' AND m.meta_value = ${venue} AND p.post_status = 'publish'`);
    const organizer = await linked('_EventOrganizerID');
    const image = await one("SELECT ID FROM wp_posts WHERE post_type = 'attachment' ORDER BY ID LIMIT 1");
    const term = await one(
      "SELECT term_id FROM wp_term_taxonomy WHERE taxonomy = 'tribe_events_cat' LIMIT 1",
    );
    const changes = [
      `UPDATE wp_posts SET post_title = 'Renamed' WHERE ID = ${event}`,
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${event}, '_EventCost', '77')`,
      `UPDATE wp_postmeta SET meta_value = '78' WHERE post_id = ${event} AND meta_key = '_EventCost'`,
      `UPDATE wp_posts SET post_content = 'A hall.' WHERE ID = ${venue}`,
      `UPDATE wp_postmeta SET meta_value = 'Elsewhere' WHERE post_id = ${venue} AND meta_key = '_VenueCity'`,
      `UPDATE wp_posts SET post_status = 'draft' WHERE ID = ${venue}`,
      `UPDATE wp_posts SET post_status = 'publish' WHERE ID = ${venue}`,
      `UPDATE wp_posts SET post_password = 'secret' WHERE ID = ${organizer}`,
      `UPDATE wp_posts SET post_password = '' WHERE ID = ${organizer}`,
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${event}, '_thumbnail_id', '${image}'), (${event}, '_EventOrganizerID', '888888')`,
      `UPDATE wp_posts SET post_parent = 888888 WHERE ID = ${image}; SET sql_mode = ''; INSERT INTO wp_posts (ID, post_title, post_type, post_status, post_content, post_excerpt, to_ping, pinged, post_content_filtered)
        VALUES (888888, 'Born late', 'tribe_organizer', 'publish', '', '', '', '', '')`,
      `UPDATE wp_posts SET post_status = 'private' WHERE ID = 888888`,
      `UPDATE wp_postmeta SET meta_value = 'gone.jpg' WHERE post_id = ${image} AND meta_key = '_wp_attached_file'`,
      `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id, term_order)
        SELECT ${event}, term_taxonomy_id, 0 FROM wp_term_taxonomy x WHERE taxonomy = 'post_tag' AND NOT EXISTS (SELECT 1
        FROM wp_term_relationships r WHERE r.object_id = ${event} AND r.term_taxonomy_id = x.term_taxonomy_id)`,
      `UPDATE wp_terms SET name = 'Another name' WHERE term_id = ${term}`,
      `DELETE FROM wp_postmeta WHERE post_id = ${event} AND meta_key = '_EventVenueID'`,
      `UPDATE wp_posts SET post_status = 'trash' WHERE ID = ${event}`,
    ];
    let expected = await texts(plain);
    const unseen: string[] = [];
    for (const change of changes) {
      // The checksums are read before it.
      await changeNothing();
      await texts(caching);
      await changeNothing();
      await texts(caching);
      await ask(change);
      caching.nest.get(TableVersions).invalidate();
      const now = await texts(plain);
      const got = await texts(caching);
      const at = now.map((text, list) =>
        [...text].findIndex((letter, place) => letter !== got[list]?.[place]),
      );
      const different = at.map((place, list) =>
        place < 0 ? '' : [now, got].map((texts) => texts[list]?.slice(place - 60, place + 60)),
      );
      expect([change, different]).toEqual([change, at.map(() => '')]);
      if (JSON.stringify(now) === JSON.stringify(expected)) unseen.push(change);
      expected = now;
    }
    expect(unseen).toEqual([]);
  });
});
