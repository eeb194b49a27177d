import { hasPassword } from './post-passwords.service.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import type { ExcerptSource } from '../../lib/wordpress-text/formatting/tribe-post-excerpt.js';
import type { PostRecord } from './post-record.js';

/** The columns and meta of a record that structured data reads. */
export type JsonLdSource = Pick<PostRecord, 'title' | 'content' | 'excerpt' | 'status' | 'password' | 'meta'>;

/** The texts of a record's structured data, rendered and escaped for a script. */
export interface JsonLdTexts {
  /** The title with its English prefix (R7). */
  name: string;
  /** The excerpt, or the first words of the content, as HTML. */
  description: string;
}

/** The stored title with its prefix, the source of `name`. */
export function jsonLdTitle(post: Pick<PostRecord, 'title' | 'status' | 'password'>): string {
  return prefixOf(post) + post.title;
}

/** The source of `description`: the excerpt, else the content. */
export function jsonLdExcerpt({ excerpt, content }: Pick<PostRecord, 'excerpt' | 'content'>): ExcerptSource {
  const isExcerpt = !isPhpEmpty(excerpt);
  return { text: isExcerpt ? excerpt : content, isExcerpt };
}

function prefixOf({ password, status }: Pick<PostRecord, 'status' | 'password'>): string {
  if (hasPassword({ password })) return 'Protected: ';
  return status === 'private' ? 'Private: ' : '';
}
