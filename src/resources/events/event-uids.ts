import type { Database } from '../../database/database.js';
import { metaOf } from '../../wordpress/posts/post-rows.js';

/** Meta keys by which an import knows again what it brought: the id of the record in its file, and a digest of what that said. */
export const IMPORT_META = { uid: '_almanac_import_uid', digest: '_almanac_import_digest' } as const;

/**
 * The ids of events in files, by the ids of their records: an imported one keeps that of its file, so that a file which goes on to
 * another calendar, or back, makes no second event there. All others have `ID@host`, also where only a checksum is stored.
 */
export async function uidsOf(
  database: Database,
  ids: readonly number[],
  host: string,
): Promise<(id: number) => string> {
  const meta = await metaOf(database, 'post', ids, { keys: [IMPORT_META.uid] });
  const taken = new Set<string>();
  const uids = new Map<number, string>();
  for (const id of ids.toSorted((a, b) => a - b)) {
    const uid = meta.get(id)?.get(IMPORT_META.uid)?.[0] ?? '';
    // A copy of an event has all of its metas.
    if (uid === '' || uid.startsWith('sha256:') || taken.has(uid)) continue;
    taken.add(uid);
    uids.set(id, uid);
  }
  return (id) => uids.get(id) ?? `${id}@${host}`;
}
