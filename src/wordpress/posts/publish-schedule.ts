import { hash } from 'node:crypto';
import { type PhpArray, serialize } from '../../lib/wordpress-text/php-serialize.js';

const HOOK = 'publish_future_post';
const VERSION = 'version';

/**
 * Sets when a post is published (epoch seconds, undefined: never) in WordPress's cron option: time → hook → key → task.
 * Other entries, and an option of another shape, stay unchanged.
 */
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
