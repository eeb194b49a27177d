import { asMap, type PhpArray, unserialize } from '../lib/wordpress-text/php-serialize.js';
import type { MetaWriter } from '../wordpress/posts/meta-writer.js';
import { localSeconds } from '../wordpress/posts/post-dates.js';
import type { WriteSite } from '../wordpress/posts/write-site.js';

const BOOKKEEPING = '_tribe_modified_fields';

/** What changed of a post before its meta did. */
export interface OtherChanges {
  taxonomies?: readonly string[];
  /** Columns under their names in the table, such as `post_title`. */
  columns?: readonly string[];
}

/**
 * Notes in the meta of a calendar record when the touched keys, and what else is named, changed last: the importer's
 * bookkeeping. Times are epoch seconds, those of keys and columns plus the site's offset
 * (docs/behaviour/storage.md#rules-of-meta). Returns the meta.
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
  const noted: PhpArray = new Map(asMap(unserialize(stored ?? '')));
  for (const name of taxonomies) noted.set(name, Math.floor(site.now / 1000));
  for (const name of [...columns, ...keys]) noted.set(name, localSeconds(site));
  if (stored !== undefined) return meta.set(BOOKKEEPING, noted);
  // The row comes with the first change: before all others, or right after the meta row that was it.
  return meta.add(BOOKKEEPING, noted, others === 0 && meta.firstAdded === keys[0] ? 1 : 0);
}
