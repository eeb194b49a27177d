import { asMap, type PhpArray, unserialize } from '../lib/wordpress-text/php-serialize.js';
import type { WriteSite } from '../wordpress/options/site-settings.js';
import type { MetaWriter } from '../wordpress/posts/meta-writer.js';
import { localSeconds } from '../wordpress/posts/post-dates.js';

const BOOKKEEPING = '_tribe_modified_fields';

/** Changes of a post beside its meta. */
interface OtherChanges {
  taxonomies?: readonly string[];
  /** Columns under their names in the table, such as `post_title`. */
  columns?: readonly string[];
}

/**
 * Stores the time of the last change per touched meta key, column and taxonomy: the importer's bookkeeping. Times are epoch
 * seconds, those of keys and columns plus the site's offset (docs/behaviour/storage.md#rules-of-meta). Returns the meta.
 */
export function noteChanges(
  meta: MetaWriter,
  site: WriteSite,
  { taxonomies = [], columns = [] }: OtherChanges = {},
): MetaWriter {
  const keys = [...meta.touched].filter((key) => key !== BOOKKEEPING && key !== '_edit_lock');
  const others = taxonomies.length + columns.length;
  if (others + keys.length === 0) return meta;
  const [stored] = meta.get(BOOKKEEPING);
  const times: PhpArray = new Map(asMap(unserialize(stored ?? '')));
  for (const name of taxonomies) times.set(name, Math.floor(site.now / 1000));
  for (const name of [...columns, ...keys]) times.set(name, localSeconds(site));
  if (stored !== undefined) return meta.set(BOOKKEEPING, times);
  // The first change adds the row: before all other rows, or right after the meta row that was changed first.
  return meta.add(BOOKKEEPING, times, others === 0 && meta.firstAdded === keys[0] ? 1 : 0);
}
