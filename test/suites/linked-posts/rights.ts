import { CALLERS, type Caller, userId } from '../../support/calendar-client.js';
import { type LinkedPostFixture, type LinkedPostResource, unused } from '../../support/linked-post-site.js';

/** Who may write venues and organizers, with which author and status (W5, W7, W8). */
export function declareRights(ground: () => LinkedPostFixture, { plural, word }: LinkedPostResource): void {
  describe('who may', () => {
    it.each<[Caller, string]>([
      ['anonymous', '401 rest_forbidden'],
      ['subscriber', '403 rest_forbidden'],
    ])('create: not %s', async (caller, said) => {
      expect(await ground().refusal(caller, 'POST', `/${plural}`, { [word]: unused() })).toBe(said);
    });

    it.each<[Caller, string]>([
      ['contributor', 'draft'],
      ['author', 'publish'],
      ['editor', 'publish'],
      ['admin', 'publish'],
    ])('create: %s, %s by default', async (caller, status) => {
      expect(await ground().make({}, caller)).toMatchObject({ author: String(userId(caller)), status });
    });

    describe.each(['POST', 'PUT', 'PATCH', 'DELETE'])('%s', (method) => {
      const body = method === 'DELETE' ? undefined : { phone: '1' };

      it("W5: with an admin's, by id or by slug, only from an editor on", async () => {
        const { id, slug } = await ground().make();
        await ground().unchanged(async () => {
          for (const caller of CALLERS.slice(0, 4)) {
            const said = [caller, caller === 'anonymous' ? '401 rest_forbidden' : '403 rest_forbidden'];
            for (const path of [id, `by-slug/${slug}`])
              expect([caller, await ground().refusal(caller, method, `/${plural}/${path}`, body)]).toEqual(
                said,
              );
          }
        });
      });

      it.each<[Caller, string]>([
        ['contributor', 'draft'],
        ['author', 'publish'],
      ])('%s with a %s of their own', async (caller, status) => {
        const { id } = await ground().make({ status }, caller);
        expect((await ground().send(caller, method, `/${plural}/${id}`, body)).status).toBe(200);
      });

      it('not a contributor with a published one of their own', async () => {
        const { id } = await ground().make({ author: userId('contributor') });
        expect(await ground().refusal('contributor', method, `/${plural}/${id}`, body)).toBe(
          '403 rest_forbidden',
        );
      });

      it.each<Caller>(['editor', 'admin'])('%s with any, by id and by slug', async (caller) => {
        const [one, other] = [await ground().make({}, 'author'), await ground().make({}, 'author')];
        expect((await ground().send(caller, method, `/${plural}/${one.id}`, body)).status).toBe(200);
        expect((await ground().send(caller, method, `/${plural}/by-slug/${other.slug}`, body)).status).toBe(
          200,
        );
      });

      it('everybody is told that there is no such record', () =>
        ground().unchanged(async () => {
          for (const caller of CALLERS) {
            const says = async (path: string) => [
              caller,
              await ground().refusal(caller, method, `/${plural}/${path}`, body),
            ];
            expect(await says('9999999')).toEqual([caller, '400 rest_invalid_param id']);
            expect(await says('53')).toEqual([caller, '400 rest_invalid_param id']);
            expect(await says('by-slug/no-such-thing')).toEqual([caller, '400 rest_invalid_param slug']);
            expect(await says('by-slug/opening-night')).toEqual([caller, '400 rest_invalid_param slug']);
          }
        }));
    });
  });

  describe('W7: another author', () => {
    it.each<Caller>(['contributor', 'author'])('not from %s', async (caller) => {
      const { refusal, make } = ground();
      const { id } = await make({ status: 'draft' }, caller);
      const fields = { [word]: unused(), author: 1 };
      const said = '403 rest_cannot_edit_others';
      expect(await refusal(caller, 'POST', `/${plural}`, fields)).toBe(said);
      expect(await refusal(caller, 'PATCH', `/${plural}/${id}`, { author: 1 })).toBe(said);
      const event = { title: 'E', start_date: '2091-05-01', end_date: '2091-05-01', [word]: [fields] };
      expect(await refusal(caller, 'POST', '/events', event)).toBe(said);
      await make({ author: userId(caller) }, caller);
    });

    it('from an editor', async () => {
      const { make, change } = ground();
      const { id, author } = await make({ author: 3 }, 'editor');
      expect(author).toBe('3');
      expect(await change(id, { author: '4' }, 'editor')).toMatchObject({ author: '4' });
    });
  });

  describe('W8: statuses', () => {
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
    ])('%s, %s: %s', async (caller, sent, stored) => {
      const { make, change } = ground();
      expect(await make({ status: sent }, caller)).toMatchObject({ status: stored });
      const { id } = await make({ status: 'draft' }, caller);
      expect(await change(id, { status: sent }, caller)).toMatchObject({ status: stored });
    });

    it('the right to publish records of this type decides, not that to publish events', async () => {
      const { ask, make } = ground();
      const own = "wp_usermeta WHERE user_id = 3 AND meta_key = 'wp_capabilities'";
      const [row] = await ask(`SELECT meta_value FROM ${own}`);
      const held = `a:2:{s:6:"author";b:1;s:${16 + plural.length - 2}:"publish_tribe_${plural}";b:0;}`;
      const update = (value: unknown) =>
        ask(
          `UPDATE wp_usermeta SET meta_value = '${value}' WHERE user_id = 3 AND meta_key = 'wp_capabilities'`,
        );
      await update(held);
      try {
        expect(await make({ status: 'publish' }, 'author')).toMatchObject({ status: 'pending' });
      } finally {
        await update(row?.['meta_value']);
      }
    });
  });
}
