import type { SiteSettings } from '../options/site-settings.js';
import { hasPassword, type PostRecord } from '../posts/post-record.js';

/** The fields of a record that decide who may read it. */
type ReadablePost = Pick<PostRecord, 'id' | 'type' | 'author' | 'status' | 'meta'>;

/** The user for whom a text is rendered. */
export interface Reader {
  mayRead(post: ReadablePost): boolean;
}

export interface RenderedFor {
  settings: Pick<SiteSettings, 'render' | 'links'>;
  access: Reader;
}

/** Whether galleries and playlists omit the attachments of a record (R15). */
export function isHiddenParent(parent: ReadablePost & Pick<PostRecord, 'password'>, reader: Reader): boolean {
  return hasPassword(parent) || !reader.mayRead(parent);
}
