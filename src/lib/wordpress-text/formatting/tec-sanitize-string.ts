import { htmlEntityDecode } from './html-entity-decode.js';
import { phpStripTags } from './php-strip-tags.js';

/** Sanitizes a scalar event meta (cost, URL, currency) as the plugin does: decodes entities, then removes tags. */
export function tecSanitizeString(text: string): string {
  return phpStripTags(htmlEntityDecode(text));
}
