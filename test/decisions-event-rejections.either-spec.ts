import { REST_BASE_URL } from './support/app.js';
import { basic, request } from './support/calendar-client.js';
import { census } from './support/event-rows.js';
import { type DatabaseName, describeEither } from './support/sites.js';
import {
  EVENT,
  openValidWriteFixture,
  openWriteFixture,
  type WriteFixture,
} from './support/write-fixture.js';

const HOME = 'http://calendar.example.org';

/** A trigger that makes every insert into a table fail. */
const rejectInserts = (database: DatabaseName, table: string) =>
  `CREATE TRIGGER refuse BEFORE INSERT ON wp_${table} FOR EACH ROW ${
    database !== 'SQLite' ? "SIGNAL SQLSTATE '45000'" : "BEGIN SELECT RAISE(ABORT, 'refused'); END"
  }`;

describeEither('decisions on rejected event writes, atomicity and bookkeeping', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openValidWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  it('W15: a blank title without content returns 400 empty_content', async () => {
    const id = await fixture.target();
    const blankTitle = { ...EVENT, title: '   ', tags: ['Never made'], venue: { venue: 'Never made' } };
    expect(await fixture.refusal('admin', 'POST', '/events', blankTitle)).toBe('400 empty_content');
    expect(await fixture.refusal('admin', 'PUT', `/events/${id}`, { title: '   ' })).toBe(
      '400 empty_content',
    );
    const described = await fixture.create({ title: '   ', description: 'Words' });
    expect(described).toMatchObject({ title: '', slug: String(described['id']) });
  });

  it.each([
    ['title', 'é'.repeat(32_768)],
    ['excerpt', 'x'.repeat(65_536)],
    ['tags', ['x'.repeat(201)]],
    ['categories', ['x'.repeat(201)]],
  ])('W15: a %s too long for its column returns 400 instead of being cut', async (name, value) => {
    const id = await fixture.target();
    for (const [method, path] of [
      ['POST', '/events'],
      ['PUT', `/events/${id}`],
    ] as const)
      expect(await fixture.refusal('admin', method, path, { ...EVENT, [name]: value })).toMatch(/^400 /);
  });

  it.each(['title', 'excerpt'])(
    'W15: a %s that becomes too long when sanitized returns 400',
    async (name) => {
      const { id } = await fixture.create({}, 'author');
      const rejected = `400 rest_invalid_param ${name}`;
      const text = '&'.repeat(20_000);
      expect(await fixture.refusal('author', 'POST', '/events', { ...EVENT, [name]: text })).toBe(rejected);
      expect(await fixture.refusal('author', 'PUT', `/events/${id}`, { [name]: text })).toBe(rejected);
    },
  );

  it('W15: a slug is truncated to 200 bytes', async () => {
    const { slug } = await fixture.create({ slug: 'é東'.repeat(100) });
    expect(Buffer.byteLength(String(slug))).toBeLessThanOrEqual(200);
    expect(await fixture.create({ title: 'x'.repeat(300) })).toMatchObject({ slug: 'x'.repeat(200) });
  });

  it.each(['postmeta', 'term_relationships', 'tec_events', 'tec_occurrences'])(
    'W16: a write stores nothing when a row of %s cannot be written',
    async (table) => {
      fixture.app.nest.useLogger(false);
      const { id } = await fixture.create();
      const before = { counts: await census(fixture.ask), rows: await fixture.rows(id) };
      const fields = {
        ...EVENT,
        title: 'Half',
        cost: '5',
        categories: ['Half made'],
        venue: { venue: 'Half made' },
      };
      await fixture.ask(rejectInserts(database, table));
      try {
        expect(await fixture.send('admin', 'POST', '/events', fields)).toMatchObject({
          status: 500,
          body: { code: 'internal_server_error' },
        });
        if (!table.startsWith('tec_'))
          expect((await fixture.send('admin', 'PUT', `/events/${id}`, fields)).status).toBe(500);
      } finally {
        await fixture.ask('DROP TRIGGER refuse');
      }
      expect({ counts: await census(fixture.ask), rows: await fixture.rows(id) }).toEqual(before);
      expect(await fixture.update(id, fields)).toMatchObject({ title: 'Half', cost: '$5' });
    },
  );

  it.each<[string, unknown]>([
    ['title', { a: 1 }],
    ['description', ['x']],
    ['excerpt', [['x']]],
    ['slug', ['x']],
    ['status', ['publish']],
    ['author', [1]],
    ['date', ['2091-01-01']],
    ['date_utc', { a: '2091-01-01' }],
    ['start_date', ['2091-05-01']],
    ['end_date', { date: '2091-05-01' }],
    ['timezone', { name: 'UTC' }],
    ['all_day', [true]],
    ['image', ['4']],
    ['cost', [[1]]],
    ['cost', { min: { value: 1 } }],
    ['website', ['https://example.com/']],
    ['show_map', { a: true }],
    ['sticky', [1]],
    ['categories', [[2]]],
    ['tags', [{ name: 'x' }]],
    ['venue', [[9]]],
    ['venue', [{ foo: 1 }]],
    ['venue', { id: [9] }],
    ['venue', { venue: ['A hall'] }],
    ['venue', { venue: 'A hall', city: { name: 'Lyon' } }],
    ['organizer', [[35]]],
    ['organizer', ['abc']],
    ['organizer', [{ organizer: 'Somebody', email: ['a@example.org'] }]],
  ])('W18: %s rejects %j with 400', async (name, value) => {
    const id = await fixture.target();
    const rejected = `400 rest_invalid_param ${name}`;
    expect(await fixture.refusal('admin', 'POST', '/events', { ...EVENT, [name]: value })).toBe(rejected);
    expect(await fixture.refusal('admin', 'PUT', `/events/${id}`, { [name]: value })).toBe(rejected);
  });

  it('errors are listed in declaration order, with the password of an update first', async () => {
    const id = await fixture.target();
    const invalid = { organizer: 'x', status: 'x', author: 0, password: '' };
    const rejected = '400 rest_invalid_param password author status organizer';
    expect(await fixture.refusal('admin', 'PUT', `/events/${id}`, invalid)).toBe(rejected);
  });

  it('W20: the login after 20 failed ones returns 429', async () => {
    const before = await census(fixture.ask);
    const login = (password: string) =>
      request(fixture.app.url, 'POST', '/events', basic('subscriber1', password), EVENT);
    for (let attempt = 1; attempt <= 20; attempt++)
      expect(await login(`wrong ${attempt}`)).toMatchObject({
        status: 401,
        body: { code: 'incorrect_password' },
      });
    const { status, body, headers } = await login('wrong again');
    expect([status, body['code']]).toEqual([429, 'too_many_attempts']);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await census(fixture.ask)).toEqual(before);
    expect(await fixture.refusal('contributor', 'DELETE', '/events/53')).toBe('403 rest_forbidden');
  });

  it('W21: events lose one layer of backslashes and terms keep theirs', async () => {
    const text = String.raw`a\b c\\d`;
    const event = await fixture.create({ title: text, description: text, excerpt: text });
    const stored = String.raw`ab c\d`;
    expect(await fixture.rows(event['id'])).toMatchObject({
      'post.post_title': stored,
      'post.post_content': stored,
      'post.post_excerpt': stored,
    });
    const updated = await fixture.update(event['id'], { title: text });
    expect(updated['title']).toBe(stored);
    expect((await fixture.send('admin', 'POST', '/tags', { name: text })).body).toMatchObject({ name: text });
  });

  const revisions = (id: unknown) =>
    fixture.ask(`SELECT ID AS id, post_title AS title, guid, post_status AS status, post_name AS name
                FROM wp_posts WHERE post_type = 'revision' AND post_parent = ${id} ORDER BY ID`);

  it('W22: guid, revisions, old slugs and old dates are stored as recorded', async () => {
    const event = await fixture.create({
      title: 'First words',
      slug: 'first-slug',
      date: '2090-01-02 00:00:00',
    });
    const { id } = event;
    expect((await fixture.rows(id))['post.guid']).toBe(`${HOME}/event/first-slug/`);
    expect(await revisions(id)).toEqual([]);
    await fixture.update(id, { title: 'Second words', slug: 'second-slug', date: '2090-01-03' });
    await fixture.update(id, { cost: '5' });
    await fixture.update(id, { title: 'Third words', slug: 'first-slug', date: '2090-01-02' });
    const stored = await revisions(id);
    expect(stored.map(({ title }) => title)).toEqual(['Second words', 'Third words']);
    for (const revision of stored)
      expect(revision).toMatchObject({
        name: `${id}-revision-v1`,
        status: 'inherit',
        guid: `${HOME}/?p=${revision['id']}`,
      });
    expect(await fixture.rows(id)).toMatchObject({
      'post.guid': `${HOME}/event/first-slug/`,
      'meta._wp_old_slug': ['second-slug'],
      'meta._wp_old_date': ['2090-01-03'],
    });
    const draft = await fixture.create({ status: 'draft' });
    const guid = (ampersand: string) => `${HOME}/?post_type=tribe_events${ampersand}p=${draft['id']}`;
    expect((await fixture.rows(draft['id']))['post.guid']).toBe(guid('&'));
    await fixture.update(draft['id'], { title: 'Still a draft' });
    expect((await fixture.rows(draft['id']))['post.guid']).toBe(guid('&#038;'));
  });

  it('W22: a sticky event gets a revision and the current modification date', async () => {
    const { id, modified } = await fixture.create({ sticky: true, date: '2090-01-02 00:00:00' });
    expect(modified).toMatch(/^2091-03-01 /);
    expect(await revisions(id)).toHaveLength(1);
  });

  it('W22: trashing an event without a revision creates one', async () => {
    const title = 'Kept in the trash';
    const [one, other] = [await fixture.create({ title }), await fixture.create({ title })];
    await fixture.update(other['id'], { cost: '5' });
    for (const { id } of [one, other]) {
      expect((await fixture.send('admin', 'DELETE', `/events/${id}`)).status).toBe(200);
      expect(await revisions(id)).toMatchObject([{ title, status: 'inherit' }]);
    }
  });

  it('W22: trashing stores the meta that a restore needs and updates counts and the calendar range', async () => {
    const microtime = async (name: string) => {
      const [row] = await fixture.ask(
        `SELECT option_value AS value FROM wp_options WHERE option_name = '${name}'`,
      );
      return Number(row?.['value']);
    };
    const saved = () => microtime('tribe_last_save_post');
    const optionsSaved = () => microtime('tribe_last_updated_option');
    const categoryCount = async () =>
      Number((await fixture.send('admin', 'GET', '/categories/2')).body['count']);
    const [savedBefore, countBefore] = [await saved(), await categoryCount()];
    const optionsBefore = await optionsSaved();
    await fixture.create();
    expect(await optionsSaved()).toBe(optionsBefore);
    const { id, slug } = await fixture.create({ categories: [2], end_date: '2199-01-01' });
    expect(await categoryCount()).toBe(countBefore + 1);
    // The latest date of the calendar range changes.
    const optionsAfter = await optionsSaved();
    expect(optionsAfter).toBeGreaterThan(optionsBefore);
    const before = await fixture.rows(id);
    const { status, body } = await fixture.send('admin', 'DELETE', `/events/${id}`);
    expect([status, body['status'], body['slug']]).toEqual([200, 'trash', `${slug}__trashed`]);
    expect(await categoryCount()).toBe(countBefore);
    const after = await fixture.rows(id);
    expect(after).toMatchObject({
      'meta._wp_trash_meta_status': ['publish'],
      'meta._wp_desired_post_slug': [slug],
      'meta._tribe_ignored_event_previous_status': ['publish'],
      terms: before['terms'],
    });
    for (const name of Object.keys(before).filter((key) => /^(event|occurrence)\./.test(key)))
      expect(after[name]).toEqual(before[name]);
    expect(await saved()).toBeGreaterThan(savedBefore);
    expect(await optionsSaved()).toBeGreaterThan(optionsAfter);
    expect(await fixture.refusal('admin', 'DELETE', `/events/${id}`)).toBe('410 event-is-in-trash');
  });

  it('W22: restoring a record deletes its trash meta', async () => {
    for (const [path, body] of [
      ['events', EVENT],
      ['organizers', { organizer: 'There and back' }],
    ] as const) {
      const { id } = (await fixture.send('admin', 'POST', `/${path}`, body)).body;
      const metas = async () =>
        Object.keys(await fixture.rows(id))
          .filter((name) => name.startsWith('meta._wp_'))
          .toSorted();
      await fixture.send('admin', 'DELETE', `/${path}/${id}`);
      // Trashed records can be updated.
      await fixture.send('admin', 'PATCH', `/${path}/${id}`, { description: 'Changed' });
      expect(await metas()).toEqual([
        'meta._wp_desired_post_slug',
        'meta._wp_trash_meta_status',
        'meta._wp_trash_meta_time',
      ]);
      const { body: restored } = await fixture.send('admin', 'PATCH', `/${path}/${id}`, {
        status: 'publish',
      });
      expect(restored['status']).toBe('publish');
      expect(await metas()).toEqual(['meta._wp_old_slug']);
    }
  });

  it('W22: deleting an event with EMPTY_TRASH_DAYS=0 removes all its rows and returns the former record', async () => {
    const site = await openValidWriteFixture(database, { EMPTY_TRASH_DAYS: '0', DATABASE_POOL_SIZE: '1' });
    try {
      const before = await census(site.ask);
      const { id, slug } = await site.create({ categories: [2], tags: [20], venue: 9, cost: '5' });
      await site.update(id, { title: 'With a revision' });
      const { status, body } = await site.send('admin', 'DELETE', `/events/${id}`);
      expect([status, body['id'], body['slug']]).toEqual([200, id, slug]);
      expect(await census(site.ask)).toEqual(before);
    } finally {
      await site.close();
    }
  });

  describe('W22: taxonomies of plugins', () => {
    const GENRE = 900001;
    const LINKS = 900002;

    const addTerms = async ({ ask }: WriteFixture) => {
      for (const [id, taxonomy] of [
        [GENRE, 'genre'],
        [LINKS, 'link_category'],
      ]) {
        await ask(`INSERT INTO wp_terms (term_id, name, slug) VALUES (${id}, '${taxonomy}', '${taxonomy}')`);
        await ask(
          `INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, count)
           VALUES (${id}, ${id}, '${taxonomy}', '', 5)`,
        );
      }
      return {
        give: async (id: unknown) => {
          for (const term of [GENRE, LINKS])
            await ask(
              `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (${id}, ${term})`,
            );
        },
        of: async (id: unknown) => {
          const rows = await ask(
            `SELECT term_taxonomy_id AS x FROM wp_term_relationships WHERE object_id = ${id} ORDER BY 1`,
          );
          return rows.map(({ x }) => Number(x));
        },
        counts: async () => {
          const rows = await ask(
            'SELECT count FROM wp_term_taxonomy WHERE term_id > 900000 ORDER BY term_id',
          );
          return rows.map(({ count: categoryCount }) => Number(categoryCount));
        },
      };
    };

    it('lose relationships of a deleted record, except those of links, users and terms with its id', async () => {
      const site = await openWriteFixture(database, undefined, { EMPTY_TRASH_DAYS: '0' });
      try {
        const terms = await addTerms(site);
        const termsAfterDelete = async (
          path: string,
          body: object,
          extraInsert?: (id: unknown) => string,
        ) => {
          const { id } = (await site.send('admin', 'POST', `/${path}`, body)).body;
          await terms.give(id);
          if (extraInsert) await site.ask(extraInsert(id));
          expect((await site.send('admin', 'DELETE', `/${path}/${id}`)).status).toBe(200);
          return terms.of(id);
        };
        const event = { ...EVENT, tags: [20], categories: [2] };
        expect(await termsAfterDelete('events', event)).toEqual([LINKS]);
        expect(await termsAfterDelete('venues', { venue: 'To go' })).toEqual([LINKS]);
        expect(await terms.counts()).toEqual([3, 5]);
        for (const insert of [
          (id: unknown) => `INSERT INTO wp_users (ID, user_login) VALUES (${id}, 'of-its-number')`,
          (id: unknown) =>
            `INSERT INTO wp_terms (term_id, name, slug) VALUES (${id}, 'Of its number', 'of-it')`,
        ])
          expect(await termsAfterDelete('events', event, insert)).toEqual([GENRE, LINKS]);
        expect(await terms.counts()).toEqual([3, 5]);
      } finally {
        await site.close();
      }
    });

    it('count published records', async () => {
      const terms = await addTerms(fixture);
      const { id } = await fixture.create();
      await terms.give(id);
      await fixture.send('admin', 'DELETE', `/events/${id}`);
      expect(await terms.counts()).toEqual([4, 5]);
      await fixture.update(id, { status: 'publish' });
      expect(await terms.counts()).toEqual([5, 5]);
      await fixture.update(id, { status: 'draft' });
      expect(await terms.counts()).toEqual([4, 5]);
    });
  });

  it('W23: rest_url uses REST_BASE_URL whatever the permalink structure', async () => {
    const pretty = await fixture.create({ slug: 'linked' });
    const rest_url = (event: Record<string, unknown>) =>
      `${REST_BASE_URL}/cal/events/v1/events/${event['id']}`;
    expect(pretty).toMatchObject({ rest_url: rest_url(pretty), url: `${HOME}/event/linked/` });
    const plainSite = await openWriteFixture(database, async (ask) => {
      await ask("UPDATE wp_options SET option_value = '' WHERE option_name = 'permalink_structure'");
    });
    try {
      const plain = await plainSite.create({ slug: 'linked' });
      expect(plain).toMatchObject({ rest_url: rest_url(plain), url: `${HOME}/?tribe_events=linked` });
    } finally {
      await plainSite.close();
    }
  });
});
