import type { WRITABLE_STATUSES } from '../posts/post-statuses.js';
import { CAPABILITY_BASES, type CapabilityUser, can } from './capabilities.js';

/** A status that a create or update may name. */
export type WritableStatus = (typeof WRITABLE_STATUSES)[number];

/** Whether the user may publish posts of this type. */
export function mayPublish(user: CapabilityUser, type: string): boolean {
  return can(user, `publish_${CAPABILITY_BASES[type]}`);
}

/** W8: the status to store for the one that was sent; undefined is a create that named none. */
export function statusOnWrite(
  user: CapabilityUser,
  type: string,
  requested: WritableStatus | undefined,
): WritableStatus {
  if (mayPublish(user, type)) return requested ?? 'publish';
  return requested === undefined || requested === 'draft' ? 'draft' : 'pending';
}

/** W7: whether the user may make this user id the author of a post of this type. */
export function mayAssignAuthor(user: CapabilityUser, type: string, authorId: number): boolean {
  return authorId === user.id || can(user, `edit_others_${CAPABILITY_BASES[type]}`);
}
