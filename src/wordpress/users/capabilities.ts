import type { PostStatus } from '../posts/post-statuses.js';

/** A caller as far as rights go; id 0 and no capabilities for nobody. */
export interface CapabilityUser {
  id: number;
  capabilities: ReadonlySet<string>;
}

/** What a super admin of a network has: every capability, whatever the site's roles say, but for those that nobody has. */
export class EveryCapability extends Set<string> {
  /** `own`: those of the user's roles on the site. */
  constructor(
    own: Iterable<string>,
    private readonly denied: readonly string[],
  ) {
    super(own);
  }

  override has(capability: string): boolean {
    return capability !== 'do_not_allow' && !this.denied.includes(capability);
  }
}

/** What of a post decides who may do what with it. */
export interface PostRights {
  /** The plural that the capabilities of its type end in; undefined for a type that is not registered. */
  base: string | undefined;
  authorId: number;
  status: string;
  /** What is registered of its status; undefined for one that nobody knows. */
  registered: PostStatus | undefined;
  /** Meta `_wp_trash_meta_status`: what a trashed post was before. */
  statusBeforeTrash?: string;
  /** Whether the post is the site's front page or its posts page (options `page_on_front`, `page_for_posts`). */
  isSitePage?: boolean;
}

/** What one may want to do with a post. */
export type PostOperation = 'read' | 'edit' | 'delete';

/** Nobody: not signed in. */
export const ANONYMOUS: CapabilityUser = { id: 0, capabilities: new Set() };

/** Capabilities that are only other names of primitive ones. */
const ALIASES: Readonly<Record<string, string>> = {
  manage_post_tags: 'manage_categories',
  edit_post_tags: 'manage_categories',
  delete_post_tags: 'manage_categories',
  edit_categories: 'manage_categories',
  delete_categories: 'manage_categories',
  assign_post_tags: 'edit_posts',
  assign_categories: 'edit_posts',
};

const PUBLISHED = new Set(['publish', 'future']);

/** Whether the user holds a primitive capability, or one that is another name of it. */
export function can(user: CapabilityUser, capability: string): boolean {
  return user.capabilities.has(ALIASES[capability] ?? capability);
}

/** Whether the user holds all of them. */
export function canAll(user: CapabilityUser, capabilities: readonly string[]): boolean {
  return capabilities.every((capability) => can(user, capability));
}

/** Whether the user may read, edit or delete this very post. */
export function canOnPost(user: CapabilityUser, operation: PostOperation, post: PostRights): boolean {
  return canAll(user, mapMetaCap(operation, post, user));
}

/** The primitive capabilities, all of them needed, that an operation on a post asks of the user. */
function mapMetaCap(
  operation: PostOperation,
  post: PostRights,
  user: Pick<CapabilityUser, 'id'>,
): readonly string[] {
  const { base } = post;
  if (base === undefined) return ['edit_others_posts'];
  const own = post.authorId !== 0 && post.authorId === user.id;
  if (operation === 'read') return readCaps(base, post, own, user);
  if (post.isSitePage) return ['manage_options'];
  const status = own && post.status === 'trash' ? (post.statusBeforeTrash ?? '') : post.status;
  if (own) return [PUBLISHED.has(status) ? `${operation}_published_${base}` : `${operation}_${base}`];
  const others = `${operation}_others_${base}`;
  if (PUBLISHED.has(status)) return [others, `${operation}_published_${base}`];
  return status === 'private' ? [others, `${operation}_private_${base}`] : [others];
}

function readCaps(
  base: string,
  post: PostRights,
  own: boolean,
  user: Pick<CapabilityUser, 'id'>,
): readonly string[] {
  if (!post.registered) return ['edit_others_posts'];
  if (post.registered.public || own) return ['read'];
  return post.status === 'private' ? [`read_private_${base}`] : mapMetaCap('edit', post, user);
}
