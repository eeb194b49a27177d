import type { SiteSettings } from '../wordpress/options/site-settings.js';
import { firstMeta, type PostRecord } from '../wordpress/posts/post-record.js';
import {
  ANONYMOUS,
  type CapabilityUser,
  can,
  canManageTerms,
  canOnPost,
  type PostOperation,
} from '../wordpress/users/capabilities.js';
import { type ListVisibility, listVisibility, mayChooseStatus } from '../wordpress/users/list-visibility.js';

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
  may(
    operation: PostOperation,
    post: Pick<PostRecord, 'id' | 'type' | 'author' | 'status' | 'meta'>,
  ): boolean {
    return canOnPost(this.user, operation, {
      type: post.type,
      authorId: post.author,
      status: post.status,
      statusBeforeTrash: firstMeta(post, '_wp_trash_meta_status'),
      isSitePage: this.settings.frontPages.includes(post.id),
    });
  }

  /** Whether a record is public or the caller's to read. */
  mayRead(post: Pick<PostRecord, 'id' | 'type' | 'author' | 'status' | 'meta'>): boolean {
    return post.status === 'publish' || this.may('read', post);
  }

  mayManageTerms(taxonomy: string): boolean {
    return canManageTerms(this.user, taxonomy);
  }

  /** Whether lists of this post type may be asked for other statuses than `publish`. */
  mayChooseStatus(type: string): boolean {
    return mayChooseStatus(this.user, type);
  }

  /** Which records of a type a list may show (decisions.md R1). */
  visibility(type: string, requested?: readonly string[]): ListVisibility {
    return listVisibility(this.user, type, requested);
  }
}
