import type { PostStatus } from '../posts/post-statuses.js';
import { type CapabilityUser, can, canOnPost } from './capabilities.js';

/** A set of statuses, ready for `IN` or `NOT IN`. */
export type StatusSet = { only: readonly string[] } | { allBut: readonly string[] };

/** Which records a list may show: those of anybody with one status set, and also the caller's own with another. */
export interface ListVisibility {
  everybodys: StatusSet;
  /** Undefined when being the author adds nothing. */
  own?: { authorId: number; statuses: StatusSet };
}

/** Every registered status by name. */
type Statuses = ReadonlyMap<string, PostStatus>;

/**
 * R1: a list shows published records to all, and the rest to its author and to those who may read each of them. `base` is
 * what the capabilities of the post type end in. `requested` are registered statuses; undefined means all but the hidden
 * ones (published only for those who may not edit the type), an empty list means published and private.
 */
export function listVisibility(
  user: CapabilityUser,
  base: string,
  statuses: Statuses,
  requested?: readonly string[],
): ListVisibility {
  if (!can(user, `edit_${base}`)) return { everybodys: { only: ['publish'] } };
  const named = requested?.length === 0 ? ['publish', 'private'] : requested;
  const hidden = [...statuses].flatMap(([status, { hidden }]) => (hidden ? [status] : []));
  const wanted = named ?? [...statuses.keys()].filter((status) => !hidden.includes(status));
  const all: StatusSet = named ? { only: named } : { allBut: hidden };
  const shared = wanted.filter(
    (status) =>
      status === 'publish' ||
      canOnPost(user, 'read', { base, authorId: 0, status, registered: statuses.get(status) }),
  );
  if (shared.length === wanted.length) return { everybodys: all };
  const own = can(user, 'read') ? { authorId: user.id, statuses: all } : undefined;
  return own ? { everybodys: { only: shared }, own } : { everybodys: { only: shared } };
}

/** Which records of a type the user may edit, in the same form; records in the trash count by what may be done there. */
export function editableRecords(user: CapabilityUser, base: string, statuses: Statuses): ListVisibility {
  const ofAuthor = (authorId: number): StatusSet => {
    const mayEdit = (status: string) =>
      canOnPost(user, 'edit', { base, authorId, status, registered: statuses.get(status) });
    const isLike = (wanted: boolean) => [...statuses.keys()].filter((status) => mayEdit(status) === wanted);
    // A status that nobody registered is like any other that is not published.
    return mayEdit('') ? { allBut: isLike(false) } : { only: isLike(true) };
  };
  const everybodys = ofAuthor(0);
  return user.id === 0
    ? { everybodys }
    : { everybodys, own: { authorId: user.id, statuses: ofAuthor(user.id) } };
}
