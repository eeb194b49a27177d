import { convertInvalidEntities } from './convert-chars.js';
import { wpKsesPost } from './wp-kses-post.js';

/**
 * A post's content or excerpt as it is stored: entities repaired, and without the author's `unfiltered` right only post
 * HTML; `uploadsUrl` as in `wpKses`.
 */
export function contentSavePre(text: string, unfiltered: boolean, uploadsUrl = ''): string {
  const repaired = convertInvalidEntities(text);
  return unfiltered ? repaired : wpKsesPost(repaired, uploadsUrl);
}
