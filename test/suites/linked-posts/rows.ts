import { type LinkedPostFixture, type LinkedPostResource, unused } from '../../support/linked-post-site.js';

/** The rows that writing venues and organizers leaves, and their trash (W14–W17, W21, W22). */
export function declareRows(
  ground: () => LinkedPostFixture,
  { plural, word, prefix, linkKey }: LinkedPostResource,
): void {
  describe('the trash', () => {
    it('answers the record, then 410', async () => {
      const { make, send, refusal, rows } = ground();
      const { id, slug, date } = await make();
      const gone = await send('admin', 'DELETE', `/${plural}/by-slug/${slug}`);
      expect(gone.status).toBe(200);
      expect(gone.body).toMatchObject({ id, date, status: 'trash', slug: `${slug}__trashed` });
      expect(gone.body).not.toHaveProperty('json_ld');
      expect(await rows(id)).toMatchObject({
        'meta._wp_trash_meta_status': ['publish'],
        'meta._wp_desired_post_slug': [slug],
      });
      const path = `/${plural}/by-slug/${slug}__trashed`;
      expect(await refusal('admin', 'DELETE', `/${plural}/${id}`)).toBe(`410 ${word}-is-in-trash`);
      expect(await refusal('admin', 'DELETE', path)).toBe(`410 ${word}-is-in-trash`);
    });

    it('W1: an update leaves it there, a status brings it back with its slug', async () => {
      const { make, change, send } = ground();
      const { id, slug } = await make();
      await send('admin', 'DELETE', `/${plural}/${id}`);
      expect(await change(id, { phone: '1' })).toMatchObject({ status: 'trash' });
      expect(await change(id, { status: 'publish' })).toMatchObject({ status: 'publish', slug });
    });

    it('W14: takes only this record out of events, whenever and whatever they are', async () => {
      const { make, create, rows, send, ask } = ground();
      const [one, other] = [await make(), await make()];
      const events = [
        await create({ [word]: [one.id, other.id] }),
        await create({ [word]: one.id, start_date: '2000-01-01 10:00', end_date: '2000-01-01 11:00' }),
        await create({ [word]: [other.id, one.id], status: 'draft' }),
        await create({ [word]: other.id }),
        await create(),
      ].map((event) => Number(event['id']));
      const old = `a:2:{i:0;s:${String(one.id).length}:"${one.id}";i:1;i:${other.id};}`;
      await ask(
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${events[4]}, '${linkKey}', '${old}')`,
      );
      const saved = await ground().lastSave();
      expect((await send('editor', 'DELETE', `/${plural}/${one.id}`)).status).toBe(200);
      const links = await Promise.all(events.map(async (id) => (await rows(id))[`meta.${linkKey}`]));
      const kept = [String(other.id)];
      expect(links).toEqual([kept, undefined, kept, kept, [`a:1:{i:0;i:${other.id};}`]]);
      expect(await ground().lastSave()).not.toEqual(saved);
    });
  });

  it('W16: an error in the middle leaves nothing', async () => {
    const { refusal, ask, make } = ground();
    const { id } = await make({ phone: '1' });
    const raise =
      ground().database !== 'SQLite'
        ? `FOR EACH ROW IF NEW.meta_key = '_tribe_modified_fields' THEN SIGNAL SQLSTATE '45000'; END IF`
        : `WHEN NEW.meta_key = '_tribe_modified_fields' BEGIN SELECT RAISE(ABORT, 'no'); END`;
    for (const when of ['INSERT', 'UPDATE'])
      await ask(`CREATE TRIGGER stop_${when} BEFORE ${when} ON wp_postmeta ${raise}`);
    ground().app.nest.useLogger(false);
    const before = await ground().rows(id);
    try {
      const said = '500 internal_server_error';
      expect(await refusal('admin', 'POST', `/${plural}`, { [word]: unused() })).toBe(said);
      expect(await refusal('admin', 'PUT', `/${plural}/${id}`, { phone: '2', status: 'draft' })).toBe(said);
      expect(await refusal('admin', 'DELETE', `/${plural}/${id}`)).toBe(said);
      expect(await ground().rows(id)).toEqual(before);
    } finally {
      for (const when of ['INSERT', 'UPDATE']) await ask(`DROP TRIGGER stop_${when}`);
    }
  });

  it('W17: an offset in a date is dropped, in a UTC date it is honoured', async () => {
    const { make } = ground();
    expect(await make({ date: '2024-05-06T07:08:09Z' })).toMatchObject({ date: '2024-05-06 07:08:09' });
    expect(await make({ date: '2024-05-06T07:08:09+02:00' })).toMatchObject({ date: '2024-05-06 07:08:09' });
    expect(await make({ date_utc: '2024-05-06T07:08:09+02:00' })).toMatchObject({
      date_utc: '2024-05-06 05:08:09',
      date: '2024-05-06 01:08:09',
    });
    // Seconds are an instant, shown on the site's clock (docs/behaviour/dates.md#publication-dates); an event would
    // take UTC's.
    expect(await make({ date: '1700000000' })).toMatchObject({ date: '2023-11-14 17:13:20' });
  });

  it('W21: one layer of backslashes is removed', async () => {
    const { make, rows } = ground();
    const name = unused('Back\\slash \\\\ it');
    const { id } = await make({ [word]: name, description: 'a\\b\\\\c', phone: '1\\2\\\\3' });
    expect(await rows(id)).toMatchObject({
      'post.post_title': name.replace('Back\\slash \\\\ it', 'Backslash \\ it'),
      'post.post_content': 'ab\\c',
      [`meta.${prefix}Phone`]: ['12\\3'],
    });
  });

  it('W22: rows that nothing reads are there as recorded', async () => {
    const { make, rows, ask } = ground();
    const { id, slug } = await make({
      author: 2,
      date: '2024-05-06T07:08:09Z',
      description: 'A <b>bold</b> text',
    });
    expect(await rows(id)).toMatchObject({
      [`meta.${prefix}Origin`]: ['events-calendar'],
      [`meta.${prefix}post_author`]: ['2'],
      [`meta.${prefix}post_date`]: ['2024-05-06 07:08:09'],
      [`meta.${prefix}post_date_gmt`]: [''],
      [`meta.${prefix}Description`]: ['A bold text'],
      'post.guid': `http://calendar.example.org/${word}/${slug}/`,
    });
    expect(await ask(`SELECT ID FROM wp_posts WHERE post_parent = ${id}`)).toEqual([]);
    const [noted] = await ask(
      `SELECT meta_value FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '_tribe_modified_fields'`,
    );
    expect(noted?.['meta_value']).toContain(`"${prefix}Origin"`);
  });

  it('draft slugs come from the name; pending ones of who may not publish are empty till then', async () => {
    const { make, change } = ground();
    const draft = await make({ status: 'draft' });
    expect(draft.slug).toMatch(/^place-number-\d+$/);
    const pending = await make({ status: 'publish' }, 'contributor');
    expect(pending).toMatchObject({ status: 'pending', slug: 'undefined' });
    expect(String((await change(pending.id, { status: 'publish' }))['slug'])).toMatch(/^place-number-\d+$/);
    const own = await make({ status: 'draft' }, 'contributor');
    expect(await change(own.id, { status: 'publish' }, 'contributor')).not.toHaveProperty('slug');
    const signs = await make({ [word]: '!!!' });
    expect(signs.slug).toBe(String(signs.id));
  });

  it('every write says that something was saved', async () => {
    const { make, change, send } = ground();
    const saves = [await ground().lastSave()];
    const { id } = await make();
    saves.push(await ground().lastSave());
    await change(id, {});
    saves.push(await ground().lastSave());
    await send('admin', 'DELETE', `/${plural}/${id}`);
    saves.push(await ground().lastSave());
    expect(new Set(saves).size).toBe(4);
  });

  it('a protected record stays hidden in answers to writes', async () => {
    const { make, change, ask } = ground();
    const { id } = await make({ description: 'Secret' });
    await ask(`UPDATE wp_posts SET post_password = 'open' WHERE ID = ${id}`);
    expect(await change(`${id}?password=open&context=edit`, { phone: '1' })).toMatchObject({
      [word]: [],
      description: '',
      phone: '',
    });
  });
}
