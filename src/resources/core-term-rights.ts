import type { Access } from '../auth/access.js';
import type { TermResource } from './base/resource.js';

/**
 * The rights of a caller on a taxonomy's terms in `wp/v2`; anyone who may assign terms of a flat taxonomy may create
 * them, as when editing a post.
 */
export function coreTermRights(
  { hierarchical, capabilities, coreCapability }: TermResource,
  access: Pick<Access, 'can'>,
): { create: boolean; edit: boolean } {
  const edit = access.can(coreCapability ?? capabilities.manage.at(-1) ?? 'manage_categories');
  return { create: edit || (!hierarchical && access.can(capabilities.assign)), edit };
}
