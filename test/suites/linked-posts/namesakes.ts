import type { Caller } from '../../support/calendar-client.js';
import { differences } from '../../support/event-rows.js';
import { type LinkedPostFixture, type LinkedPostResource, unused } from '../../support/linked-post-site.js';

/** Creating a venue or organizer whose name exists (W9). */
export function declareNamesakes(
  ground: () => LinkedPostFixture,
  { plural, word, prefix, linkKey }: LinkedPostResource,
): void {
  describe('W9: a name that exists', () => {
    it('gives the record of that name, which takes the meta that was sent and nothing else', async () => {
      const { make, rows } = ground();
      const name = unused();
      const first = await make({ [word]: name, phone: '1', website: 'https://example.org/', image: '4' });
      const before = await rows(first.id);
      const again = await make({
        [word]: name.toUpperCase(),
        phone: '2',
        status: 'draft',
        date: '2020-01-01 00:00:00',
        author: 2,
      });
      expect(again).toMatchObject({ ...first, phone: '2' });
      expect(differences(before, await rows(first.id))).toEqual([`meta.${prefix}Phone`]);
    });

    it('is left alone by who may not edit it', async () => {
      const { make, rows } = ground();
      const name = unused();
      const first = await make({ [word]: name, phone: '1' });
      const [before, saved] = [await rows(first.id), await ground().lastSave()];
      for (const caller of ['contributor', 'author'] as const)
        expect(await make({ [word]: name, phone: '9', image: '5' }, caller)).toEqual(first);
      expect(await rows(first.id)).toEqual(before);
      expect(await ground().lastSave()).toEqual(saved);
    });

    it('counts only what the caller may read, and not what is in the trash', async () => {
      const { make, send } = ground();
      const name = unused();
      const hidden = await make({ [word]: name, status: 'private' });
      const own = await make({ [word]: name }, 'contributor');
      expect(own.id).not.toBe(hidden.id);
      expect((await make({ [word]: name }, 'editor')).id).toBe(hidden.id);
      expect((await make({ [word]: name }, 'contributor')).id).toBe(own.id);
      for (const { id } of [hidden, own]) await send('admin', 'DELETE', `/${plural}/${id}`);
      expect([hidden.id, own.id]).not.toContain((await make({ [word]: name })).id);
    });

    it('prefers a published one, then the oldest', async () => {
      const { make, ask } = ground();
      const name = unused();
      const all = [await make({ status: 'draft' }), await make(), await make()].map(({ id }) => id);
      await ask(`UPDATE wp_posts SET post_title = '${name}' WHERE ID IN (${all.join()})`);
      expect((await make({ [word]: name })).id).toBe(all[1]);
    });

    it('compares the description when one is sent', async () => {
      const { make } = ground();
      const name = unused();
      const first = await make({ [word]: name, description: 'One <b>text</b>' });
      expect((await make({ [word]: name })).id).toBe(first.id);
      expect((await make({ [word]: name, description: '' })).id).toBe(first.id);
      expect((await make({ [word]: name, description: 'One <b>text</b>' })).id).toBe(first.id);
      expect((await make({ [word]: name, description: 'Another text' })).id).not.toBe(first.id);
    });

    it('compares names as they are stored: cleaned or not', async () => {
      const { make } = ground();
      const name = `${unused()} & Co`;
      const plain = await make({ [word]: ` ${name} ` });
      const cleaned = await make({ [word]: name }, 'author');
      expect(cleaned.id).toBe(plain.id);
      const other = `${unused()} & Co`;
      const first = await make({ [word]: other }, 'author');
      expect((await make({ [word]: other }, 'author')).id).toBe(first.id);
    });

    it('is made once, however many ask at the same time', async () => {
      const name = unused();
      const all = await Promise.all(Array.from({ length: 6 }, () => ground().make({ [word]: name })));
      expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    });

    it('holds for data in an event', async () => {
      const { make, create, rows } = ground();
      const name = unused();
      const { id } = await make({ [word]: name, phone: '1' });
      const before = await rows(id);
      const data = { [word]: name, phone: '5' };
      const linked = async (caller: Caller) => {
        const event = await create({ [word]: [data] }, caller);
        return (await rows(event['id']))[`meta.${linkKey}`];
      };
      expect(await linked('author')).toEqual([String(id)]);
      expect(differences(before, await rows(id))).toEqual([]);
      expect(await linked('editor')).toEqual([String(id)]);
      expect(differences(before, await rows(id))).toEqual([`meta.${prefix}Phone`]);
    });
  });
}
