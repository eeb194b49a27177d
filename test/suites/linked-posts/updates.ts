import { differences } from '../../support/event-rows.js';
import { type LinkedPostFixture, type LinkedPostResource } from '../../support/linked-post-site.js';

type Fields = Record<string, unknown>;

/** What updates of venues and organizers change (W1, W4, W6). */
export function declareUpdates(
  fixture: () => LinkedPostFixture,
  { plural, word, prefix, websiteKey, texts }: LinkedPostResource,
): void {
  describe('W1: an update', () => {
    const modifiedColumns = ['post.post_modified', 'post.post_modified_gmt'];
    const allFields = {
      description: 'About it',
      phone: '+1 2',
      website: 'https://example.org/a',
      image: '4',
      date: '2020-01-02 03:04:05',
    };

    it.each<[string, Fields, string[]]>([
      ['nothing', {}, []],
      ['the name', { [word]: 'Another name' }, ['post.post_title']],
      ['the description', { description: 'New' }, ['post.post_content']],
      ['the phone', { phone: '3' }, [`meta.${prefix}Phone`]],
      ['the website', { website: 'https://example.org/b' }, [`meta.${websiteKey}`]],
      ['the image', { image: '5' }, ['meta._thumbnail_id']],
      ['the author', { author: 2 }, ['post.post_author']],
    ])('changes only %s', async (_, fields, changed) => {
      const { make, change, rows, ask } = fixture();
      const { id } = await make(allFields);
      await ask(
        `UPDATE wp_posts SET post_modified = '2020-01-03 00:00:00', post_modified_gmt = '2020-01-03 00:00:00' WHERE ID = ${id}`,
      );
      const before = await rows(id);
      await change(id, fields);
      expect(differences(before, await rows(id))).toEqual([...changed, ...modifiedColumns].sort());
    });

    it.each(['draft', 'pending', 'private', 'future'])(
      'keeps the status and date of a %s record',
      async (status) => {
        const { make, change } = fixture();
        const dated = status === 'future' ? { date: '2091-06-01 10:00:00' } : {};
        const { id, date } = await make({ status, ...dated });
        expect(await change(id, { phone: '2' })).toMatchObject({ status, date });
      },
    );

    it('of the status alone follows the rules for dates', async () => {
      const { make, change } = fixture();
      const { id } = await make({ status: 'draft' });
      const published = await change(id, { status: 'publish' });
      expect(published).toMatchObject({ status: 'publish' });
      expect(published['date_utc']).not.toBe('0000-00-00 00:00:00');
      expect(await change(id, { status: 'pending' })).toMatchObject({ date_utc: '0000-00-00 00:00:00' });
      expect(await change(id, { status: 'publish', date: '2092-01-01 00:00:00' })).toMatchObject({
        status: 'future',
      });
    });
  });

  describe('W4: an empty string clears', () => {
    it.each(texts)('%s', async (field) => {
      const { make, change } = fixture();
      const { id } = await make({ [field]: field === 'website' ? 'https://example.org/' : 'Some text' });
      expect(await change(id, { [field]: '' })).not.toHaveProperty(field);
    });

    it('the description and the image', async () => {
      const { make, change, rows } = fixture();
      const { id } = await make({ description: 'Text', image: '4' });
      const after = await change(id, { description: '', image: '' });
      expect(after).not.toHaveProperty('description');
      expect(after).not.toHaveProperty('image');
      expect(await rows(id)).not.toHaveProperty(['meta._thumbnail_id']);
    });

    it('the slug, which is then derived from the name', async () => {
      const { make, change } = fixture();
      const { slug } = await make({ [word]: `Made from the name of a ${word}` });
      await change(`by-slug/${slug}`, { slug: `chosen-${word}` });
      expect(await change(`by-slug/chosen-${word}`, { slug: '' })).toMatchObject({ slug });
    });
  });

  describe('W6: a write', () => {
    it('changes the record that the path names and ignores ids in body and query', async () => {
      const { make, send } = fixture();
      const [one, other] = [await make(), await make()];
      const reply = await send('admin', 'PUT', `/${plural}/${one.id}?id=${other.id}`, {
        id: other.id,
        phone: '6',
      });
      expect(reply.body).toMatchObject({ id: one.id, phone: '6' });
      expect((await send('admin', 'GET', `/${plural}/${other.id}`)).body).not.toHaveProperty('phone');
      const deleted = await send('admin', 'DELETE', `/${plural}/${one.id}?id=${other.id}`);
      expect(deleted.body).toMatchObject({ id: one.id, status: 'trash' });
      expect((await send('admin', 'GET', `/${plural}/${other.id}`)).body).toMatchObject({
        status: 'publish',
      });
    });

    it('by slug takes a new slug from the body, makes it unique and remembers the old one (W22)', async () => {
      const { make, send, rows } = fixture();
      const [one, other] = [await make(), await make()];
      const reply = await send('admin', 'PUT', `/${plural}/by-slug/${one.slug}`, { slug: other.slug });
      expect(reply.body).toMatchObject({ id: one.id, slug: `${other.slug}-2` });
      expect(await rows(one.id)).toMatchObject({ 'meta._wp_old_slug': [one.slug] });
    });

    it('by id ignores a slug', async () => {
      const { make, change } = fixture();
      const { id, slug } = await make({ slug: `wanted-${word}` });
      expect(slug).not.toContain('wanted');
      expect(await change(id, { slug: 'wanted' })).toMatchObject({ slug });
    });
  });
}
