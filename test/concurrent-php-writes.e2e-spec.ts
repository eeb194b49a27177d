import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import type { Reply } from './support/calendar-client.js';
import { serverMissing } from './support/mariadb.js';
import { SERVER_NAME } from './support/sites.js';
import { EVENT, openValidWriteFixture, type WriteFixture } from './support/write-fixture.js';

/** PHP does not take Almanac's write lock; its transaction commits once Almanac waits for it or has responded. */
(serverMissing() ? describe.skip : describe)('concurrent writes of PHP and Almanac to one record', () => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await openValidWriteFixture(SERVER_NAME);
  });
  afterAll(() => fixture?.close());

  /** Whether a transaction waits for a lock of this connection. */
  const isWaitingFor = async (connection: number) => {
    // InnoDB refreshes INNODB_TRX only after 0.1 s without a query.
    await sleep(120);
    const [waits, waiter, blocker] =
      SERVER_NAME === 'MySQL'
        ? [
            'performance_schema.data_lock_waits',
            'requesting_engine_transaction_id',
            'blocking_engine_transaction_id',
          ]
        : ['information_schema.INNODB_LOCK_WAITS', 'requesting_trx_id', 'blocking_trx_id'];
    const waiting = await fixture.ask(
      `SELECT 1 FROM ${waits}
       JOIN information_schema.INNODB_TRX waiting ON waiting.trx_id = ${waiter}
       JOIN information_schema.INNODB_TRX blocking ON blocking.trx_id = ${blocker}
       WHERE blocking.trx_mysql_thread_id = ${connection}`,
    );
    return waiting.length > 0;
  };

  /** Runs the statements in an open PHP transaction while `send` is pending, then `last`, then commits. */
  async function whilePhpHolds(
    statements: readonly string[],
    send: () => Promise<Reply>,
    last?: string,
  ): Promise<Reply & { waited: boolean }> {
    const php = await createConnection(fixture.databaseUrl);
    try {
      await php.query("SET SESSION sql_mode = ''");
      await php.query('BEGIN');
      for (const statement of statements) await php.query(statement);
      let hasResponded = false;
      const reply = send().finally(() => {
        hasResponded = true;
      });
      let waited = false;
      while (!hasResponded && !waited) waited = await isWaitingFor(php.threadId);
      // The server chooses the victim of a deadlock.
      if (last)
        await php.query(last).catch((error) => expect(error).toMatchObject({ code: 'ER_LOCK_DEADLOCK' }));
      await php.query('COMMIT');
      return { ...(await reply), waited };
    } finally {
      await php.end();
    }
  }

  const metaOf = async (id: unknown, key: string) =>
    (
      await fixture.ask(
        `SELECT meta_value AS value FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '${key}' ORDER BY meta_id`,
      )
    ).map(({ value }) => value);

  it('an update keeps columns of the post that PHP changed', async () => {
    const { id } = await fixture.create({ tags: ['Beside PHP'] });
    const { status, body } = await whilePhpHolds(
      [
        `UPDATE wp_posts SET post_title = 'By PHP', post_content = 'By PHP', post_author = 2 WHERE ID = ${id}`,
      ],
      () => fixture.send('admin', 'PATCH', `/events/${id}`, { excerpt: 'By us' }),
    );
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ title: 'By PHP', author: '2', excerpt: '<p>By us</p>' }),
    ]);
    expect(await fixture.rows(id)).toMatchObject({ 'post.post_content': 'By PHP' });
  });

  it('an update changes a meta row that PHP added instead of duplicating it', async () => {
    const { id } = await fixture.create();
    const { status } = await whilePhpHolds(
      [
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_EventURL', 'http://php.example/')`,
      ],
      () => fixture.send('admin', 'PATCH', `/events/${id}`, { website: 'http://ours.example/' }),
    );
    expect([status, await metaOf(id, '_EventURL')]).toEqual([200, ['http://ours.example/']]);
  });

  it('a meta row that PHP added to an inline venue found by name is not duplicated', async () => {
    const { body } = await fixture.send('admin', 'POST', '/venues', { venue: 'Beside PHP' });
    const { status } = await whilePhpHolds(
      [
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${body['id']}, '_VenueCity', 'Bonn')`,
      ],
      () =>
        fixture.send('admin', 'POST', '/events', { ...EVENT, venue: { venue: 'Beside PHP', city: 'Rome' } }),
    );
    expect([status, await metaOf(body['id'], '_VenueCity')]).toEqual([201, ['Rome']]);
  });

  it('deleting an event that PHP trashed returns 410 and decrements counts once', async () => {
    const { id } = await fixture.create({ tags: ['Trashed beside'] });
    const { status } = await whilePhpHolds(
      [
        `UPDATE wp_posts SET post_status = 'trash', post_name = 'an-event-x__trashed' WHERE ID = ${id}`,
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_wp_trash_meta_status', 'publish')`,
        "UPDATE wp_term_taxonomy JOIN wp_terms USING (term_id) SET count = count - 1 WHERE name = 'Trashed beside'",
      ],
      () => fixture.send('admin', 'DELETE', `/events/${id}`),
    );
    expect([status, await metaOf(id, '_wp_trash_meta_status')]).toEqual([410, ['publish']]);
  });

  it('updating an event that PHP deleted permanently returns 404', async () => {
    const { id } = await fixture.create();
    const deletions = [
      'posts WHERE ID',
      'postmeta WHERE post_id',
      'tec_events WHERE post_id',
      'tec_occurrences WHERE post_id',
    ];
    const { status, body } = await whilePhpHolds(
      deletions.map((rows) => `DELETE FROM wp_${rows} = ${id}`),
      () =>
        fixture.send('admin', 'PATCH', `/events/${id}`, {
          title: 'Too late',
          website: 'http://ours.example/',
        }),
    );
    expect([status, body['code']]).toEqual([404, 'rest-event-not-found']);
  });

  it('a new event gets another slug when PHP untrashes the owner of the slug it requests', async () => {
    const { id } = await fixture.create({ slug: 'wanted-twice' });
    await fixture.send('admin', 'DELETE', `/events/${id}`);
    // Old versions of WordPress did not add the suffix __trashed.
    await fixture.ask(`UPDATE wp_posts SET post_name = 'wanted-twice' WHERE ID = ${id}`);
    const { status, body } = await whilePhpHolds(
      [`UPDATE wp_posts SET post_status = 'publish' WHERE ID = ${id}`],
      () => fixture.send('admin', 'POST', '/events', { ...EVENT, slug: 'wanted-twice' }),
    );
    expect([status, body['slug']]).toEqual([201, 'wanted-twice-2']);
    expect(await fixture.rows(id)).toMatchObject({
      'post.post_status': 'publish',
      'post.post_name': 'wanted-twice',
    });
  });

  it('publishing an event does not publish its draft venue that PHP trashed', async () => {
    const venue = await fixture.send('admin', 'POST', '/venues', { venue: 'Draft hall', status: 'draft' });
    const { id } = await fixture.create({ venue: venue.body['id'] });
    const { status } = await whilePhpHolds(
      [
        `UPDATE wp_posts SET post_status = 'trash' WHERE ID = ${venue.body['id']}`,
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${venue.body['id']}, '_wp_trash_meta_status', 'draft')`,
      ],
      () => fixture.send('admin', 'PATCH', `/events/${id}`, { status: 'publish' }),
    );
    const [row] = await fixture.ask(
      `SELECT post_status AS status FROM wp_posts WHERE ID = ${venue.body['id']}`,
    );
    expect([status, row]).toEqual([200, { status: 'trash' }]);
  });

  it('trashing a venue keeps event links that PHP pointed at another venue', async () => {
    const venue = await fixture.send('admin', 'POST', '/venues', { venue: 'To be trashed' });
    const { id } = await fixture.create({ venue: venue.body['id'] });
    const { status } = await whilePhpHolds(
      [`UPDATE wp_postmeta SET meta_value = '9' WHERE post_id = ${id} AND meta_key = '_EventVenueID'`],
      () => fixture.send('admin', 'DELETE', `/venues/${venue.body['id']}`),
    );
    expect([status, await metaOf(id, '_EventVenueID')]).toEqual([200, ['9']]);
  });

  it('an update keeps term columns that PHP changed', async () => {
    const { body } = await fixture.send('admin', 'POST', '/categories', { name: 'Before PHP' });
    const { status } = await whilePhpHolds(
      [
        `UPDATE wp_terms SET name = 'By PHP' WHERE term_id = ${body['id']}`,
        `UPDATE wp_term_taxonomy SET description = 'By PHP' WHERE term_id = ${body['id']}`,
      ],
      () => fixture.send('admin', 'PATCH', `/categories/${body['id']}`, { slug: 'ours' }),
    );
    const category = await fixture.send('admin', 'GET', `/categories/${body['id']}`);
    expect([status, category.body]).toEqual([
      200,
      expect.objectContaining({ name: 'By PHP', description: 'By PHP', slug: 'ours' }),
    ]);
  });

  it('a write succeeds after a deadlock with PHP', async () => {
    const { id } = await fixture.create({ website: 'http://before.example/' });
    const { status } = await whilePhpHolds(
      [`UPDATE wp_postmeta SET meta_value = '9' WHERE post_id = ${id} AND meta_key = '_EventOrigin'`],
      () =>
        fixture.send('admin', 'PATCH', `/events/${id}`, { website: 'http://ours.example/', title: 'Ours' }),
      `UPDATE wp_posts SET post_excerpt = 'By PHP' WHERE ID = ${id}`,
    );
    const rows = await fixture.rows(id);
    expect([status, rows['post.post_title'], rows['meta._EventURL']]).toEqual([
      200,
      'Ours',
      ['http://ours.example/'],
    ]);
  });

  it('a write does not wait for rows of other records that PHP holds', async () => {
    const [{ id }, other] = [await fixture.create(), await fixture.create()];
    const { status, waited } = await whilePhpHolds(
      [
        `UPDATE wp_posts SET post_title = 'Another' WHERE ID = ${other['id']}`,
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${other['id']}, 'x', ''), (53, 'x', '')`,
      ],
      () => fixture.send('admin', 'PATCH', `/events/${id}`, { title: 'Ours', cost: '5' }),
    );
    expect([status, waited]).toEqual([200, false]);
  });

  it('a write accepts rows that PHP inserted first', async () => {
    const { id } = await fixture.create();
    const tag = await fixture.send('admin', 'POST', '/tags', { name: 'Added first' });
    const [{ x: relationId } = { x: 0 }] = await fixture.ask(
      `SELECT term_taxonomy_id AS x FROM wp_term_taxonomy WHERE term_id = ${tag.body['id']}`,
    );
    const dates = "'2091-05-01 10:00:00'";
    await fixture.ask(`DELETE FROM wp_tec_events WHERE post_id = ${id}`);
    await fixture.ask(`DELETE FROM wp_tec_occurrences WHERE post_id = ${id}`);
    const related = await whilePhpHolds(
      [
        `INSERT INTO wp_term_relationships VALUES (${id}, ${relationId}, 0)`,
        `UPDATE wp_term_taxonomy SET count = 1 WHERE term_taxonomy_id = ${relationId}`,
      ],
      () => fixture.send('admin', 'PATCH', `/events/${id}`, { tags: [tag.body['id']] }),
    );
    const dated = await whilePhpHolds(
      [
        `INSERT INTO wp_tec_events (post_id, start_date, end_date, start_date_utc, end_date_utc, hash)
         VALUES (${id}, ${dates}, ${dates}, ${dates}, ${dates}, '')`,
      ],
      () => fixture.send('admin', 'PATCH', `/events/${id}`, { all_day: true }),
    );
    expect([related.status, dated.status]).toEqual([200, 200]);
  });
});
