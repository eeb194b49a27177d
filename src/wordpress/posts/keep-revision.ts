import { insertRows } from '../../database/insert-rows.js';
import type { Transaction } from '../../database/transactions.js';
import { Post } from './post.entity.js';
import { present } from './post-dates.js';
import { Revision } from './revision.entity.js';
import type { WriteSite } from './write-site.js';

/** Keeps a copy of a post's texts, unless the newest copy has them already; the first change of a post makes one too. */
export async function keepRevision(
  { manager }: Transaction,
  postId: number,
  { settings, now, access }: WriteSite,
): Promise<void> {
  const post = await manager.findOneByOrFail(Post, { id: postId });
  if (post.status === 'auto-draft') return;
  const last = await manager.findOne(Revision, {
    where: { parent: postId, name: `${postId}-revision-v1` },
    order: { date: 'DESC', id: 'DESC' },
  });
  if (last && last.title === post.title && last.content === post.content && last.excerpt === post.excerpt)
    return;
  const { local, utc } = present(now, settings.zone);
  const id = await insertRows(manager, Revision, {
    status: 'inherit',
    parent: postId,
    author: access.user.id,
    name: `${postId}-revision-v1`,
    title: post.title,
    content: post.content,
    excerpt: post.excerpt,
    date: local,
    dateGmt: utc,
    modified: local,
    modifiedGmt: utc,
    commentStatus: 'closed',
    pingStatus: 'closed',
    toPing: '',
    pinged: '',
    contentFiltered: '',
  });
  await manager.update(Revision, id, { guid: `${settings.links.home}/?p=${id}` });
}
