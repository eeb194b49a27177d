import { typographyOf } from './data/typography.js';
import { phpTrim } from './php-trim.js';
import { wpStripAllTags } from './wp-strip-all-tags.js';

const SPACES = /[\n\r\t ]+/g;

/** The first `count` words (in some locales characters) of the text without tags; `more` follows when there were others. */
export function wpTrimWords(text: string, count: number, more: string, locale: string): string {
  const plain = phpTrim(wpStripAllTags(text).replace(SPACES, ' '));
  const byCharacter = typographyOf(locale).wordCountType !== 'words';
  const words = plain === '' ? [] : byCharacter ? [...plain] : plain.split(' ');
  const kept = words.slice(0, count).join(byCharacter ? '' : ' ');
  return words.length > count ? kept + more : kept;
}
