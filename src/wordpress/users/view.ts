import { createHash } from 'node:crypto';
import { type CapabilityUser, identityOf, SuperAdminCapabilities } from './capabilities.js';

const LENGTH = 12;

/** Identifies what a user may see: by the user, also one that the site does not have, and all rights. */
export function viewOf(user: CapabilityUser): string {
  const { capabilities } = user;
  const isSuperAdmin = capabilities instanceof SuperAdminCapabilities;
  const parts = [identityOf(user), isSuperAdmin, [...capabilities].toSorted()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, LENGTH);
}
