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

/** Authorization of one request: every check of rights happens here. */
export class Access {
  readonly user: CapabilityUser;
  /** Whether the user is signed in: then errors are 403, else 401. */
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

  /** Whether the user has the primitive capability for a post type; single posts may need more. */
  canOfType(operation: 'edit' | 'delete' | 'publish' | 'edit_others', type: string): boolean {
    return this.can(`${operation}_${this.baseOf(type)}`);
  }

  /** Whether the user may read, edit or delete this record. */
  may(operation: PostOperation, post: Identity & Pick<PostRecord, 'meta'>): boolean {
    return canOnPost(this.user, operation, {
      ...this.rightsOf(post),
      statusBeforeTrash: firstMeta(post, TRASH_STATUS),
    });
  }

  /** Whether the user may read this record; the status before it was trashed is irrelevant here. */
  mayRead(post: Identity): boolean {
    return post.status === 'publish' || canOnPost(this.user, 'read', this.rightsOf(post));
  }

  /** Whether the user may create, change and delete terms of a taxonomy. */
  mayManageTerms(taxonomy: string): boolean {
    return canAll(this.user, this.types.taxonomy(taxonomy).capabilities.manage);
  }

  /** Whether the user may assign terms of a taxonomy to posts. */
  mayAssignTerms(taxonomy: string): boolean {
    return this.can(this.types.taxonomy(taxonomy).capabilities.assign);
  }

  /** Whether the user may request other statuses than `publish` in lists of this post type. */
  mayChooseStatus(type: string): boolean {
    return this.canOfType('edit', type);
  }

  mayPublish(type: string): boolean {
    return this.canOfType('publish', type);
  }

  /** The status to store for the requested one (W8); undefined means a create without a status. */
  statusOnWrite(type: string, requested: WritableStatus | undefined): WritableStatus {
    if (this.mayPublish(type)) return requested ?? 'publish';
    return requested === undefined || requested === 'draft' ? 'draft' : 'pending';
  }

  /** Whether the user may set this author on posts of this type (W7). */
  mayMakeAuthor(type: string, authorId: number): boolean {
    return authorId === this.user.id || this.canOfType('edit_others', type);
  }

  /** Which records of a type lists may contain (R1). */
  visibility(type: string, requested?: readonly string[]): ListVisibility {
    return listVisibility(this.user, this.baseOf(type), this.types.statuses, requested);
  }

  /** Which records of a type the user may edit. */
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
