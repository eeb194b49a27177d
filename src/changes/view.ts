import { createHash } from 'node:crypto';
import { type CapabilityUser, SuperAdminCapabilities } from '../wordpress/users/capabilities.js';

const LENGTH = 12;

/** Identifies what a user may see: by the user and all rights. */
export function viewOf({ id, capabilities }: CapabilityUser): string {
  const isSuperAdmin = capabilities instanceof SuperAdminCapabilities;
  const rights = JSON.stringify([id, isSuperAdmin, [...capabilities].toSorted()]);
  return createHash('sha256').update(rights).digest('base64url').slice(0, LENGTH);
}
