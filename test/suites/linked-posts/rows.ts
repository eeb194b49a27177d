import { type LinkedPostFixture, type LinkedPostResource, unused } from '../../support/linked-post-site.js';

/** Rows that writes of venues and organizers store, and their trash (W14–W17, W21, W22). */
export function declareRows(
  fixture: () => LinkedPostFixture,
  { plural, word, prefix, linkKey }: LinkedPostResource,
): void {
  describe('trashing', () => {
    it('returns the record, then 410', async () => {
      const { make, send, refusal: rejection, rows } = fixture();
      const { id, slug, date } = await make();
      const deleted = await send('admin', 'DELETE', `/${plural}/by-slug/${slug}`);
      expect(deleted.status).toBe(200);
      expect(deleted.body).toMatchObject({ id, date, status: 'trash', slug: `${slug}__trashed` });
      expect(deleted.body).not.toHaveProperty('json_ld');
      expect(await rows(id)).toMatchObject({
        'meta._wp_trash_meta_status': ['publish'],
        'meta._wp_desired_post_slug': [slug],
      });
      const path = `/${plural}/by-slug/${slug}__trashed`;
      expect(await rejection('admin', 'DELETE', `/${plural}/${id}`)).toBe(`410 ${word}-is-in-trash`);
      expect(await rejection('admin', 'DELETE', path)).toBe(`410 ${word}-is-in-trash`);
    });

    it('W1: persists through an update, and a status restores the record and its slug', async () => {
      const { make, change, send } = fixture();
      const { id, slug } = await make();
      await send('admin', 'DELETE', `/${plural}/${id}`);
      expect(await change(id, { phone: '1' })).toMatchObject({ status: 'trash' });
      expect(await change(id, { status: 'publish' })).toMatchObject({ status: 'publish', slug });
    });

    it('W14: unlinks only this record, from events of any date and status', async () => {
      const { make, create, rows, send, ask } = fixture();
      const [one, other] = [await make(), await make()];
      const events = [
        await create({ [word]: [one.id, other.id] }),
        await create({ [word]: one.id, start_date: '2000-01-01 10:00', end_date: '2000-01-01 11:00' }),
        await create({ [word]: [other.id, one.id], status: 'draft' }),
        await create({ [word]: other.id }),
        await create(),
      ].map((event) => Number(event['id']));
      const serialized = `a:2:{i:0;s:${String(one.id).length}:"${one.id}";i:1;i:${other.id};}`;
      await ask(
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${events[4]}, '${linkKey}', '${serialized}')`,
      );
      const saved = await fixture().lastSave();
      expect((await send('editor', 'DELETE', `/${plural}/${one.id}`)).status).toBe(200);
      const links = await Promise.all(events.map(async (id) => (await rows(id))[`meta.${linkKey}`]));
      const remaining = [String(other.id)];
      expect(links).toEqual([remaining, undefined, remaining, remaining, [`a:1:{i:0;i:${other.id};}`]]);
      expect(await fixture().lastSave()).not.toEqual(saved);
    });
  });

  it('W16: a failed write stores nothing', async () => {
    const { refusal: rejection, ask, make } = fixture();
    const { id } = await make({ phone: '1' });
    const failure =
      fixture().database !== 'SQLite'
        ? `FOR EACH ROW IF NEW.meta_key = '_tribe_modified_fields' THEN SIGNAL SQLSTATE '45000'; END IF`
        : `WHEN NEW.meta_key = '_tribe_modified_fields' BEGIN SELECT RAISE(ABORT, 'no'); END`;
    for (const when of ['INSERT', 'UPDATE'])
      await ask(`CREATE TRIGGER stop_${when} BEFORE ${when} ON wp_postmeta ${failure}`);
    fixture().app.nest.useLogger(false);
    const before = await fixture().rows(id);
    try {
      const error = '500 internal_server_error';
      expect(await rejection('admin', 'POST', `/${plural}`, { [word]: unused() })).toBe(error);
      expect(await rejection('admin', 'PUT', `/${plural}/${id}`, { phone: '2', status: 'draft' })).toBe(
        error,
      );
      expect(await rejection('admin', 'DELETE', `/${plural}/${id}`)).toBe(error);
      expect(await fixture().rows(id)).toEqual(before);
    } finally {
      for (const when of ['INSERT', 'UPDATE']) await ask(`DROP TRIGGER stop_${when}`);
    }
  });

  it('W17: the UTC offset of date is dropped, and that of date_utc is applied', async () => {
    const { make } = fixture();
    expect(await make({ date: '2024-05-06T07:08:09Z' })).toMatchObject({ date: '2024-05-06 07:08:09' });
    expect(await make({ date: '2024-05-06T07:08:09+02:00' })).toMatchObject({ date: '2024-05-06 07:08:09' });
    expect(await make({ date_utc: '2024-05-06T07:08:09+02:00' })).toMatchObject({
      date_utc: '2024-05-06 05:08:09',
      date: '2024-05-06 01:08:09',
    });
    // A Unix timestamp is shown in the site's time zone (docs/behaviour/dates.md#publication-dates); an event would show
    // UTC.
    expect(await make({ date: '1700000000' })).toMatchObject({ date: '2023-11-14 17:13:20' });
  });

  it('W21: one layer of backslashes is removed', async () => {
    const { make, rows } = fixture();
    const name = unused('Back\\slash \\\\ it');
    const { id } = await make({ [word]: name, description: 'a\\b\\\\c', phone: '1\\2\\\\3' });
    expect(await rows(id)).toMatchObject({
      'post.post_title': name.replace('Back\\slash \\\\ it', 'Backslash \\ it'),
      'post.post_content': 'ab\\c',
      [`meta.${prefix}Phone`]: ['12\\3'],
    });
  });

  it('W22: meta that nothing reads is stored as recorded', async () => {
    const { make, rows, ask } = fixture();
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
    const [modifiedFields] = await ask(
      `SELECT meta_value FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '_tribe_modified_fields'`,
    );
    expect(modifiedFields?.['meta_value']).toContain(`"${prefix}Origin"`);
  });

  it("a draft's slug is derived from its name, and a contributor's pending record has none", async () => {
    const { make, change } = fixture();
    const draft = await make({ status: 'draft' });
    expect(draft.slug).toMatch(/^place-number-\d+$/);
    const pending = await make({ status: 'publish' }, 'contributor');
    expect(pending).toMatchObject({ status: 'pending', slug: 'undefined' });
    expect(String((await change(pending.id, { status: 'publish' }))['slug'])).toMatch(/^place-number-\d+$/);
    const ownDraft = await make({ status: 'draft' }, 'contributor');
    expect(await change(ownDraft.id, { status: 'publish' }, 'contributor')).not.toHaveProperty('slug');
    const punctuation = await make({ [word]: '!!!' });
    expect(punctuation.slug).toBe(String(punctuation.id));
  });

  it('every write updates the time of the last save', async () => {
    const { make, change, send } = fixture();
    const saves = [await fixture().lastSave()];
    const { id } = await make();
    saves.push(await fixture().lastSave());
    await change(id, {});
    saves.push(await fixture().lastSave());
    await send('admin', 'DELETE', `/${plural}/${id}`);
    saves.push(await fixture().lastSave());
    expect(new Set(saves).size).toBe(4);
  });

  it('a password-protected record stays masked in responses to writes', async () => {
    const { make, change, ask } = fixture();
    const { id } = await make({ description: 'Secret' });
    await ask(`UPDATE wp_posts SET post_password = 'open' WHERE ID = ${id}`);
    expect(await change(`${id}?password=open&context=edit`, { phone: '1' })).toMatchObject({
      [word]: [],
      description: '',
      phone: '',
    });
  });
}
