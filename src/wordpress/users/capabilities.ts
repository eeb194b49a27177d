import { asMap, isTruthy, type PhpValue, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import type { PostStatus } from '../posts/post-statuses.js';

/** A user with capabilities; id 0 and none for anonymous requests. */
export interface CapabilityUser {
  id: number;
  capabilities: ReadonlySet<string>;
  /** Of a signed-in user that the site does not have; its id is 0. */
  profile?: VirtualProfile;
}

/** A user that the site does not have, as its login describes it. */
export interface VirtualProfile {
  /** The name of the login strategy, within which the subject is unique. */
  strategy: string;
  subject: string;
  name: string;
  /** Empty if unknown. */
  email: string;
  /** Roles of the site. */
  roles: readonly string[];
}

/** Identifies a user among all: a virtual one by its login, as all of them have the id 0. */
export const identityOf = ({ id, profile }: CapabilityUser): string =>
  JSON.stringify(profile ? [profile.strategy, profile.subject] : id);

/** The capabilities of a network's super admin: all except denied ones. */
export class SuperAdminCapabilities extends Set<string> {
  /** `own`: the capabilities of the user's roles on the site. */
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

/** The properties of a post that decide about rights. */
export interface PostRights {
  /** The plural in the capabilities of its type; undefined for an unregistered type. */
  base: string | undefined;
  authorId: number;
  status: string;
  /** The registered status; undefined for an unknown one. */
  registered: PostStatus | undefined;
  /** Meta `_wp_trash_meta_status`: the status before trashing. */
  statusBeforeTrash?: string;
  /** Whether the post is the site's front page or its posts page (options `page_on_front`, `page_for_posts`). */
  isSitePage?: boolean;
}

export type PostOperation = 'read' | 'edit' | 'delete';

/** The user of a request that is not signed in. */
export const ANONYMOUS: CapabilityUser = { id: 0, capabilities: new Set() };

/** Aliases of primitive capabilities. */
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

/** Whether the user has a primitive capability or an alias of it. */
export function can(user: CapabilityUser, capability: string): boolean {
  return user.capabilities.has(ALIASES[capability] ?? capability);
}

export function canAll(user: CapabilityUser, capabilities: readonly string[]): boolean {
  return capabilities.every((capability) => can(user, capability));
}

/** Whether the user may read, edit or delete this post. */
export function canOnPost(user: CapabilityUser, operation: PostOperation, post: PostRights): boolean {
  return canAll(user, mapMetaCap(operation, post, user.id));
}

/** The primitive capabilities required for an operation on a post, as WordPress's `map_meta_cap()`. */
function mapMetaCap(operation: PostOperation, post: PostRights, userId: number): readonly string[] {
  const { base, registered } = post;
  if (base === undefined) return ['edit_others_posts'];
  const own = post.authorId !== 0 && post.authorId === userId;
  if (operation === 'read') {
    if (!registered) return ['edit_others_posts'];
    if (registered.public || own) return ['read'];
    return post.status === 'private' ? [`read_private_${base}`] : mapMetaCap('edit', post, userId);
  }
  if (post.isSitePage) return ['manage_options'];
  const status = own && post.status === 'trash' ? (post.statusBeforeTrash ?? '') : post.status;
  if (own) return [PUBLISHED.has(status) ? `${operation}_published_${base}` : `${operation}_${base}`];
  const others = `${operation}_others_${base}`;
  if (PUBLISHED.has(status)) return [others, `${operation}_published_${base}`];
  return status === 'private' ? [others, `${operation}_private_${base}`] : [others];
}

/** The capabilities of each role: granted (true) or denied (false). */
export type Roles = ReadonlyMap<string, ReadonlyMap<string, boolean>>;

/** Parses the option `{prefix}user_roles`; empty when missing or invalid. */
export function parseRoles(option: string | undefined): Roles {
  const stored = asMap(unserialize(option ?? ''));
  return new Map([...stored].map(([name, role]) => [String(name), flags(asMap(role).get('capabilities'))]));
}

/** The capabilities of the usermeta `{prefix}capabilities`: those of its roles, then its own entries. */
export function capabilitiesOf(meta: string | undefined, roles: Roles): Set<string> {
  return merged(flags(unserialize(meta ?? '')), roles);
}

/** The capabilities of roles, and further ones. */
export function capabilitiesOfRoles(names: readonly string[], roles: Roles): Set<string> {
  return merged(new Map(names.map((name) => [name, true])), roles);
}

function merged(own: ReadonlyMap<string, boolean>, roles: Roles): Set<string> {
  const all = new Map([...[...own.keys()].flatMap((name) => [...(roles.get(name) ?? [])]), ...own]);
  return new Set([...all].filter(([, given]) => given).map(([name]) => name));
}

function flags(value: PhpValue | undefined): Map<string, boolean> {
  return new Map([...asMap(value)].map(([name, given]) => [String(name), isTruthy(given)]));
}
