import { type JournalFixture, openJournalFixture } from './support/journal-site.js';
import { describeDatabases } from './support/sites.js';

describeDatabases('the journal of foreign changes', (database) => {
  let fixture: JournalFixture;
  /** An event with a venue and a tag. */
  let event: number;
  let venue: number;
  let tag: number;
  beforeAll(async () => {
    fixture = await openJournalFixture(database);
    const created = await fixture.create({ venue: { venue: 'The hall' }, tags: ['The tag'] });
    event = Number(created['id']);
    venue = Number(Reflect.get(created['venue'] as object, 'id'));
    tag = Number(Reflect.get((created['tags'] as object[])[0] ?? {}, 'id'));
    await fixture.news();
  });
  afterEach(async () => {
    await fixture.check();
  });
  afterAll(() => fixture?.close());

  const ofEvent = (change: string) => `${change} tribe_events ${event} foreign`;

  it.each<[table: string, statement: () => string, entries: () => string[]]>([
    [
      'posts',
      () => `UPDATE wp_posts SET post_title = 'Theirs' WHERE ID = ${event}`,
      () => [ofEvent('updated')],
    ],
    [
      'posts, with a status',
      () => `UPDATE wp_posts SET post_status = 'trash' WHERE ID = ${event}`,
      () => [ofEvent('trashed')],
    ],
    [
      'posts, with the status before',
      () => `UPDATE wp_posts SET post_status = 'publish' WHERE ID = ${event}`,
      () => [ofEvent('restored')],
    ],
    [
      'postmeta, with a new row',
      () =>
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${event}, '_EventURL', 'https://x.example')`,
      () => [ofEvent('updated')],
    ],
    [
      'postmeta, with a changed row',
      () =>
        `UPDATE wp_postmeta SET meta_value = 'https://y.example' WHERE post_id = ${event} AND meta_key = '_EventURL'`,
      () => [ofEvent('updated')],
    ],
    [
      'postmeta, with a deleted row',
      () => `DELETE FROM wp_postmeta WHERE post_id = ${event} AND meta_key = '_EventURL'`,
      () => [ofEvent('updated')],
    ],
    [
      'tec_occurrences',
      () => `UPDATE wp_tec_occurrences SET start_date = '2091-05-01 09:00:00' WHERE post_id = ${event}`,
      () => [ofEvent('rescheduled')],
    ],
    [
      'postmeta, with a featured image',
      () =>
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${event}, '_thumbnail_id', '900001')`,
      () => [ofEvent('updated')],
    ],
    [
      'postmeta, of the featured image',
      () =>
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (900001, '_wp_attached_file', 'other.jpg')`,
      () => [ofEvent('updated')],
    ],
    [
      'posts, of a venue',
      () => `UPDATE wp_posts SET post_title = 'Their hall' WHERE ID = ${venue}`,
      () => [`updated tribe_venue ${venue} foreign`, `updated tribe_events ${event} linked`],
    ],
    [
      'terms',
      () => `UPDATE wp_terms SET name = 'Their tag' WHERE term_id = ${tag}`,
      () => [`updated post_tag ${tag} foreign`, `updated tribe_events ${event} linked`],
    ],
    [
      'term_taxonomy',
      () => `UPDATE wp_term_taxonomy SET description = 'Their text' WHERE term_id = ${tag}`,
      () => [`updated post_tag ${tag} foreign`, `updated tribe_events ${event} linked`],
    ],
    [
      'termmeta',
      () => `INSERT INTO wp_termmeta (term_id, meta_key, meta_value) VALUES (${tag}, 'color', 'red')`,
      () => [`updated post_tag ${tag} foreign`, `updated tribe_events ${event} linked`],
    ],
    [
      'term_relationships',
      () =>
        `DELETE FROM wp_term_relationships WHERE object_id = ${event} AND term_taxonomy_id = (SELECT term_taxonomy_id FROM wp_term_taxonomy WHERE term_id = ${tag})`,
      () => [ofEvent('updated')],
    ],
    ['posts, without the row', () => `DELETE FROM wp_posts WHERE ID = ${event}`, () => [ofEvent('deleted')]],
    [
      'term_taxonomy, without the row',
      () => `DELETE FROM wp_term_taxonomy WHERE term_id = ${tag}`,
      () => [`deleted post_tag ${tag} foreign`],
    ],
  ])('has entries of %s', async (_table, statement, entries) => {
    await fixture.php(statement());
    expect(await fixture.newsOf(entries().length)).toEqual(entries());
  });

  it('has an entry of a new post, not of an automatic draft', async () => {
    const insert = (id: number, status: string) =>
      fixture.php(`INSERT INTO wp_posts (ID, post_type, post_status, post_title, post_name, post_author, post_content, post_excerpt,
        to_ping, pinged, post_content_filtered) VALUES (${id}, 'tribe_events', '${status}', 'New', 'new', 1, '', '', '', '', '')`);
    await insert(800_001, 'auto-draft');
    await insert(800_002, 'publish');
    expect(await fixture.newsOf(1)).toEqual(['created tribe_events 800002 foreign']);
    await fixture.php("UPDATE wp_posts SET post_status = 'draft' WHERE ID = 800001");
    expect(await fixture.newsOf(1)).toEqual(['created tribe_events 800001 foreign']);
  });

  it('has an entry of an event that showed a record before the first entry of that record', async () => {
    await fixture.php(
      "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (800002, '_EventOrganizerID', '800003')",
    );
    expect(await fixture.newsOf(1)).toEqual(['updated tribe_events 800002 foreign']);
    await fixture.php(`INSERT INTO wp_posts (ID, post_type, post_status, post_title, post_name, post_author, post_content, post_excerpt,
      to_ping, pinged, post_content_filtered) VALUES (800003, 'tribe_organizer', 'publish', 'Host', 'host', 1, '', '', '', '', '')`);
    expect(await fixture.newsOf(2)).toEqual([
      'created tribe_organizer 800003 foreign',
      'updated tribe_events 800002 linked',
    ]);
  });

  it('has no entry of volatile meta, counts, comments, and posts of other types', async () => {
    const meta = (key: string) =>
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (800002, '${key}', '1:1')`;
    for (const statement of [
      meta('_edit_lock'),
      meta('_edit_last'),
      'UPDATE wp_term_taxonomy SET count = count + 1',
      'UPDATE wp_posts SET comment_count = 7 WHERE ID = 800002',
      "UPDATE wp_posts SET post_title = 'A page' WHERE post_type = 'page'",
      "UPDATE wp_posts SET post_title = 'Last' WHERE ID = 800001",
    ])
      await fixture.php(statement);
    expect(await fixture.newsOf(1)).toEqual(['updated tribe_events 800001 foreign']);
  });

  it('has an entry of each of many records whose old rows change alike, and change back', async () => {
    const ids: number[] = [];
    for (let n = 0; n < 8; n++)
      ids.push(Number((await fixture.create({ website: 'https://a.example' }))['id']));
    await fixture.news();
    for (const url of ['https://b.example', 'https://a.example']) {
      await fixture.php(
        `UPDATE wp_postmeta SET meta_value = '${url}' WHERE meta_key = '_EventURL' AND post_id IN (${ids})`,
      );
      expect((await fixture.newsOf(8)).sort()).toEqual(
        ids.map((id) => `updated tribe_events ${id} foreign`).sort(),
      );
    }
  });

  it('has an own write and a foreign one of the same record, whichever comes first', async () => {
    const { id } = await fixture.create();
    await fixture.news();
    await Promise.all([
      fixture.update(id, { title: 'Ours' }),
      fixture.php(`UPDATE wp_posts SET post_excerpt = 'Theirs' WHERE ID = ${id}`),
    ]);
    const known = async () => {
      const [row] = await fixture.ask(
        `SELECT COUNT(*) AS count FROM wp_posts WHERE ID = ${id} AND post_title = 'Ours' AND post_excerpt = 'Theirs'`,
      );
      return Number(row?.['count']);
    };
    expect(await known()).toBe(1);
    const [first] = await fixture.newsOf(1);
    expect(first).toMatch(RegExp(`^updated tribe_events ${id} (almanac|foreign)$`));
    await fixture.php(`UPDATE wp_posts SET post_excerpt = 'Theirs again' WHERE ID = ${id}`);
    expect((await fixture.newsOf(1)).at(-1)).toBe(`updated tribe_events ${id} foreign`);
  });
});
