import type { Access } from '../auth/access.js';
import type { TermResource } from './base/resource.js';

/**
 * What `wp/v2` lets a caller do to the terms of a taxonomy. Terms of a flat one may be created by everybody who may assign them,
 * as they may be while a post is written.
 */
export function coreTermRights(
  { hierarchical, capabilities, coreCapability }: TermResource,
  access: Pick<Access, 'can'>,
): { create: boolean; edit: boolean } {
  const edit = access.can(coreCapability ?? capabilities.manage.at(-1) ?? 'manage_categories');
  return { create: edit || (!hierarchical && access.can(capabilities.assign)), edit };
}
