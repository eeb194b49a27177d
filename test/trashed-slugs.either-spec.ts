import { describeEither } from './support/sites.js';
import { openValidWriteFixture, type WriteFixture } from './support/write-fixture.js';

describeEither('slugs in the trash', (database) => {
  let ground: WriteFixture;

  beforeAll(async () => {
    ground = await openValidWriteFixture(database);
  });
  afterAll(() => ground?.close());

  /** An event in the trash under its own slug. */
  const trashed = async (slug: string) => {
    const { id } = await ground.create({ slug });
    await ground.send('admin', 'DELETE', `/events/${id}`);
    await ground.ask(`UPDATE wp_posts SET post_name = '${slug}' WHERE ID = ${id}`);
    await ground.ask(`DELETE FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '_wp_desired_post_slug'`);
    return id;
  };
  const slugOf = async (id: unknown) => (await ground.rows(id))['post.post_name'];

  it('that old versions of WordPress left there give way to a new event, which does not get a number', async () => {
    const old = await trashed('left-there');
    expect(await ground.create({ title: 'Left there' })).toMatchObject({ slug: 'left-there' });
    expect(await ground.rows(old)).toMatchObject({
      'post.post_status': 'trash',
      'post.post_name': 'left-there__trashed',
      'meta._wp_desired_post_slug': ['left-there'],
    });
    // Taken meanwhile, it comes back with a number.
    expect(await ground.update(old, { status: 'publish' })).toMatchObject({ slug: 'left-there-2' });
  });

  it('that they left there give way to one that is renamed, and to nothing else', async () => {
    const [old, other] = [await trashed('renamed'), await trashed('renamed-2')];
    const { id } = await ground.create({ title: 'To be renamed' });
    expect(await ground.update(id, { slug: 'renamed' })).toMatchObject({ slug: 'renamed' });
    expect([await slugOf(old), await slugOf(other)]).toEqual(['renamed__trashed', 'renamed-2']);
    // Drafts share slugs.
    expect(await ground.create({ slug: 'renamed-2', status: 'draft' })).toMatchObject({ slug: 'renamed-2' });
    expect(await slugOf(other)).toBe('renamed-2');
    const venue = await ground.send('admin', 'POST', '/venues', { venue: 'Renamed 2' });
    expect([venue.body['slug'], await slugOf(other)]).toEqual(['renamed-2', 'renamed-2']);
  });

  it('that are sent there are kept for the return', async () => {
    const { id } = await ground.create({ slug: 'before-the-trash' });
    await ground.send('admin', 'DELETE', `/events/${id}`);
    expect(await ground.update(id, { slug: 'after-the-trash' })).toMatchObject({
      status: 'trash',
      slug: 'after-the-trash__trashed',
    });
    expect(await ground.create({ slug: 'after-the-trash' })).toMatchObject({ slug: 'after-the-trash' });
    expect(await ground.update(id, { status: 'publish' })).toMatchObject({ slug: 'after-the-trash-2' });
  });

  it('may be sent back as they are shown, and are nobody’s wish then', async () => {
    const { id } = await ground.create({ slug: 'sent-back' });
    await ground.send('admin', 'DELETE', `/events/${id}`);
    const slug = 'sent-back__trashed';
    expect(await ground.update(id, { title: 'Another', slug })).toMatchObject({ title: 'Another', slug });
    expect(await ground.rows(id)).toMatchObject({ 'meta._wp_desired_post_slug': ['sent-back'] });
    expect(await ground.update(id, { status: 'publish', slug })).toMatchObject({ slug: 'sent-back' });
    expect(await ground.rows(id)).not.toHaveProperty(['meta._wp_desired_post_slug']);
  });

  it('give way to one that is sent with the return', async () => {
    const { id } = await ground.create({ slug: 'not-any-more' });
    await ground.send('admin', 'DELETE', `/events/${id}`);
    expect(await ground.update(id, { status: 'publish', slug: 'another' })).toMatchObject({
      slug: 'another',
    });
    expect(await ground.rows(id)).not.toHaveProperty(['meta._wp_desired_post_slug']);
  });
});
