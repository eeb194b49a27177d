import { untrashedSlug } from '../lib/wordpress-text/formatting/unique-slug.js';
import { isListed, type ListVisibility } from '../wordpress/users/list-visibility.js';
import type { Change, ChangeKind } from './change.js';
import type { ChangeGroup, KnownRecord, Tombstone } from './changes.query.js';
import type { ChangedRecordJson } from './changes.response.js';

/** Whether the caller sees records with this status and author. */
type Sees = (status: string, author: number) => boolean;

/** Whether a caller with this visibility sees a record in this state; terms, without one, are always visible. */
export function isSeen(visibility: ListVisibility | undefined, status: string, author: number): boolean {
  return visibility === undefined || isListed(visibility, { status, author });
}

/** The entry that tells most of a record that the caller saw in one of its states; undefined if there was none. */
export function lastSeen(states: readonly ChangeGroup[], sees: Sees): { seq?: number } | undefined {
  const inState = states.filter(({ status, author }) => sees(status, author));
  // A trashed record keeps its slug.
  const trashed = states.filter(({ change, ...one }) => change === 'trashed' && wasSeen(one, sees));
  const best = [...inState, ...trashed].toSorted((a, b) => b.last - a.last)[0];
  if (best) return { seq: best.last };
  return states.some((state) => wasSeen(state, sees)) ? {} : undefined;
}

const wasSeen = (
  { statusBefore, author, change }: Omit<ChangeGroup, 'change'> & { change?: ChangeKind },
  sees: Sees,
) => change !== 'created' && sees(statusBefore, author);

/** A record of the listing of everything; none where the caller may not see it. */
export function listedRecord(
  type: string,
  { id, slug, modified }: KnownRecord,
  record?: object,
): ChangedRecordJson[] {
  if (!record) return [];
  return [
    {
      type,
      id,
      change: 'created',
      slug: slugOf(record) ?? slug,
      modified: modified || null,
      changed_at: null,
      record,
    },
  ];
}

/** The change of a record as the caller sees it. */
export function changeFor(
  entry: Change,
  parts: {
    path: string;
    record: object | undefined;
    states: readonly ChangeGroup[];
    tombstone: Tombstone | undefined;
    sees: Sees;
  },
): ChangedRecordJson {
  const { path, record, states, tombstone, sees } = parts;
  const { id, slug, modified, changedAt } = entry;
  const change = record
    ? changeOfVisible(entry, states, sees)
    : entry.change === 'trashed'
      ? 'trashed'
      : 'deleted';
  const changed_at = new Date(changedAt).toISOString();
  if (record)
    return {
      type: path,
      id,
      change,
      slug: slugOf(record) ?? slug,
      modified: modified || null,
      changed_at,
      record,
    };
  return {
    type: path,
    id,
    change,
    deleted: true,
    slug: tombstone ? untrashedSlug(tombstone.slug) : null,
    modified: tombstone?.modified || null,
    changed_at,
  };
}

/** What happened to a record that the caller sees. */
function changeOfVisible({ change }: Change, states: readonly ChangeGroup[], sees: Sees): ChangeKind {
  const [first] = states.toSorted((a, b) => a.first - b.first);
  if (first && !wasSeen(first, sees)) return change === 'restored' ? 'restored' : 'created';
  return states.some((state) => state.change === 'rescheduled') ? 'rescheduled' : 'updated';
}

function slugOf(record: object): string | undefined {
  const { slug } = record as { slug?: unknown };
  return typeof slug === 'string' ? slug : undefined;
}
