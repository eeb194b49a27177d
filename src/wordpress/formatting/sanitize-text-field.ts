import { escHtml } from './esc-html.js';
import { phpTrim } from './php-trim.js';
import { wpStripAllTags } from './wp-strip-all-tags.js';

const LINE_BREAKS = /[\r\n\t ]+/g;
const SPACES = / +/g;
const TAG = /<[^<>]*>?/g;
const HEX = /[0-9a-f]/i;

/**
 * One trimmed line without tags and percent escapes; a stray `<` becomes `&lt;`. Lists and objects give
 * `''`.
 */
export function sanitizeTextField(value: unknown): string {
  const plain = withoutTags(scalarText(value)).replace(LINE_BREAKS, ' ');
  return withoutPercentEscapes(phpTrim(plain));
}

function scalarText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  return value === true ? '1' : '';
}

function withoutTags(text: string): string {
  if (!text.includes('<')) return text;
  return wpStripAllTags(text.replace(TAG, (tag) => (tag.endsWith('>') ? tag : escHtml(tag))));
}

/** Removing an escape may make another one of its neighbours: `%%4141` leaves nothing. */
function withoutPercentEscapes(text: string): string {
  if (!text.includes('%')) return text;
  const kept: string[] = [];
  for (const char of text) {
    const completes = HEX.test(char) && HEX.test(kept.at(-1) ?? '') && kept.at(-2) === '%';
    if (completes) kept.length -= 2;
    else kept.push(char);
  }
  const left = kept.join('');
  return left === text ? text : phpTrim(left.replace(SPACES, ' '));
}
