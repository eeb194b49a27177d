import { CALLERS, type Caller, userId } from '../../support/calendar-client.js';
import { type LinkedPostFixture, type LinkedPostResource, unused } from '../../support/linked-post-site.js';

/** Permissions to write venues and organizers, and which author and status they allow (W5, W7, W8). */
export function declarePermissions(
  fixture: () => LinkedPostFixture,
  { plural, word }: LinkedPostResource,
): void {
  describe('permissions', () => {
    it.each<[Caller, string]>([
      ['anonymous', '401 rest_forbidden'],
      ['subscriber', '403 rest_forbidden'],
    ])('create by %s is rejected with %s', async (caller, expected) => {
      expect(await fixture().refusal(caller, 'POST', `/${plural}`, { [word]: unused() })).toBe(expected);
    });

    it.each<[Caller, string]>([
      ['contributor', 'draft'],
      ['author', 'publish'],
      ['editor', 'publish'],
      ['admin', 'publish'],
    ])('create by %s stores status %s by default', async (caller, status) => {
      expect(await fixture().make({}, caller)).toMatchObject({ author: String(userId(caller)), status });
    });

    describe.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s', (method) => {
      const body = method === 'DELETE' ? undefined : { phone: '1' };

      it('W5: by slug or id, a record of an admin requires an editor', async () => {
        const { id, slug } = await fixture().make();
        await fixture().unchanged(async () => {
          for (const caller of CALLERS.slice(0, 4)) {
            const expected = [caller, caller === 'anonymous' ? '401 rest_forbidden' : '403 rest_forbidden'];
            for (const path of [id, `by-slug/${slug}`])
              expect([caller, await fixture().refusal(caller, method, `/${plural}/${path}`, body)]).toEqual(
                expected,
              );
          }
        });
      });

      it.each<[Caller, string]>([
        ['contributor', 'draft'],
        ['author', 'publish'],
      ])('are granted to %s for a %s record of their own', async (caller, status) => {
        const { id } = await fixture().make({ status }, caller);
        expect((await fixture().send(caller, method, `/${plural}/${id}`, body)).status).toBe(200);
      });

      it('are denied to a contributor for a published record of their own', async () => {
        const { id } = await fixture().make({ author: userId('contributor') });
        expect(await fixture().refusal('contributor', method, `/${plural}/${id}`, body)).toBe(
          '403 rest_forbidden',
        );
      });

      it.each<Caller>(['editor', 'admin'])(
        'are granted to %s for any record, by id and by slug',
        async (caller) => {
          const [one, other] = [await fixture().make({}, 'author'), await fixture().make({}, 'author')];
          expect((await fixture().send(caller, method, `/${plural}/${one.id}`, body)).status).toBe(200);
          expect(
            (await fixture().send(caller, method, `/${plural}/by-slug/${other.slug}`, body)).status,
          ).toBe(200);
        },
      );

      it('are checked after the id: an unknown one returns 400 to everyone', () =>
        fixture().unchanged(async () => {
          for (const caller of CALLERS) {
            const rejectionOf = async (path: string) => [
              caller,
              await fixture().refusal(caller, method, `/${plural}/${path}`, body),
            ];
            expect(await rejectionOf('9999999')).toEqual([caller, '400 rest_invalid_param id']);
            expect(await rejectionOf('53')).toEqual([caller, '400 rest_invalid_param id']);
            expect(await rejectionOf('by-slug/no-such-thing')).toEqual([
              caller,
              '400 rest_invalid_param slug',
            ]);
            expect(await rejectionOf('by-slug/opening-night')).toEqual([
              caller,
              '400 rest_invalid_param slug',
            ]);
          }
        }));
    });
  });

  describe('W7: another author', () => {
    it.each<Caller>(['contributor', 'author'])(
      'is rejected from %s with 403 rest_cannot_edit_others',
      async (caller) => {
        const { refusal: rejection, make } = fixture();
        const { id } = await make({ status: 'draft' }, caller);
        const fields = { [word]: unused(), author: 1 };
        const expected = '403 rest_cannot_edit_others';
        expect(await rejection(caller, 'POST', `/${plural}`, fields)).toBe(expected);
        expect(await rejection(caller, 'PATCH', `/${plural}/${id}`, { author: 1 })).toBe(expected);
        const event = { title: 'E', start_date: '2091-05-01', end_date: '2091-05-01', [word]: [fields] };
        expect(await rejection(caller, 'POST', '/events', event)).toBe(expected);
        await make({ author: userId(caller) }, caller);
      },
    );

    it('is accepted from an editor', async () => {
      const { make, change } = fixture();
      const { id, author } = await make({ author: 3 }, 'editor');
      expect(author).toBe('3');
      expect(await change(id, { author: '4' }, 'editor')).toMatchObject({ author: '4' });
    });
  });

  describe('W8: the status', () => {
    it.each<[Caller, string, string]>([
      ['contributor', 'draft', 'draft'],
      ['contributor', 'publish', 'pending'],
      ['contributor', 'future', 'pending'],
      ['contributor', 'pending', 'pending'],
      ['contributor', 'private', 'pending'],
      ['author', 'draft', 'draft'],
      ['author', 'publish', 'publish'],
      ['author', 'future', 'publish'],
      ['author', 'pending', 'pending'],
      ['author', 'private', 'private'],
    ])('sent by %s as %s is stored as %s', async (caller, sent, stored) => {
      const { make, change } = fixture();
      expect(await make({ status: sent }, caller)).toMatchObject({ status: stored });
      const { id } = await make({ status: 'draft' }, caller);
      expect(await change(id, { status: sent }, caller)).toMatchObject({ status: stored });
    });

    it('depends on the capability to publish records of this type, not events', async () => {
      const { ask, make } = fixture();
      const metaRow = "wp_usermeta WHERE user_id = 3 AND meta_key = 'wp_capabilities'";
      const [row] = await ask(`SELECT meta_value FROM ${metaRow}`);
      const withoutPublish = `a:2:{s:6:"author";b:1;s:${16 + plural.length - 2}:"publish_tribe_${plural}";b:0;}`;
      const update = (value: unknown) =>
        ask(
          `UPDATE wp_usermeta SET meta_value = '${value}' WHERE user_id = 3 AND meta_key = 'wp_capabilities'`,
        );
      await update(withoutPublish);
      try {
        expect(await make({ status: 'publish' }, 'author')).toMatchObject({ status: 'pending' });
      } finally {
        await update(row?.['meta_value']);
      }
    });
  });
}
