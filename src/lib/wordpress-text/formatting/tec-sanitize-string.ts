import { htmlEntityDecode } from './html-entity-decode.js';
import { phpStripTags } from './php-strip-tags.js';

/** What the calendar keeps of a scalar event meta (cost, URL, currency): entities decoded, then tags removed. */
export function tecSanitizeString(text: string): string {
  return phpStripTags(htmlEntityDecode(text));
}
