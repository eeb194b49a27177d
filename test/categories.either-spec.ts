import { Transactions } from '../src/database/transactions.js';
import { TermWriter } from '../src/wordpress/terms/term-writer.js';
import { declareTermWrites } from './suites/term-writes.js';
import { describeMariadbFirst } from './support/sites.js';
import { fresh, namesOf, useTermSite } from './support/term-site.js';

const TAXONOMY = 'tribe_events_cat';
const [MUSIC, ROCK, PUNK, ARTS] = [2, 3, 4, 6];

describeMariadbFirst('categories', (database) => {
  const site = useTermSite(database, 'categories');
  const { send, make, rows } = site;
  const read = async (id: number) => (await send('anonymous', 'GET', `/categories/${id}`)).body;
  const isTreeCached = async () =>
    (await site.query(`SELECT 1 FROM wp_options WHERE option_name = '${TAXONOMY}_children'`)).length === 1;
  const cacheTree = async () => {
    if (!(await isTreeCached()))
      await site.query(
        `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('${TAXONOMY}_children', 'a:0:{}', 'auto')`,
      );
  };

  declareTermWrites(site, {
    plural: 'categories',
    taxonomy: TAXONOMY,
    core: TAXONOMY,
    writers: ['author', 'editor', 'admin'],
    known: { id: MUSIC, name: 'music', slug: 'music' },
  });

  describe('parent', () => {
    it('is stored, returned and linked', async () => {
      const { body } = await send('author', 'POST', '/categories', { name: fresh(), parent: ROCK });
      expect(body).toMatchObject({
        parent: ROCK,
        url: `http://calendar.example.org/events/category/music/rock-roll/${body['slug']}/`,
        urls: { up: `http://calendar.example.org/wp-json/cal/events/v1/categories/${ROCK}` },
      });
    });

    it.each([9999999, 0, '0', 'x', 'music', 20, -2, 2.5, null, true, [MUSIC], { id: MUSIC }, ''])(
      'W18: rejects %j with 400 and writes nothing',
      async (parent) => {
        const before = await rows();
        const created = await send('admin', 'POST', '/categories', { name: fresh(), parent });
        const moved = await send('admin', 'PATCH', `/categories/${PUNK}`, { parent });
        expect([created, moved].map(({ status, body }) => [status, body['code'], namesOf(body)])).toEqual(
          Array(2).fill([400, 'rest_invalid_param', ['parent']]),
        );
        expect(await rows()).toBe(before);
      },
    );

    it('allows the name and slug of a category with another parent', async () => {
      const { status, body } = await send('admin', 'POST', '/categories', { name: 'Punk', parent: ARTS });
      expect([status, body['slug']]).toEqual([201, 'punk-arts']);
      const repeated = await send('admin', 'POST', '/categories', { name: 'Punk', parent: ARTS });
      expect([repeated.status, repeated.body['additional_data']]).toEqual([400, [body['id'], body['id']]]);
      const other = await send('admin', 'POST', '/categories', { name: 'Other', slug: 'punk', parent: ARTS });
      expect([other.status, other.body['slug']]).toEqual([201, 'punk-arts-2']);
    });

    it('becomes 0 when an update names the category itself or a descendant', async () => {
      const top = await make({ name: fresh(), parent: MUSIC });
      const below = await make({ name: fresh(), parent: top });
      const lowest = await make({ name: fresh(), parent: below });
      expect((await send('admin', 'PUT', `/categories/${top}`, { parent: lowest })).body['parent']).toBe(0);
      expect((await send('admin', 'PUT', `/categories/${below}`, { parent: below })).body['parent']).toBe(0);
      expect(await read(lowest)).toMatchObject({ parent: below });
    });

    it('allows a taken slug when the parent changes', async () => {
      const id = await make({ name: fresh() });
      const conflicting = await send('admin', 'PATCH', `/categories/${id}`, { slug: 'punk', parent: 0 });
      expect(conflicting.body['code']).toBe('rest_invalid_param');
      const moved = await send('admin', 'PATCH', `/categories/${id}`, { slug: 'punk', parent: MUSIC });
      expect([moved.status, moved.body['slug'], moved.body['parent']]).toEqual([200, 'punk-music', MUSIC]);
      const repeated = await send('admin', 'PATCH', `/categories/${id}`, { slug: 'punk', parent: MUSIC });
      expect([repeated.status, repeated.body['code']]).toEqual([400, 'duplicate_term_slug']);
    });

    it('adopts the children of a deleted category', async () => {
      const id = await make({ name: fresh(), parent: ARTS });
      const child = await make({ name: fresh(), parent: id });
      const grandchild = await make({ name: fresh(), parent: child });
      await send('admin', 'DELETE', `/categories/${id}`);
      expect([(await read(child))['parent'], (await read(grandchild))['parent']]).toEqual([ARTS, child]);
    });
  });

  describe("PHP's cached category tree", () => {
    it('is deleted when a category is created, moved or deleted', async () => {
      await cacheTree();
      const id = await make({ name: fresh() });
      expect(await isTreeCached()).toBe(false);
      await cacheTree();
      await send('admin', 'PATCH', `/categories/${id}`, { parent: MUSIC });
      expect(await isTreeCached()).toBe(false);
      await cacheTree();
      await send('admin', 'DELETE', `/categories/${id}`);
      expect(await isTreeCached()).toBe(false);
    });

    it('stays when only name or description change', async () => {
      const id = await make({ name: fresh() });
      await cacheTree();
      await send('admin', 'PATCH', `/categories/${id}`, { name: fresh(), description: 'x' });
      expect(await isTreeCached()).toBe(true);
    });
  });

  describe('_embed', () => {
    it.each(['_embed', '_embed=1', '_embed=up', '_embed=x,up'])('%s embeds the parent', async (query) => {
      const { body } = await send('anonymous', 'GET', `/categories/${ROCK}?${query}`);
      expect(body['_embedded']).toEqual({
        up: [
          {
            id: MUSIC,
            link: 'http://calendar.example.org/events/category/music/',
            name: 'Music',
            slug: 'music',
            taxonomy: TAXONOMY,
            _links: (await read(MUSIC))['_links'],
          },
        ],
      });
    });

    it.each([`${MUSIC}?_embed`, `${ROCK}?_embed=author`, `${ROCK}`])(
      'GET %s embeds nothing',
      async (path) => {
        expect((await send('anonymous', 'GET', `/categories/${path}`)).body).not.toHaveProperty('_embedded');
      },
    );
  });

  it('W11: finds categories of an event at any depth and creates unknown ones at the top level', async () => {
    const name = fresh();
    const found = await site
      .service(Transactions)
      .run((transaction) =>
        site
          .service(TermWriter)
          .findOrCreate(transaction, TAXONOMY, ['punk', 'Jazz', 'музыка', name, '2024', 2024], 'en_US'),
      );
    expect(found.slice(0, 3)).toEqual([PUNK, 5, 8]);
    expect(found.slice(4)).toEqual([12]);
    expect(await read(found[3] ?? 0)).toMatchObject({ name, parent: 0 });
  });
});
