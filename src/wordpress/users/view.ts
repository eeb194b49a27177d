import { createHash } from 'node:crypto';
import { type CapabilityUser, SuperAdminCapabilities } from './capabilities.js';

const LENGTH = 12;

/** Identifies what a user may see: by the user, also one that the site does not have, and all rights. */
export function viewOf({ id, capabilities, profile }: CapabilityUser): string {
  const isSuperAdmin = capabilities instanceof SuperAdminCapabilities;
  const parts = [id, profile, isSuperAdmin, [...capabilities].toSorted()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, LENGTH);
}
