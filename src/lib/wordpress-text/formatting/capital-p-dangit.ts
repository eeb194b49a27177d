import { typographyOf } from './data/typography.js';

const boundaries = new Map<string, RegExp>();

/**
 * The text with `WordPress` for `Wordpress`: anywhere in a title, elsewhere only after a space, tag, or an opening quote of the
 * site's language.
 */
export function capitalPDangit(text: string, where: 'the_title' | 'the_content', locale = 'en_US'): string {
  if (!text.includes('Wordpress')) return text;
  return where === 'the_title'
    ? text.replaceAll('Wordpress', 'WordPress')
    : text.replace(afterBoundary(locale), 'WordPress');
}

function afterBoundary(locale: string): RegExp {
  const { openingSingle, openingDouble } = typographyOf(locale);
  const key = `${openingSingle} ${openingDouble}`;
  const known = boundaries.get(key);
  if (known) return known;
  // A language that puts blanks into its quotes has them around words, too.
  const blanks = openingDouble.endsWith('&nbsp;') ? ['&nbsp;', '\u00a0'] : [];
  const made = new RegExp(`(?<=[ >(]|${[openingSingle, openingDouble, ...blanks].join('|')})Wordpress`, 'g');
  boundaries.set(key, made);
  return made;
}
