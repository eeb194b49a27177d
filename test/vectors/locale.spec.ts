import { type Typography, typographyOf } from '../../src/lib/wordpress-text/formatting/data/typography.js';
import { capitalPDangit, theTitle } from '../../src/lib/wordpress-text/formatting/the-content.js';
import { wptexturize } from '../../src/lib/wordpress-text/formatting/wptexturize.js';
import { loadVectors, proveVectors } from '../support/vectors.js';

type Field =
  | 'opening_double'
  | 'closing_double'
  | 'apostrophe'
  | 'prime'
  | 'double_prime'
  | 'opening_single'
  | 'closing_single'
  | 'en_dash'
  | 'em_dash'
  | 'excerpt_more'
  | 'word_count_type';

const { locales } = loadVectors<{ locales: Record<string, Record<Field, string>> }>('locale-typography');

/** Texts that use each character of a language, and their texturized form. */
const SAMPLES: readonly [text: string, written: (characters: Record<Field, string>) => string][] = [
  ['"a"', (it) => `${it.opening_double}a${it.closing_double}`],
  ["'a'", (it) => `${it.opening_single}a${it.closing_single}`],
  ["``a''", (it) => `${it.opening_double}a${it.closing_double}`],
  ["it's", (it) => `it${it.apostrophe}s`],
  ["the '90s", (it) => `the ${it.apostrophe}90s`],
  [`5' 10"`, (it) => `5${it.prime} 10${it.double_prime}`],
  [
    `"a 'b' c"`,
    (it) => {
      return `${it.opening_double}a ${it.opening_single}b${it.closing_single} c${it.closing_double}`;
    },
  ],
  [
    `"he is 6' 2" tall"`,
    (it) => {
      return `${it.opening_double}he is 6${it.prime} 2${it.double_prime} tall${it.closing_double}`;
    },
  ],
  ['a - b', (it) => `a ${it.en_dash} b`],
  ['a--b', (it) => `a${it.en_dash}b`],
  ['a -- b', (it) => `a ${it.em_dash} b`],
  ['a---b', (it) => `a${it.em_dash}b`],
];

const SAMPLE_ROWS = Object.entries(locales).flatMap(([locale, characters]) =>
  SAMPLES.map(([text, written]) => ({ locale, text, written: written(characters) })),
);

describe('locale', () => {
  proveVectors('locale-typography', Object.entries(locales), ([locale, characters]) => ({
    expected: characters,
    actual: fieldsOf(typographyOf(locale)),
  }));
  proveVectors('locale-typography through wptexturize', SAMPLE_ROWS, ({ locale, text, written }) => ({
    expected: written,
    actual: wptexturize(text, locale),
  }));

  it('texturizes as en_US for an unknown language', () => {
    expect(wptexturize('"a" -- b', 'xx_XX')).toBe('&#8220;a&#8221; &#8212; b');
    expect(wptexturize('"a"', 'constructor')).toBe('&#8220;a&#8221;');
  });

  it.each(['fr_FR', 'el', 'he_IL', 'bs_BA', 'en_US'])(
    'texturizes contractions in %s as in English',
    (locale) => {
      expect(wptexturize("'tis 'twas", locale)).toBe('&#8217;tis &#8217;twas');
    },
  );

  it.each([
    ['fr_FR', '"Wordpress"', '&laquo;&nbsp;WordPress&nbsp;&raquo;'],
    ['fr_FR', '«\u00a0Wordpress\u00a0»', '«\u00a0WordPress\u00a0»'],
    ['fr_FR', '«&nbsp;Wordpress&nbsp;»', '«&nbsp;WordPress&nbsp;»'],
    ['fr_FR', "l'Wordpress", 'l&rsquo;Wordpress'],
    ['ru_RU', '"Wordpress"', '&#171;WordPress&#187;'],
    ['en_US', '"Wordpress"', '&#8220;WordPress&#8221;'],
    ['en_US', '&nbsp;Wordpress', '&nbsp;Wordpress'],
  ])('capitalizes WordPress in %s after an opening quote: %s', (locale, text, written) => {
    expect(capitalPDangit(wptexturize(text, locale), 'the_content', locale)).toBe(written);
  });

  it('texturizes titles by the language', () => {
    expect(theTitle(' "Le Monde" ', 'fr_FR')).toBe('&laquo;&nbsp;Le Monde&nbsp;&raquo;');
  });
});

function fieldsOf(typography: Typography): Record<Field, string> {
  return {
    opening_double: typography.openingDouble,
    closing_double: typography.closingDouble,
    apostrophe: typography.apostrophe,
    prime: typography.prime,
    double_prime: typography.doublePrime,
    opening_single: typography.openingSingle,
    closing_single: typography.closingSingle,
    en_dash: typography.enDash,
    em_dash: typography.emDash,
    excerpt_more: typography.excerptMore,
    word_count_type: typography.wordCountType,
  };
}
