import type { SiteSettings } from '../options/site-settings.js';
import { hasPassword } from '../posts/post-password.js';
import type { PostRecord } from '../posts/post-record.js';

/** What of a record decides who may read it. */
type ReadablePost = Pick<PostRecord, 'id' | 'type' | 'author' | 'status' | 'meta'>;

/** Who a text is rendered for. */
export interface Reader {
  /** Whether a record is public or this reader's to read. */
  mayRead(post: ReadablePost): boolean;
}

/** Who a text is rendered for, and by which settings. */
export interface RenderedFor {
  settings: Pick<SiteSettings, 'render' | 'links'>;
  access: Reader;
}

/** Whether a reader's galleries and playlists leave out what is attached to a record (R15). */
export function isHiddenParent(parent: ReadablePost & Pick<PostRecord, 'password'>, reader: Reader): boolean {
  return hasPassword(parent) || !reader.mayRead(parent);
}
