import { convertInvalidEntities } from './convert-chars.js';
import { wpKsesPost } from './wp-kses.js';

/**
 * Sanitizes a post's content or excerpt for storage: repairs entities and, unless the author may write `unfiltered` HTML,
 * filters it to post HTML; `uploadsUrl` as in `wpKses`.
 */
export function contentSavePre(text: string, unfiltered: boolean, uploadsUrl = ''): string {
  const repaired = convertInvalidEntities(text);
  return unfiltered ? repaired : wpKsesPost(repaired, uploadsUrl);
}
