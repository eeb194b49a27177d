import { phpTrim } from './php-trim.js';
import { wpStripAllTags } from './wp-strip-all-tags.js';

const SPACES = /[\n\r\t ]+/g;
/** Languages whose text is measured in characters, as recorded. */
const COUNTED_BY_CHARACTER: ReadonlySet<string> = new Set(['zh_CN', 'zh_TW']);

/**
 * The first `count` words (in some locales characters) of the text without tags; `more` follows when there
 * were others.
 */
export function wpTrimWords(text: string, count: number, more: string, locale: string): string {
  const plain = phpTrim(wpStripAllTags(text).replace(SPACES, ' '));
  const byCharacter = COUNTED_BY_CHARACTER.has(locale);
  const words = plain === '' ? [] : byCharacter ? [...plain] : plain.split(' ');
  const kept = words.slice(0, count).join(byCharacter ? '' : ' ');
  return words.length > count ? kept + more : kept;
}
