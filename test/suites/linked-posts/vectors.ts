import type { Caller } from '../../support/calendar-client.js';
import type { LinkedPostFixture, LinkedPostResource } from '../../support/linked-post-site.js';
import { loadVectors } from '../../support/vectors.js';

type Fields = Record<string, unknown>;

interface Row {
  in: Fields;
  args: { role: Caller; route?: string };
  out: {
    status: number;
    stored_post?: Record<string, string>;
    stored_meta?: [key: string, value: string][];
    response?: Fields;
    linked_meta?: [key: string, id: string][];
    created_posts?: Fields[];
  };
}

/** Ids of the vectors and the recorded site's posts that stand for them. */
const SITE_IDS: Readonly<Record<string, string>> = { 1101: '9', 1201: '35', 1209: '36' };

/** Error codes of vectors that W10 accepts. */
const ACCEPTED_BY_W10 = ['could-not-create-venue', 'could-not-create-organizer'];

/** Replays the recorded creates, alone and inside events. */
export function declareVectors(
  fixture: () => LinkedPostFixture,
  { plural, word, prefix, linkKey }: LinkedPostResource,
): void {
  const standaloneRows = loadVectors<Row[]>('rest_write').filter(({ args }) =>
    args.route?.endsWith(`/${plural}`),
  );
  it(`rest_write: creates match ${standaloneRows.length} vectors`, async () => {
    for (const row of standaloneRows) {
      const { send, rows, ask } = fixture();
      const { status, body } = await send(row.args.role, 'POST', `/${plural}`, row.in);
      const input = JSON.stringify(row.in);
      expect([input, status]).toEqual([input, row.out.status]);
      if (status !== 201) continue;
      const found = await rows(body['id']);
      for (const [column, value] of Object.entries(row.out.stored_post ?? {}))
        expect([input, column, String(found[`post.${column}`])]).toEqual([input, column, value]);
      const meta = Object.entries(found).flatMap(([name, values]) =>
        name.startsWith('meta.') ? [[name.slice(5), ...(values as unknown[])]] : [],
      );
      const expected = row.out.stored_meta?.filter(([key]) => key !== '_tribe_modified_fields');
      expect([input, ...meta.map(normalizeFlag)]).toEqual([input, ...(expected ?? []).map(normalizeFlag)]);
      // The next vector has the same name.
      await ask(`DELETE FROM wp_posts WHERE ID = ${body['id']}`);
      await ask(`DELETE FROM wp_postmeta WHERE post_id = ${body['id']}`);
    }
  });

  const inlineRows = loadVectors<Row[]>('rest_write_linked').filter((row) => word in row.in);
  it(`rest_write_linked: inline records match ${inlineRows.length} vectors, except those that W10 accepts`, async () => {
    for (const row of inlineRows) {
      const { send, rows } = fixture();
      const sent = JSON.parse(
        JSON.stringify(row.in).replace(/\b1(?:101|201|209)\b/g, (id) => SITE_IDS[id] ?? id),
      );
      const input = JSON.stringify(sent);
      const { status, body } = await send(row.args.role, 'POST', '/events', sent);
      const isAccepted = ACCEPTED_BY_W10.includes(String(row.out.response?.['code']));
      expect([input, status]).toEqual([input, isAccepted ? 201 : row.out.status]);
      if (status !== 201) expect(Object.keys((body['data'] as Fields)['params'] as Fields)).toEqual([word]);
      if (row.out.status !== 201) continue;
      const linked = ((await rows(body['id']))[`meta.${linkKey}`] ?? []) as string[];
      const created = linked.filter((id) => !Object.values(SITE_IDS).includes(id));
      expect(linked).toHaveLength(row.out.linked_meta?.length ?? 0);
      for (const [at, post] of (row.out.created_posts ?? []).entries())
        expect(await rows(created[at])).toMatchObject({
          'post.post_type': post['post_type'],
          'post.post_title': post['post_title'],
          'post.post_status': post['post_status'],
          [`meta.${prefix}Origin`]: ['events-calendar'],
        });
    }
  });
}

/** Normalizes the hidden map flag, which the recorded site writes as an empty string. */
function normalizeFlag([key, ...values]: unknown[]): unknown[] {
  const isFlag = String(key).startsWith('_EventShowMap');
  return [key, ...values.map((value) => (isFlag && value === 'false' ? '' : value))];
}
