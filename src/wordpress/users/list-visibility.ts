import type { PostStatus } from '../posts/post-statuses.js';
import { type CapabilityUser, can, canOnPost } from './capabilities.js';

/** A set of statuses, for `IN` or `NOT IN`. */
export type StatusSet = { only: readonly string[] } | { allBut: readonly string[] };

/** The visible records of a list: status sets for records of any author and for the user's own. */
export interface ListVisibility {
  anyAuthor: StatusSet;
  /** Undefined if own records have no further statuses. */
  own?: { authorId: number; statuses: StatusSet };
}

/** Every registered status by name. */
type Statuses = ReadonlyMap<string, PostStatus>;

/**
 * The visibility of lists (R1): published records for everyone, others for their author and for users who may read them.
 * `base` is the plural in the capabilities of the post type. `requested` are registered statuses; undefined means all but
 * hidden ones (only published without the edit capability), an empty list means published and private.
 */
export function listVisibility(
  user: CapabilityUser,
  base: string,
  statuses: Statuses,
  requested?: readonly string[],
): ListVisibility {
  if (!can(user, `edit_${base}`)) return { anyAuthor: { only: ['publish'] } };
  const named = requested?.length === 0 ? ['publish', 'private'] : requested;
  const hidden = [...statuses].flatMap(([status, { hidden }]) => (hidden ? [status] : []));
  const selected = named ?? [...statuses.keys()].filter((status) => !hidden.includes(status));
  const all: StatusSet = named ? { only: named } : { allBut: hidden };
  const shared = selected.filter(
    (status) =>
      status === 'publish' ||
      canOnPost(user, 'read', { base, authorId: 0, status, registered: statuses.get(status) }),
  );
  if (shared.length === selected.length) return { anyAuthor: all };
  // Records of the author 0 belong to nobody.
  const own = user.id !== 0 && can(user, 'read') && { own: { authorId: user.id, statuses: all } };
  return { anyAuthor: { only: shared }, ...own };
}

/** Whether a list with this visibility has a record. */
export function isListed(
  { anyAuthor, own }: ListVisibility,
  { status, author }: { status: string; author: number },
): boolean {
  const has = (set: StatusSet) => ('only' in set ? set.only.includes(status) : !set.allBut.includes(status));
  return has(anyAuthor) || (own !== undefined && own.authorId === author && has(own.statuses));
}

/** The records of a type that the user may edit, also in the trash. */
export function editableRecords(user: CapabilityUser, base: string, statuses: Statuses): ListVisibility {
  const ofAuthor = (authorId: number): StatusSet => {
    const mayEdit = (status: string) =>
      canOnPost(user, 'edit', { base, authorId, status, registered: statuses.get(status) });
    const statusesWith = (right: boolean) =>
      [...statuses.keys()].filter((status) => mayEdit(status) === right);
    // Unregistered statuses count as unpublished.
    return mayEdit('') ? { allBut: statusesWith(false) } : { only: statusesWith(true) };
  };
  const anyAuthor = ofAuthor(0);
  return { anyAuthor, ...(user.id !== 0 && { own: { authorId: user.id, statuses: ofAuthor(user.id) } }) };
}
