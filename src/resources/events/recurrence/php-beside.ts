import type { EntityManager } from 'typeorm';
import type { Database } from '../../../database/database.js';
import { asMap, unserialize } from '../../../lib/wordpress-text/php-serialize.js';
import { readOptions } from '../../../wordpress/options/read-options.js';

/** A task that every WordPress has, twice a day. */
const TASK = 'wp_version_check';
/** How late it may be where visitors are rare, in seconds. */
const MAX_DELAY = 7 * 86_400;

/** Whether PHP runs beside Almanac at a time in epoch milliseconds: it moves its own tasks on. */
export async function isPhpBeside(
  database: Database,
  now: number,
  manager?: EntityManager,
): Promise<boolean> {
  const options = await readOptions(database, ['cron'], manager);
  return hasCurrentTask(options.get('cron') ?? '', now);
}

/** Whether the option `cron` holds a task of WordPress that is not long overdue. */
export function hasCurrentTask(cron: string, now: number): boolean {
  return [...asMap(unserialize(cron))].some(
    ([time, hooks]) => asMap(hooks).has(TASK) && Number(time) > now / 1000 - MAX_DELAY,
  );
}
