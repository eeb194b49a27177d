import { Transactions } from '../src/database/transactions.js';
import { TermWriter } from '../src/wordpress/terms/term-writer.js';
import { declareTermWrites } from './suites/term-writes.js';
import { describeMariadbFirst } from './support/sites.js';
import { fresh, useTermSite } from './support/term-site.js';

const TAXONOMY = 'post_tag';
/** A published event of the recorded site. */
const EVENT = 53;

describeMariadbFirst('tags', (database) => {
  const site = useTermSite(database, 'tags');
  const { send, make, rows } = site;

  declareTermWrites(site, {
    plural: 'tags',
    taxonomy: TAXONOMY,
    core: 'tags',
    writers: ['editor', 'admin'],
    known: { id: 21, name: 'indoor', slug: 'indoor' },
  });

  it.each(['POST /tags', 'PATCH /tags/20'])(
    'reject a parent in %s with 400 rest_taxonomy_not_hierarchical and write nothing',
    async (route) => {
      const [method = '', path = ''] = route.split(' ');
      const before = await rows();
      const { status, body } = await send('admin', method, path, { name: fresh(), parent: 21 });
      expect([status, body['code']]).toEqual([400, 'rest_taxonomy_not_hierarchical']);
      expect(await rows()).toBe(before);
    },
  );

  it('accept the name of a category', async () => {
    const { status, body } = await send('editor', 'POST', '/tags', { name: 'Music' });
    expect([status, body['slug']]).toEqual([201, 'music']);
  });

  it('accept names that differ only in accents', async () => {
    const { status, body } = await send('editor', 'POST', '/tags', { name: 'Café' });
    expect([status, body['code']]).toEqual([400, 'term_exists']);
    expect((await send('editor', 'POST', '/tags', { name: 'Cafe' })).body['slug']).toBe('cafe-2');
  });

  it('R11: are sorted by ascending id under orderby=none', async () => {
    const idsOf = async (order: string) => {
      const { body } = await send('anonymous', 'GET', `/tags?hide_empty=0&include=23,20,22&orderby=${order}`);
      return (body['tags'] as { id: number }[]).map(({ id }) => id);
    };
    expect(await idsOf('none')).toEqual([20, 22, 23]);
    expect(await idsOf('none&order=desc')).toEqual([20, 22, 23]);
    expect(await idsOf('id&order=desc')).toEqual([23, 22, 20]);
  });

  describe('W11: tags of an event', () => {
    const findOrCreate = (items: (number | string)[]) =>
      site
        .service(Transactions)
        .run((transaction) => site.service(TermWriter).findOrCreate(transaction, TAXONOMY, items, 'en_US'));

    it('are found by id, name or slug', async () => {
      const before = await rows();
      expect(
        await findOrCreate([21, '22', ' 23 ', 'Outdoor', 'R&B', 'r-and-b', 'free entry', '90s']),
      ).toEqual([21, 22, 23, 20, 27, 24, 32]);
      expect(await rows()).toBe(before);
    });

    it('are created once for each unknown name', async () => {
      const name = fresh('Brand <b>new</b>');
      const [first, ...more] = await findOrCreate([name, name.toUpperCase(), '', ' ', name]);
      expect(more).toEqual([]);
      expect((await send('anonymous', 'GET', `/tags/${first}`)).body).toMatchObject({
        name: name.replace(/<.*?>/g, ''),
        count: 0,
      });
    });

    it('are omitted for ids that name no tag', async () => {
      const before = await rows();
      // 3 is a category.
      expect(await findOrCreate([9999999, '9999998', 3, 1.5, -1, '99999999999999999999'])).toEqual([]);
      expect(await rows()).toBe(before);
    });

    it('are found by a numeric name sent as a string', async () => {
      const id = await make({ name: '2026' });
      expect(await findOrCreate(['2026'])).toEqual([id]);
      expect(await findOrCreate([2026])).toEqual([]);
    });

    it('are not created when one is rejected', async () => {
      const before = await rows();
      await expect(findOrCreate([fresh(), 'x'.repeat(201)])).rejects.toMatchObject({
        code: 'db_insert_error',
      });
      expect(await rows()).toBe(before);
    });
  });

  describe('assigned tags', () => {
    const inTransaction = <T>(
      work: (writer: TermWriter, transaction: Parameters<TermWriter['assign']>[0]) => T,
    ) => site.service(Transactions).run(async (transaction) => work(site.service(TermWriter), transaction));
    const assign = (post: number, ids: number[]) =>
      inTransaction((writer, transaction) => writer.assign(transaction, post, TAXONOMY, ids));
    const count = async (id: number) => (await send('anonymous', 'GET', `/tags/${id}`)).body['count'];
    const assignedIds = async () =>
      (
        await site.query<{ id: number }>(
          `SELECT x.term_id AS id FROM wp_term_relationships r
           JOIN wp_term_taxonomy x ON x.term_taxonomy_id = r.term_taxonomy_id
           WHERE r.object_id = ${EVENT} AND x.taxonomy = '${TAXONOMY}' ORDER BY 1`,
        )
      ).map(({ id }) => Number(id));

    it('replace the previous ones and are counted', async () => {
      const [one, two] = [await make({ name: fresh() }), await make({ name: fresh() })];
      const categories = await site.query(`SELECT * FROM wp_term_relationships WHERE object_id = ${EVENT}`);
      const before = await assignedIds();
      await assign(EVENT, [one, 3, 9999999]);
      expect([await assignedIds(), await count(one), await count(two)]).toEqual([[one], 1, 0]);
      await assign(EVENT, [two, one]);
      expect([await assignedIds(), await count(one), await count(two)]).toEqual([[one, two], 1, 1]);
      await assign(EVENT, before);
      expect([await assignedIds(), await count(one), await count(two)]).toEqual([before, 0, 0]);
      const after = await site.query(`SELECT * FROM wp_term_relationships WHERE object_id = ${EVENT}`);
      expect(after).toEqual(categories);
    });

    it('count published events only', async () => {
      const id = await make({ name: fresh() });
      const other = await make({ name: fresh() });
      await assign(EVENT, [...(await assignedIds()), id]);
      const update = async (fields: Record<string, unknown>) => {
        expect((await send('admin', 'PUT', `/events/${EVENT}`, fields)).status).toBe(200);
        return [await count(id), await count(other)];
      };
      expect(await update({ status: 'draft' })).toEqual([0, 0]);
      expect(await update({ status: 'private', tags: [other] })).toEqual([0, 0]);
      expect(await update({ status: 'publish', tags: [id] })).toEqual([1, 0]);
      expect(await update({ status: 'draft', tags: [id, other] })).toEqual([0, 0]);
      expect(await update({ status: 'publish' })).toEqual([1, 1]);
      expect(await update({ tags: [id] })).toEqual([1, 0]);
      await send('admin', 'DELETE', `/events/${EVENT}`);
      expect([await count(id), await count(other)]).toEqual([0, 0]);
      expect(await update({ status: 'publish', tags: [id] })).toEqual([1, 0]);
      const { body } = await send('admin', 'DELETE', `/tags/${id}`);
      expect(body['count']).toBe(1);
      expect(await assignedIds()).not.toContain(id);
    });
  });
});
