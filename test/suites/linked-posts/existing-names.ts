import type { Caller } from '../../support/calendar-client.js';
import { differences } from '../../support/event-rows.js';
import { type LinkedPostFixture, type LinkedPostResource, unused } from '../../support/linked-post-site.js';

/** Creating a venue or organizer whose name exists (W9). */
export function declareExistingNames(
  fixture: () => LinkedPostFixture,
  { plural, word, prefix, linkKey }: LinkedPostResource,
): void {
  describe('W9: a create with an existing name', () => {
    it('returns the existing record and updates only the meta sent', async () => {
      const { make, rows } = fixture();
      const name = unused();
      const first = await make({ [word]: name, phone: '1', website: 'https://example.org/', image: '4' });
      const before = await rows(first.id);
      const repeated = await make({
        [word]: name.toUpperCase(),
        phone: '2',
        status: 'draft',
        date: '2020-01-01 00:00:00',
        author: 2,
      });
      expect(repeated).toMatchObject({ ...first, phone: '2' });
      expect(differences(before, await rows(first.id))).toEqual([`meta.${prefix}Phone`]);
    });

    it('leaves a record unchanged that the caller may not edit', async () => {
      const { make, rows } = fixture();
      const name = unused();
      const first = await make({ [word]: name, phone: '1' });
      const [before, saved] = [await rows(first.id), await fixture().lastSave()];
      for (const caller of ['contributor', 'author'] as const)
        expect(await make({ [word]: name, phone: '9', image: '5' }, caller)).toEqual(first);
      expect(await rows(first.id)).toEqual(before);
      expect(await fixture().lastSave()).toEqual(saved);
    });

    it('ignores records that the caller may not read and trashed ones', async () => {
      const { make, send } = fixture();
      const name = unused();
      const hidden = await make({ [word]: name, status: 'private' });
      const ownDraft = await make({ [word]: name }, 'contributor');
      expect(ownDraft.id).not.toBe(hidden.id);
      expect((await make({ [word]: name }, 'editor')).id).toBe(hidden.id);
      expect((await make({ [word]: name }, 'contributor')).id).toBe(ownDraft.id);
      for (const { id } of [hidden, ownDraft]) await send('admin', 'DELETE', `/${plural}/${id}`);
      expect([hidden.id, ownDraft.id]).not.toContain((await make({ [word]: name })).id);
    });

    it('prefers a published record, then the oldest', async () => {
      const { make, ask } = fixture();
      const name = unused();
      const all = [await make({ status: 'draft' }), await make(), await make()].map(({ id }) => id);
      await ask(`UPDATE wp_posts SET post_title = '${name}' WHERE ID IN (${all.join()})`);
      expect((await make({ [word]: name })).id).toBe(all[1]);
    });

    it('compares the description when one is sent', async () => {
      const { make } = fixture();
      const name = unused();
      const first = await make({ [word]: name, description: 'One <b>text</b>' });
      expect((await make({ [word]: name })).id).toBe(first.id);
      expect((await make({ [word]: name, description: '' })).id).toBe(first.id);
      expect((await make({ [word]: name, description: 'One <b>text</b>' })).id).toBe(first.id);
      expect((await make({ [word]: name, description: 'Another text' })).id).not.toBe(first.id);
    });

    it('compares names in their stored form, sanitized or not', async () => {
      const { make } = fixture();
      const name = `${unused()} & Co`;
      const unsanitized = await make({ [word]: ` ${name} ` });
      const sanitized = await make({ [word]: name }, 'author');
      expect(sanitized.id).toBe(unsanitized.id);
      const other = `${unused()} & Co`;
      const first = await make({ [word]: other }, 'author');
      expect((await make({ [word]: other }, 'author')).id).toBe(first.id);
    });

    it('creates one record for concurrent requests', async () => {
      const name = unused();
      const all = await Promise.all(Array.from({ length: 6 }, () => fixture().make({ [word]: name })));
      expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    });

    it('applies to inline records of an event', async () => {
      const { make, create, rows } = fixture();
      const name = unused();
      const { id } = await make({ [word]: name, phone: '1' });
      const before = await rows(id);
      const data = { [word]: name, phone: '5' };
      const linkedIds = async (caller: Caller) => {
        const event = await create({ [word]: [data] }, caller);
        return (await rows(event['id']))[`meta.${linkKey}`];
      };
      expect(await linkedIds('author')).toEqual([String(id)]);
      expect(differences(before, await rows(id))).toEqual([]);
      expect(await linkedIds('editor')).toEqual([String(id)]);
      expect(differences(before, await rows(id))).toEqual([`meta.${prefix}Phone`]);
    });
  });
}
