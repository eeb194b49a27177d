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

/** How the recorded site's posts stand for the ids that the vectors name. */
const IDS: Readonly<Record<string, string>> = { 1101: '9', 1201: '35', 1209: '36' };

/** Rows that W10 answers otherwise: what the plugin refuses is taken. */
const TAKEN = ['could-not-create-venue', 'could-not-create-organizer'];

/** Replays the recorded creates, alone and inside events. */
export function declareVectors(
  ground: () => LinkedPostFixture,
  { plural, word, prefix, linkKey }: LinkedPostResource,
): void {
  const alone = loadVectors<Row[]>('rest_write').filter(({ args }) => args.route?.endsWith(`/${plural}`));
  it(`rest_write: ${alone.length} vectors`, async () => {
    for (const row of alone) {
      const { send, rows, ask } = ground();
      const { status, body } = await send(row.args.role, 'POST', `/${plural}`, row.in);
      const what = JSON.stringify(row.in);
      expect([what, status]).toEqual([what, row.out.status]);
      if (status !== 201) continue;
      const found = await rows(body['id']);
      for (const [column, value] of Object.entries(row.out.stored_post ?? {}))
        expect([what, column, String(found[`post.${column}`])]).toEqual([what, column, value]);
      const meta = Object.entries(found).flatMap(([name, values]) =>
        name.startsWith('meta.') ? [[name.slice(5), ...(values as unknown[])]] : [],
      );
      const wanted = row.out.stored_meta?.filter(([key]) => key !== '_tribe_modified_fields');
      expect([what, ...meta.map(likeRecordedSite)]).toEqual([what, ...(wanted ?? []).map(likeRecordedSite)]);
      // The next row has the same name.
      await ask(`DELETE FROM wp_posts WHERE ID = ${body['id']}`);
      await ask(`DELETE FROM wp_postmeta WHERE post_id = ${body['id']}`);
    }
  });

  const inEvents = loadVectors<Row[]>('rest_write_linked').filter((row) => word in row.in);
  it(`rest_write_linked: ${inEvents.length} vectors, save for what W10 takes`, async () => {
    for (const row of inEvents) {
      const { send, rows } = ground();
      const sent = JSON.parse(JSON.stringify(row.in).replace(/\b1(?:101|201|209)\b/g, (id) => IDS[id] ?? id));
      const what = JSON.stringify(sent);
      const { status, body } = await send(row.args.role, 'POST', '/events', sent);
      const taken = TAKEN.includes(String(row.out.response?.['code']));
      expect([what, status]).toEqual([what, taken ? 201 : row.out.status]);
      if (status !== 201) expect(Object.keys((body['data'] as Fields)['params'] as Fields)).toEqual([word]);
      if (row.out.status !== 201) continue;
      const linked = ((await rows(body['id']))[`meta.${linkKey}`] ?? []) as string[];
      const made = linked.filter((id) => !Object.values(IDS).includes(id));
      expect(linked).toHaveLength(row.out.linked_meta?.length ?? 0);
      for (const [at, post] of (row.out.created_posts ?? []).entries())
        expect(await rows(made[at])).toMatchObject({
          'post.post_type': post['post_type'],
          'post.post_title': post['post_title'],
          'post.post_status': post['post_status'],
          [`meta.${prefix}Origin`]: ['events-calendar'],
        });
    }
  });
}

/** The recorded site writes one of the two hidden maps as an empty text. */
function likeRecordedSite([key, ...values]: unknown[]): unknown[] {
  const isFlag = String(key).startsWith('_EventShowMap');
  return [key, ...values.map((value) => (isFlag && value === 'false' ? '' : value))];
}
