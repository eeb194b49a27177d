import { createHash } from 'node:crypto';
import { type CapabilityUser, identityOf, SuperAdminCapabilities } from '../wordpress/users/capabilities.js';

const LENGTH = 12;

/** Identifies what a user may see: by the user and all rights. */
export function viewOf(user: CapabilityUser): string {
  const { capabilities } = user;
  const isSuperAdmin = capabilities instanceof SuperAdminCapabilities;
  const rights = JSON.stringify([identityOf(user), isSuperAdmin, [...capabilities].toSorted()]);
  return createHash('sha256').update(rights).digest('base64url').slice(0, LENGTH);
}
