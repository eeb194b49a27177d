import type { Database } from '../../database/database.js';
import { metaOf } from '../../wordpress/posts/post-rows.js';
import type { PostOf } from './several-occurrences.js';

/** Meta keys of an imported event: its UID in the file, a digest of the file's data, and its `SEQUENCE`. */
export const IMPORT_META = {
  uid: '_almanac_import_uid',
  digest: '_almanac_import_digest',
  sequence: '_almanac_import_sequence',
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
