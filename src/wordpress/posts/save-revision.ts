import { insertRows } from '../../database/insert-rows.js';
import type { Transaction } from '../../database/transactions.js';
import type { Post } from './post.entity.js';
import { nowInZone } from './post-dates.js';
import { Revision } from './revision.entity.js';
import type { WriteSite } from './write-site.js';

/** Saves a revision of a post's texts unless the latest one is equal. */
export async function saveRevision(
  { manager }: Transaction,
  post: Pick<Post, 'id' | 'title' | 'content' | 'excerpt' | 'status'>,
  { settings, now, access }: WriteSite,
): Promise<void> {
  if (post.status === 'auto-draft') return;
  const name = `${post.id}-revision-v1`;
  const last = await manager.findOne(Revision, {
    select: { id: true, title: true, content: true, excerpt: true },
    where: { parent: post.id, name },
    order: { date: 'DESC', id: 'DESC' },
  });
  if (last && last.title === post.title && last.content === post.content && last.excerpt === post.excerpt)
    return;
  const { local, utc } = nowInZone(now, settings.zone);
  const id = await insertRows(manager, Revision, {
    status: 'inherit',
    parent: post.id,
    author: access.user.id,
    name,
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
