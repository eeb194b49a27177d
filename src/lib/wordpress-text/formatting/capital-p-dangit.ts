import { typographyOf } from './data/typography.js';

const boundaries = new Map<string, RegExp>();

/**
 * Replaces `Wordpress` by `WordPress`: anywhere in a title, elsewhere only after a space, a tag or an opening quote of the
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
  // A language with spaces inside its quotes has non-breaking ones around words too.
  const spaces = openingDouble.endsWith('&nbsp;') ? ['&nbsp;', '\u00a0'] : [];
  const boundary = new RegExp(
    `(?<=[ >(]|${[openingSingle, openingDouble, ...spaces].join('|')})Wordpress`,
    'g',
  );
  boundaries.set(key, boundary);
  return boundary;
}
