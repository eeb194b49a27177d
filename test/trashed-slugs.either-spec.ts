import { describeEither } from './support/sites.js';
import { openValidWriteFixture, type WriteFixture } from './support/write-fixture.js';

describeEither('slugs in the trash', (database) => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await openValidWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  /** Creates an event in the trash under its own slug. */
  const trashed = async (slug: string) => {
    const { id } = await fixture.create({ slug });
    await fixture.send('admin', 'DELETE', `/events/${id}`);
    await fixture.ask(`UPDATE wp_posts SET post_name = '${slug}' WHERE ID = ${id}`);
    await fixture.ask(`DELETE FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '_wp_desired_post_slug'`);
    return id;
  };
  const slugOf = async (id: unknown) => (await fixture.rows(id))['post.post_name'];

  it('left by old versions of WordPress are renamed for a new event, which gets no number', async () => {
    const old = await trashed('left-there');
    expect(await fixture.create({ title: 'Left there' })).toMatchObject({ slug: 'left-there' });
    expect(await fixture.rows(old)).toMatchObject({
      'post.post_status': 'trash',
      'post.post_name': 'left-there__trashed',
      'meta._wp_desired_post_slug': ['left-there'],
    });
    // Another event has the slug now, so the restored one gets a number.
    expect(await fixture.update(old, { status: 'publish' })).toMatchObject({ slug: 'left-there-2' });
  });

  it('left by old versions of WordPress are renamed for a renamed event, not for drafts or venues', async () => {
    const [old, other] = [await trashed('renamed'), await trashed('renamed-2')];
    const { id } = await fixture.create({ title: 'To be renamed' });
    expect(await fixture.update(id, { slug: 'renamed' })).toMatchObject({ slug: 'renamed' });
    expect([await slugOf(old), await slugOf(other)]).toEqual(['renamed__trashed', 'renamed-2']);
    // Drafts share slugs.
    expect(await fixture.create({ slug: 'renamed-2', status: 'draft' })).toMatchObject({ slug: 'renamed-2' });
    expect(await slugOf(other)).toBe('renamed-2');
    const venue = await fixture.send('admin', 'POST', '/venues', { venue: 'Renamed 2' });
    expect([venue.body['slug'], await slugOf(other)]).toEqual(['renamed-2', 'renamed-2']);
  });

  it('sent for a trashed event are stored for its restoration', async () => {
    const { id } = await fixture.create({ slug: 'before-the-trash' });
    await fixture.send('admin', 'DELETE', `/events/${id}`);
    expect(await fixture.update(id, { slug: 'after-the-trash' })).toMatchObject({
      status: 'trash',
      slug: 'after-the-trash__trashed',
    });
    expect(await fixture.create({ slug: 'after-the-trash' })).toMatchObject({ slug: 'after-the-trash' });
    expect(await fixture.update(id, { status: 'publish' })).toMatchObject({ slug: 'after-the-trash-2' });
  });

  it('sent back as rendered do not count as requested slugs', async () => {
    const { id } = await fixture.create({ slug: 'sent-back' });
    await fixture.send('admin', 'DELETE', `/events/${id}`);
    const slug = 'sent-back__trashed';
    expect(await fixture.update(id, { title: 'Another', slug })).toMatchObject({ title: 'Another', slug });
    expect(await fixture.rows(id)).toMatchObject({ 'meta._wp_desired_post_slug': ['sent-back'] });
    expect(await fixture.update(id, { status: 'publish', slug })).toMatchObject({ slug: 'sent-back' });
    expect(await fixture.rows(id)).not.toHaveProperty(['meta._wp_desired_post_slug']);
  });

  it('are replaced by one that is sent with the restoration', async () => {
    const { id } = await fixture.create({ slug: 'not-any-more' });
    await fixture.send('admin', 'DELETE', `/events/${id}`);
    expect(await fixture.update(id, { status: 'publish', slug: 'another' })).toMatchObject({
      slug: 'another',
    });
    expect(await fixture.rows(id)).not.toHaveProperty(['meta._wp_desired_post_slug']);
  });
});
