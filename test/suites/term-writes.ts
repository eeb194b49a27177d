import { CALLERS } from '../support/calendar-client.js';
import { fresh, namesOf, REFUSED_FIELDS, type TermSite } from '../support/term-site.js';

/** The differences between categories and tags for their shared tests. */
export interface TermKind {
  plural: 'categories' | 'tags';
  taxonomy: string;
  /** Path in the wp/v2 namespace. */
  core: string;
  /** Roles that may write; all others are rejected. */
  writers: readonly string[];
  /** A term of the recorded site. */
  known: { id: number; name: string; slug: string };
}

/** Declares the tests of creating, updating and deleting that categories and tags share. */
export function declareTermWrites(site: TermSite, kind: TermKind): void {
  const { plural, taxonomy, core, writers, known } = kind;
  const { send, make, rows } = site;
  const rejection = (caller: string) => (caller === 'anonymous' ? 401 : 403);
  const row = async (id: number) =>
    (
      await site.query<Record<string, unknown>>(
        `SELECT t.name, t.slug, x.taxonomy, x.description, x.parent, x.count FROM wp_terms t
         JOIN wp_term_taxonomy x ON x.term_id = t.term_id WHERE t.term_id = ${id}`,
      )
    )[0];

  describe('permissions', () => {
    it.each(CALLERS)('a create by %s succeeds for writers only', async (caller) => {
      const before = await rows();
      const { status, body } = await send(caller, 'POST', `/${plural}`, { name: fresh() });
      if (writers.includes(caller)) return expect(status).toBe(201);
      expect([status, body['code']]).toEqual([rejection(caller), 'rest_forbidden']);
      expect(await rows()).toBe(before);
    });

    it.each(CALLERS.flatMap((caller) => ['POST', 'PUT', 'PATCH'].map((method) => ({ caller, method }))))(
      'an update with $method by $caller succeeds for writers only',
      async ({ caller, method }) => {
        const id = await make({ name: fresh() });
        const before = await rows();
        const { status, body } = await send(caller, method, `/${plural}/${id}`, { description: 'new' });
        if (writers.includes(caller)) return expect([status, body['description']]).toEqual([200, 'new']);
        expect([status, body['code']]).toEqual([rejection(caller), 'rest_forbidden']);
        expect(await rows()).toBe(before);
      },
    );

    it.each(CALLERS)('a delete by %s succeeds for writers only', async (caller) => {
      const id = await make({ name: fresh() });
      const before = await rows();
      const { status, body } = await send(caller, 'DELETE', `/${plural}/${id}`);
      if (writers.includes(caller)) return expect([status, await row(id)]).toEqual([200, undefined]);
      expect([status, body['code']]).toEqual([rejection(caller), 'rest_forbidden']);
      expect(await rows()).toBe(before);
    });

    it('are checked after parameters and ids', async () => {
      const invalid = await send('anonymous', 'POST', `/${plural}`, { name: '' });
      const unknownId = await send('anonymous', 'PATCH', `/${plural}/9999999`, { name: 'X' });
      const deleted = await send('anonymous', 'DELETE', `/${plural}/9999999`);
      expect([invalid, unknownId, deleted].map(({ status }) => status)).toEqual([400, 400, 400]);
    });
  });

  describe('create', () => {
    it('returns the term with links and Location', async () => {
      const name = fresh('Rock & "Roll"');
      const { status, headers, body } = await send('editor', 'POST', `/${plural}`, {
        name,
        description: '<b onclick="x">b</b><p>p</p>',
        slug: `${name} slug`,
      });
      const id = Number(body['id']);
      expect([status, headers.get('location'), headers.get('allow')]).toEqual([
        201,
        `http://calendar.example.org/wp-json/wp/v2/${core}/${id}`,
        'GET, POST',
      ]);
      const rendered = await send('editor', 'GET', `/${plural}/${id}`);
      expect(body).toEqual(rendered.body);
      expect(await row(id)).toEqual({
        name: name.replace('&', '&amp;'),
        slug: expect.stringMatching(/^rock-roll-number-\d+-slug$/),
        taxonomy,
        description: '<b>b</b>p',
        parent: 0,
        count: 0,
      });
    });

    it.each<[string, Record<string, unknown>, string, string[]]>([
      ['without a name', { slug: 'x' }, 'rest_missing_callback_param', ['name']],
      ['W18: name null', { name: null }, 'rest_missing_callback_param', ['name']],
      ...REFUSED_FIELDS,
    ])('rejects fields: %s', async (_title, fields, code, params) => {
      const before = await rows();
      const { status, body } = await send('admin', 'POST', `/${plural}`, fields);
      expect([status, body['code']]).toEqual([400, code]);
      expect(namesOf(body)).toEqual(params);
      expect(await rows()).toBe(before);
    });

    it('rejects an existing name with 400 term_exists', async () => {
      const before = await rows();
      const { status, body } = await send('admin', 'POST', `/${plural}`, { name: known.name });
      expect([status, body]).toEqual([
        400,
        {
          code: 'term_exists',
          message: expect.any(String),
          data: { status: 400, term_id: known.id },
          additional_data: [known.id, known.id],
        },
      ]);
      expect(await rows()).toBe(before);
    });

    it('W15: accepts names of 200 characters, whatever their bytes', async () => {
      const id = await make({ name: '日'.repeat(200) });
      expect(await row(id)).toMatchObject({ name: '日'.repeat(200), slug: '%e6%97%a5'.repeat(22) });
    });

    it('numbers a taken slug', async () => {
      const id = await make({ name: fresh(), slug: known.slug });
      expect((await row(id))?.['slug']).toBe(`${known.slug}-2`);
    });

    it('uses the id as slug when the name yields none', async () => {
      const id = await make({ name: '!!!' });
      expect((await row(id))?.['slug']).toBe(String(id));
    });

    it('W21: keeps backslashes', async () => {
      const id = await make({ name: String.raw`a\b \'${fresh()}`, description: String.raw`c\d \"` });
      expect(await row(id)).toMatchObject({
        name: expect.stringContaining(String.raw`a\b \'`),
        description: String.raw`c\d \"`,
      });
    });

    it('W16: concurrent creates with one name create one term', async () => {
      const name = fresh();
      const replies = await Promise.all(
        Array.from({ length: 6 }, () => send('admin', 'POST', `/${plural}`, { name })),
      );
      const [first, ...more] = replies.filter(({ status }) => status === 201);
      expect(more).toEqual([]);
      const rejected = replies.filter(({ status }) => status === 400);
      expect(rejected.map(({ body }) => [body['code'], body['additional_data']])).toEqual(
        Array(5).fill(['term_exists', [first?.body['id'], first?.body['id']]]),
      );
    });
  });

  describe('update', () => {
    it('W1: changes only the fields sent', async () => {
      const name = fresh();
      const id = await make({ name, description: 'old', slug: `${name} s` });
      const before = await row(id);
      const { status, body } = await send('admin', 'PATCH', `/${plural}/${id}`, { description: 'new' });
      expect([status, body]).toEqual([200, (await send('admin', 'GET', `/${plural}/${id}`)).body]);
      expect(await row(id)).toEqual({ ...before, description: 'new' });
      await send('admin', 'PUT', `/${plural}/${id}`, { name: 'Other & name', slug: `Other ${name}` });
      expect(await row(id)).toEqual({
        ...before,
        description: 'new',
        name: 'Other &amp; name',
        slug: expect.stringMatching(/^other-term-number/),
      });
    });

    it('changes nothing without fields', async () => {
      const id = await make({ name: fresh() });
      const before = await rows();
      expect((await send('admin', 'POST', `/${plural}/${id}`, {})).status).toBe(200);
      expect(await rows()).toBe(before);
    });

    it.each<[string, Record<string, unknown>, string, string[]]>([
      ['W18: name null', { name: null }, 'rest_invalid_param', ['name']],
      ['a slug that is taken', { slug: known.slug.toUpperCase() }, 'duplicate_term_slug', []],
      ...REFUSED_FIELDS,
    ])('rejects fields: %s', async (_title, fields, code, params) => {
      const id = await make({ name: fresh() });
      const before = await rows();
      const { status, body } = await send('admin', 'PATCH', `/${plural}/${id}`, fields);
      expect([status, body['code']]).toEqual([400, code]);
      expect(namesOf(body)).toEqual(params);
      expect(await rows()).toBe(before);
    });

    it('allows the name of another term', async () => {
      const id = await make({ name: fresh() });
      expect((await send('admin', 'POST', `/${plural}/${id}`, { name: known.name })).status).toBe(200);
    });

    it('derives the slug from the name when the sent one is empty', async () => {
      const id = await make({ name: fresh('Sluggish') });
      await send('admin', 'POST', `/${plural}/${id}`, { slug: '!!!', name: known.slug });
      expect((await row(id))?.['slug']).toMatch(new RegExp(`^${known.slug}-\\d+$`));
    });

    it('W6: changes the term that the path names', async () => {
      const id = await make({ name: fresh() });
      await send('admin', 'PATCH', `/${plural}/${id}?id=${known.id}`, { id: known.id, description: 'mine' });
      expect((await row(id))?.['description']).toBe('mine');
      expect((await row(known.id))?.['description']).not.toBe('mine');
    });

    it('rejects an unknown id with 400', async () => {
      const { status, body } = await send('admin', 'PUT', `/${plural}/9999999`, { name: 'X' });
      expect([status, body['code'], namesOf(body)]).toEqual([400, 'rest_invalid_param', ['id']]);
    });
  });

  describe('delete', () => {
    it('returns the former term, then 400', async () => {
      const id = await make({ name: fresh() });
      const { _links, ...rendered } = (await send('admin', 'GET', `/${plural}/${id}`)).body;
      const { status, body } = await send('admin', 'DELETE', `/${plural}/${id}?force=false`);
      expect([status, body]).toEqual([200, rendered]);
      const repeated = await send('admin', 'DELETE', `/${plural}/${id}`);
      const read = await send('admin', 'GET', `/${plural}/${id}`);
      expect([repeated, read].map((reply) => [reply.status, namesOf(reply.body)])).toEqual([
        [400, ['id']],
        [400, ['id']],
      ]);
    });

    it('deletes relationships and meta of the term', async () => {
      const id = await make({ name: fresh() });
      const before = await rows();
      const other = await make({ name: fresh() });
      const [relation] = await site.query<{ x: number }>(
        `SELECT term_taxonomy_id AS x FROM wp_term_taxonomy WHERE term_id = ${other}`,
      );
      await site.query(
        `INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (53, ${relation?.x})`,
      );
      await site.query(`INSERT INTO wp_termmeta (term_id, meta_key, meta_value) VALUES (${other}, 'k', 'v')`);
      await send('admin', 'DELETE', `/${plural}/${other}`);
      expect(await rows()).toBe(before);
      expect(await row(id)).toBeDefined();
    });

    it('keeps a taxonomy row that shares the term', async () => {
      const id = await make({ name: fresh() });
      await site.query(
        `INSERT INTO wp_term_taxonomy (term_id, taxonomy, description) VALUES (${id}, 'category', '')`,
      );
      await send('admin', 'DELETE', `/${plural}/${id}`);
      expect(await row(id)).toMatchObject({ taxonomy: 'category' });
    });
  });
}
