import { deletePercentEscapes } from './delete-percent-escapes.js';
import { escHtml } from './esc-html.js';
import { phpTrim } from './php-trim.js';
import { wpStripAllTags } from './wp-strip-all-tags.js';

const LINE_BREAKS = /[\r\n\t ]+/g;
const SPACES = / +/g;
const TAG = /<[^<>]*>?/g;
const HEX = /^[0-9a-f]{2}$/i;

/** Sanitizes a text to one trimmed line without tags and percent escapes; a stray `<` becomes `&lt;`. */
export function sanitizeTextField(text: string): string {
  const plain = phpTrim(withoutTags(text).replace(LINE_BREAKS, ' '));
  const result = deletePercentEscapes(plain, HEX);
  return result === plain ? result : phpTrim(result.replace(SPACES, ' '));
}

function withoutTags(text: string): string {
  if (!text.includes('<')) return text;
  return wpStripAllTags(text.replace(TAG, (tag) => (tag.endsWith('>') ? tag : escHtml(tag))));
}
