import type { SiteSettings } from '../wordpress/options/site-settings.js';
import { TRASH_STATUS } from '../wordpress/posts/post-dates.js';
import { firstMeta, type PostRecord } from '../wordpress/posts/post-record.js';
import type { WritableStatus } from '../wordpress/posts/post-statuses.js';
import type { ContentTypes } from '../wordpress/types/content-types.js';
import {
  ANONYMOUS,
  type CapabilityUser,
  can,
  canAll,
  canOnPost,
  type PostOperation,
  type PostRights,
} from '../wordpress/users/capabilities.js';
import { editableRecords, type ListVisibility, listVisibility } from '../wordpress/users/list-visibility.js';

type Identity = Pick<PostRecord, 'id' | 'type' | 'author' | 'status'>;

/** What the caller of one request may do; every question about rights is asked here. */
export class Access {
  readonly user: CapabilityUser;
  /** Whether somebody is signed in at all: refusals are 403 for them, 401 for nobody. */
  readonly signedIn: boolean;

  constructor(
    user: CapabilityUser | null,
    private readonly settings: Pick<SiteSettings, 'frontPages'>,
    readonly types: ContentTypes,
  ) {
    this.user = user ?? ANONYMOUS;
    this.signedIn = user !== null;
  }

  can(capability: string): boolean {
    return can(this.user, capability);
  }

  /** Whether the caller has the plain capability for posts of a type, of which single posts may ask for more. */
  canOfType(operation: 'edit' | 'delete' | 'publish' | 'edit_others', type: string): boolean {
    return this.can(`${operation}_${this.baseOf(type)}`);
  }

  /** Whether the caller may read, edit or delete this very record. */
  may(operation: PostOperation, post: Identity & Pick<PostRecord, 'meta'>): boolean {
    return canOnPost(this.user, operation, {
      ...this.rightsOf(post),
      statusBeforeTrash: firstMeta(post, TRASH_STATUS),
    });
  }

  /** Whether a record is public or the caller's to read; what it was before it was trashed makes no difference here. */
  mayRead(post: Identity): boolean {
    return post.status === 'publish' || canOnPost(this.user, 'read', this.rightsOf(post));
  }

  /** Whether the caller may create, change and delete terms of a taxonomy. */
  mayManageTerms(taxonomy: string): boolean {
    return canAll(this.user, this.types.taxonomy(taxonomy).capabilities.manage);
  }

  /** Whether the caller may give a post terms of a taxonomy. */
  mayAssignTerms(taxonomy: string): boolean {
    return this.can(this.types.taxonomy(taxonomy).capabilities.assign);
  }

  /** Whether lists of this post type may be asked for other statuses than `publish`. */
  mayChooseStatus(type: string): boolean {
    return this.canOfType('edit', type);
  }

  mayPublish(type: string): boolean {
    return this.canOfType('publish', type);
  }

  /** W8: the status to store for the one that was sent; undefined is a create that named none. */
  statusOnWrite(type: string, requested: WritableStatus | undefined): WritableStatus {
    if (this.mayPublish(type)) return requested ?? 'publish';
    return requested === undefined || requested === 'draft' ? 'draft' : 'pending';
  }

  /** W7: whether the caller may make this user id the author of a post of this type. */
  mayMakeAuthor(type: string, authorId: number): boolean {
    return authorId === this.user.id || this.canOfType('edit_others', type);
  }

  /** Which records of a type a list may show (R1). */
  visibility(type: string, requested?: readonly string[]): ListVisibility {
    return listVisibility(this.user, this.baseOf(type), this.types.statuses, requested);
  }

  /** Which records of a type the caller may edit. */
  editable(type: string): ListVisibility {
    return editableRecords(this.user, this.baseOf(type), this.types.statuses);
  }

  private baseOf(type: string): string {
    return this.types.postType(type).capabilities;
  }

  private rightsOf({ id, type, author, status }: Identity): PostRights {
    return {
      base: this.types.postTypes.get(type)?.capabilities,
      authorId: author,
      status,
      registered: this.types.statuses.get(status),
      isSitePage: this.settings.frontPages.includes(id),
    };
  }
}
