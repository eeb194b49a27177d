import { userId } from '../../support/calendar-client.js';
import { type LinkedPostFixture, type LinkedPostResource, unused } from '../../support/linked-post-site.js';

/**
 * Revisions that updates create, and the order of meta rows (docs/behaviour/writes.md#revisions and
 * docs/behaviour/storage.md#meta-of-venues-and-organizers).
 */
export function declareRevisions(
  fixture: () => LinkedPostFixture,
  { plural, word, prefix }: LinkedPostResource,
): void {
  const revisions = (id: number) =>
    fixture().ask(`SELECT * FROM wp_posts WHERE post_type = 'revision' AND post_parent = ${id} ORDER BY ID`);
  const titles = async (id: number) => (await revisions(id)).map((row) => row['post_title']);

  describe('revisions', () => {
    it('are created by the first update and by updates of name or text only', async () => {
      const { make, change } = fixture();
      const { id } = await make({ description: 'First text' });
      const [first, second] = [unused(), unused()];
      expect(await titles(id)).toEqual([]);
      await change(id, { phone: '1', [word]: first });
      expect(await titles(id)).toEqual([first]);
      await change(id, { phone: '2' });
      await change(id, { status: 'draft', [word]: first });
      expect(await titles(id)).toEqual([first]);
      await change(id, { [word]: second });
      await change(id, { description: 'Second text' });
      expect(await titles(id)).toEqual([first, second, second]);
      await change(id, { description: '' });
      expect((await revisions(id)).map((row) => row['post_content'])).toEqual([
        'First text',
        'First text',
        'Second text',
        '',
      ]);
    });

    it('are created by an update of meta when there is none yet', async () => {
      const { make, change } = fixture();
      const { id, [word]: name } = await make();
      await change(id, { phone: '1' });
      expect(await titles(id)).toEqual([name]);
    });

    it('are stored as recorded, with the caller as author', async () => {
      const { make, change } = fixture();
      const { id } = await make({
        author: userId('author'),
        date: '2024-05-06 07:08:09',
        description: 'Words',
      });
      await change(id, { [word]: 'Kept words' }, 'editor');
      const [revision, ...more] = await revisions(id);
      expect(more).toEqual([]);
      expect(revision).toMatchObject({
        post_author: userId('editor'),
        post_title: 'Kept words',
        post_content: 'Words',
        post_excerpt: '',
        post_status: 'inherit',
        comment_status: 'closed',
        ping_status: 'closed',
        post_password: '',
        post_name: `${id}-revision-v1`,
        post_parent: id,
        guid: `http://calendar.example.org/?p=${revision?.['ID']}`,
        menu_order: 0,
        post_mime_type: '',
      });
      // The site's time zone is America/New_York.
      expect(String(revision?.['post_date'])).toMatch(/^2091-03-01 05:/);
      expect(String(revision?.['post_date_gmt'])).toMatch(/^2091-03-01 10:/);
      expect(revision).toMatchObject({
        post_modified: revision?.['post_date'],
        post_modified_gmt: revision?.['post_date_gmt'],
      });
    });

    it('are created by trashing when there is none yet', async () => {
      const { make, change, send } = fixture();
      const [one, other] = [await make(), await make()];
      await change(other.id, { phone: '1' });
      for (const { id, [word]: name } of [one, other]) {
        expect((await send('admin', 'DELETE', `/${plural}/${id}`)).status).toBe(200);
        expect(await titles(id)).toEqual([name]);
      }
    });

    it('are not created by rejected writes or by creates that find a record by name', async () => {
      const { make, refusal: rejection, send } = fixture();
      const { id, [word]: name } = await make();
      const path = `/${plural}/${id}`;
      expect(await rejection('admin', 'PUT', path, { author: 0 })).toBe('400 rest_invalid_param author');
      expect(await rejection('contributor', 'DELETE', path)).toBe('403 rest_forbidden');
      const { status, body } = await send('admin', 'POST', `/${plural}`, { [word]: name, phone: '5' });
      expect([status, body['id'], body['phone']]).toEqual([201, id, '5']);
      expect(await titles(id)).toEqual([]);
    });
  });

  it('the meta row of the image precedes those of the texts on create and update', async () => {
    const { make, change, ask } = fixture();
    const keys = async (id: number) =>
      (await ask(`SELECT meta_key AS k FROM wp_postmeta WHERE post_id = ${id} ORDER BY meta_id`)).map(
        ({ k }) => String(k),
      );
    const created = await keys((await make({ phone: '1', image: '5' })).id);
    expect(created.slice(created.indexOf('_thumbnail_id'))).toEqual([
      '_thumbnail_id',
      ...created.filter((key) => key.startsWith(`${prefix}post_`)),
      `${prefix}Phone`,
      ...created.filter((key) => key === '_VenueStateProvince'),
    ]);
    const { id } = await make();
    await change(id, { phone: '1', image: '5' });
    expect((await keys(id)).slice(-2)).toEqual(['_thumbnail_id', `${prefix}Phone`]);
  });
}
