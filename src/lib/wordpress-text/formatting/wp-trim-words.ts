import { typographyOf } from './data/typography.js';
import { wpStripAllTags } from './wp-strip-all-tags.js';

const SPACES = /[\n\r\t ]+/g;

/** The first `count` words (in some locales characters) of the text without tags, followed by `more` when truncated. */
export function wpTrimWords(text: string, count: number, more: string, locale: string): string {
  const plain = wpStripAllTags(text);
  const byCharacter = typographyOf(locale).wordCountType !== 'words';
  // One more word than returned tells whether the text is truncated.
  const words = byCharacter ? [...plain.replace(SPACES, ' ')] : plain.split(SPACES, count + 1);
  const excerpt = words.slice(0, count).join(byCharacter ? '' : ' ');
  return words.length > count ? excerpt + more : excerpt;
}
