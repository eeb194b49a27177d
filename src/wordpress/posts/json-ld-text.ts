import { escJs } from '../formatting/esc-html.js';
import { theTitle } from '../formatting/the-title.js';
import { tribePostExcerpt } from '../formatting/tribe-post-excerpt.js';
import type { PostRecord } from './post-record.js';

/** The columns and meta that structured data reads of a record. */
export type JsonLdSource = Pick<PostRecord, 'title' | 'content' | 'excerpt' | 'status' | 'password' | 'meta'>;

/** What decides whether a reader gets the structured data of a record. */
export interface JsonLdReader {
  loggedIn: boolean;
  /** Whether a reader who is logged in has the capability to read this record. */
  canRead: boolean;
  /** Whether the record has no password or the reader gave it. */
  unlocked: boolean;
}

/** Whether a record carries `json_ld` for this reader; to visitors only published ones do. */
export function hasJsonLd(post: Pick<PostRecord, 'status'>, reader: JsonLdReader): boolean {
  return reader.unlocked && (reader.loggedIn ? reader.canRead : post.status === 'publish');
}

/** The rendered title of a record with its English prefix (R7), escaped for a script. */
export function jsonLdName(post: Pick<PostRecord, 'title' | 'status' | 'password'>, locale: string): string {
  return escJs(theTitle(prefixOf(post) + post.title, locale));
}

/** The excerpt of a record, or the first words of its content, as HTML escaped for a script. */
export function jsonLdDescription(post: Pick<PostRecord, 'excerpt' | 'content'>, locale: string): string {
  return escJs(tribePostExcerpt({ postExcerpt: post.excerpt, postContent: post.content }, locale));
}

function prefixOf({ password, status }: Pick<PostRecord, 'status' | 'password'>): string {
  if (password !== '') return 'Protected: ';
  return status === 'private' ? 'Private: ' : '';
}
