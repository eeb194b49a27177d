import { HIDDEN_STATUSES, REGISTERED_STATUSES } from '../posts/post-statuses.js';
import { CAPABILITY_BASES, type CapabilityUser, can, canOnPost } from './capabilities.js';

/** A set of statuses, ready for `IN` or `NOT IN`. */
export type StatusSet = { only: readonly string[] } | { allBut: readonly string[] };

/** Which records a list may show: those of anybody with one status set, and also the caller's own with another. */
export interface ListVisibility {
  everybodys: StatusSet;
  /** Undefined when being the author adds nothing. */
  own?: { authorId: number; statuses: StatusSet };
}

/** Whether the user may ask a list of this post type for other statuses than `publish`. */
export function mayChooseStatus(user: CapabilityUser, type: string): boolean {
  return can(user, `edit_${CAPABILITY_BASES[type]}`);
}

/**
 * R1: a list shows published records to all, and the rest to its author and to those who may read each of them.
 * `requested` are registered statuses; undefined means all but the hidden ones (published only for those who may not
 * choose), an empty list means published and private.
 */
export function listVisibility(
  user: CapabilityUser,
  type: string,
  requested?: readonly string[],
): ListVisibility {
  if (!mayChooseStatus(user, type)) return { everybodys: { only: ['publish'] } };
  const named = requested?.length === 0 ? ['publish', 'private'] : requested;
  const wanted = named ?? REGISTERED_STATUSES.filter((status) => !HIDDEN_STATUSES.includes(status));
  const all: StatusSet = named ? { only: named } : { allBut: HIDDEN_STATUSES };
  const shared = wanted.filter(
    (status) => status === 'publish' || canOnPost(user, 'read', { type, authorId: 0, status }),
  );
  if (shared.length === wanted.length) return { everybodys: all };
  const own = can(user, 'read') ? { authorId: user.id, statuses: all } : undefined;
  return own ? { everybodys: { only: shared }, own } : { everybodys: { only: shared } };
}

/** Which records of a type the user may edit, in the same form; records in the trash count by what may be done there. */
export function editableRecords(user: CapabilityUser, type: string): ListVisibility {
  const ofAuthor = (authorId: number) => ({
    only: REGISTERED_STATUSES.filter((status) => canOnPost(user, 'edit', { type, authorId, status })),
  });
  const everybodys = ofAuthor(0);
  return user.id === 0
    ? { everybodys }
    : { everybodys, own: { authorId: user.id, statuses: ofAuthor(user.id) } };
}
