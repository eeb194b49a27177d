import type { Database } from '../../database/database.js';
import { metaOf } from '../../wordpress/posts/post-rows.js';
import type { PostOf } from './several-occurrences.js';

/** Meta keys of an imported event. */
export const IMPORT_META = {
  /** Its UID in the file. */
  uid: '_almanac_import_uid',
  /** A digest of the file's data. */
  digest: '_almanac_import_digest',
  /** Its `SEQUENCE`. */
  sequence: '_almanac_import_sequence',
  /** The UID of the recurring event that it is a date of. */
  series: '_almanac_import_series',
  /** How it recurs in the file, as lines of RFC 5545. */
  recurrence: '_almanac_import_recurrence',
  /** Where the source withdrew it: when it went to the trash, as in `_wp_trash_meta_time`. */
  withdrawn: '_almanac_import_withdrawn',
  /** The address that it was imported from, as a digest. */
  feed: '_almanac_import_feed',
} as const;

/**
 * The UIDs of events in files: an imported event keeps that of its file, so that a round trip creates no duplicate;
 * others have `ID@host`, also where only a checksum is stored. The occurrences of an event share one.
 */
export async function eventUids(
  database: Database,
  ids: readonly number[],
  host: string,
  postOf: PostOf,
): Promise<(id: number) => string> {
  const postIds = [...new Set(ids.map(postOf))];
  const meta = await metaOf(database, 'post', postIds, { keys: [IMPORT_META.uid] });
  const taken = new Set<string>();
  const uids = new Map<number, string>();
  for (const id of postIds.toSorted((a, b) => a - b)) {
    const uid = meta.get(id)?.get(IMPORT_META.uid)?.[0] ?? '';
    // A copied event has the same meta.
    if (uid === '' || uid.startsWith('sha256:') || taken.has(uid)) continue;
    taken.add(uid);
    uids.set(id, uid);
  }
  return (id) => uids.get(postOf(id)) ?? `${postOf(id)}@${host}`;
}
