import { hash } from 'node:crypto';
import { insertRows } from '../../database/insert-rows.js';
import type { Transaction } from '../../database/transactions.js';
import { type PhpArray, serialize } from '../../lib/wordpress-text/php-serialize.js';
import type { WriteSite } from '../options/site-settings.js';
import type { MetaWriter } from './meta-writer.js';
import { type Post, Revision, UNUSED_COLUMNS } from './post.entity.js';
import { nowInZone } from './post-dates.js';

/** Records the old slug of a published post, so that old links find it. */
export function recordOldSlug(before: string, after: string, meta: MetaWriter): void {
  if (before === after) return;
  if (before !== '' && !meta.get('_wp_old_slug').includes(before)) meta.add('_wp_old_slug', before);
  meta.remove('_wp_old_slug', after);
}

/** Records the old day of a published post, for links with a date. */
export function recordOldDate(before: string, after: string, meta: MetaWriter): void {
  const [was, is] = [before.slice(0, 10), after.slice(0, 10)];
  if (was === is) return;
  if (!meta.get('_wp_old_date').includes(was)) meta.add('_wp_old_date', was);
  meta.remove('_wp_old_date', is);
}

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
    ...UNUSED_COLUMNS,
  });
  await manager.update(Revision, id, { guid: `${settings.links.home}/?p=${id}` });
}

const HOOK = 'publish_future_post';
const VERSION = 'version';

/** Sets when a post is published (epoch seconds) in WordPress's cron option: time → hook → key → task. */
export function schedulePublication(cron: PhpArray, postId: number, at: number | undefined): void {
  if (!isSchedule(cron)) return;
  const args: PhpArray = new Map([[0, postId]]);
  const key = hash('md5', serialize(args));
  for (const [time, hooks] of [...cron]) {
    if (time === at || !(hooks instanceof Map)) continue;
    const tasks = hooks.get(HOOK);
    if (!(tasks instanceof Map) || !tasks.delete(key)) continue;
    if (tasks.size === 0) hooks.delete(HOOK);
    if (hooks.size === 0) cron.delete(time);
  }
  if (at === undefined) return;
  const hooks = entryAt(cron, at);
  const tasks = hooks.get(HOOK) ?? new Map();
  if (!(tasks instanceof Map) || tasks.has(key)) return;
  const task: PhpArray = new Map<string, boolean | PhpArray>([
    ['schedule', false],
    ['args', args],
  ]);
  hooks.set(HOOK, tasks.set(key, task));
}

/** Whether the option has the known shape, also when empty. */
function isSchedule(cron: PhpArray): boolean {
  return (
    (cron.size === 0 || cron.get(VERSION) === 2) &&
    [...cron].every(([time, hooks]) => time === VERSION || (typeof time === 'number' && hooks instanceof Map))
  );
}

/** The hooks at a time; a new time is inserted in order, as PHP stops at the first later one. */
function entryAt(cron: PhpArray, at: number): PhpArray {
  const known = cron.get(at);
  if (known instanceof Map) return known;
  const hooks: PhpArray = new Map();
  const entries = [...cron];
  const earlier = entries.findLastIndex(([time]) => typeof time === 'number' && time < at);
  const later = entries.findIndex(([time]) => typeof time === 'number' && time > at);
  entries.splice(later < 0 ? earlier + 1 : later, 0, [at, hooks]);
  cron.clear();
  for (const [time, value] of entries) cron.set(time, value);
  if (!cron.has(VERSION)) cron.set(VERSION, 2);
  return hooks;
}
