import type { SiteSettings } from '../wordpress/options/site-settings.js';
import { firstMeta, type PostRecord } from '../wordpress/posts/post-record.js';
import {
  ANONYMOUS,
  type CapabilityUser,
  can,
  canManageTerms,
  canOnPost,
  type PostOperation,
  type PostRights,
} from '../wordpress/users/capabilities.js';
import {
  editableRecords,
  type ListVisibility,
  listVisibility,
  mayChooseStatus,
} from '../wordpress/users/list-visibility.js';

type Identity = Pick<PostRecord, 'id' | 'type' | 'author' | 'status'>;

/** What the caller of one request may do; every question about rights is asked here. */
export class Access {
  readonly user: CapabilityUser;
  /** Whether somebody is signed in at all: refusals are 403 for them, 401 for nobody. */
  readonly signedIn: boolean;

  constructor(
    user: CapabilityUser | null,
    private readonly settings: Pick<SiteSettings, 'frontPages'>,
  ) {
    this.user = user ?? ANONYMOUS;
    this.signedIn = user !== null;
  }

  can(capability: string): boolean {
    return can(this.user, capability);
  }

  /** Whether the caller may read, edit or delete this very record. */
  may(operation: PostOperation, post: Identity & Pick<PostRecord, 'meta'>): boolean {
    return canOnPost(this.user, operation, {
      ...this.rightsOf(post),
      statusBeforeTrash: firstMeta(post, '_wp_trash_meta_status'),
    });
  }

  /** Whether a record is public or the caller's to read; what it was before it was trashed makes no difference here. */
  mayRead(post: Identity): boolean {
    return post.status === 'publish' || canOnPost(this.user, 'read', this.rightsOf(post));
  }

  private rightsOf({ id, type, author, status }: Identity): PostRights {
    return { type, authorId: author, status, isSitePage: this.settings.frontPages.includes(id) };
  }

  mayManageTerms(taxonomy: string): boolean {
    return canManageTerms(this.user, taxonomy);
  }

  /** Whether lists of this post type may be asked for other statuses than `publish`. */
  mayChooseStatus(type: string): boolean {
    return mayChooseStatus(this.user, type);
  }

  /** Which records of a type a list may show (R1). */
  visibility(type: string, requested?: readonly string[]): ListVisibility {
    return listVisibility(this.user, type, requested);
  }

  /** Which records of a type the caller may edit. */
  editable(type: string): ListVisibility {
    return editableRecords(this.user, type);
  }
}
