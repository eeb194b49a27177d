const SIGNS = [
  ...(['openingDouble', 'closingDouble', 'openingSingle', 'closingSingle', 'apostrophe'] as const),
  ...(['prime', 'doublePrime', 'enDash', 'emDash', 'excerptMore'] as const),
];

/** The signs of each language that differs from English, in this order. */
const LANGUAGES = `
en_US|&#8220;|&#8221;|&#8216;|&#8217;|&#8217;|&#8242;|&#8243;|&#8211;|&#8212;|&hellip;
bs_BA|&#8220;|&#8221;|&#8216;|&#8217;|'|'|"|&#8211;|&#8212;|&hellip;
el|«|»|“|”|’|′|″|–|—|…
fi|&#8221;|&#8221;|&#8217;|&#8217;|&#8217;|&#8242;|&#8243;|&#8211;|&#8212;|&hellip;
fr_FR|&laquo;&nbsp;|&nbsp;&raquo;|&lsquo;|&rsquo;|&rsquo;|&prime;|&Prime;|&#8211;|&#8212;|&hellip;
he_IL|&quot;|&quot;|'|'|'|'|&quot;|&#8211;|&#8212;|&hellip;
my_MM|&#8220; |&#8221; |&#8216;|&#8217;|&#8217;|&#8242;|&#8243;|&#8211;|&#8212;|&hellip;
ru_RU|&#171;|&#187;|&#8216;|&#8217;|&#8217;|&#8242;|&#8243;|&#8212;|&#8212;|&hellip;
sr_RS|&#8222;|&#8220;|&#8216;|&#8217;|&#8217;|&#8242;|&#8243;|&#8211;|&#8212;|&hellip;
sv_SE|&#8221;|&#8221;|&#8216;|&#8217;|&#8217;|&#8242;|&#8243;|&#8211;|&#8212;|&hellip;
ug_CN|&#8221;|&#8220;|&#8216;|&#8217;|&#8217;|&#8242;|&#8243;|&#8211;|&#8212;|&hellip;
zh_CN|&#8220;|&#8221;|&#8216;|&#8217;|&#8217;|&#8242;|&#8243;|&#8211;|&#8212;|&hellip;
zh_TW|&#8220;|"|&#8216;|&#8217;|&#8217;|&#8242;|&#8243;|&#8211;|&#8212;|&hellip;`;

/** The quotes, primes and dashes of a language, and how its excerpts are truncated. */
export type Typography = Readonly<Record<(typeof SIGNS)[number] | 'wordCountType', string>>;

const TYPOGRAPHIES: ReadonlyMap<string, Typography> = new Map(
  LANGUAGES.trim()
    .split('\n')
    .map((line) => {
      const [locale = '', ...signs] = line.split('|');
      const wordCountType = locale.startsWith('zh_') ? 'characters_excluding_spaces' : 'words';
      const entries = [...SIGNS.map((sign, at) => [sign, signs[at]]), ['wordCountType', wordCountType]];
      return [locale, Object.fromEntries(entries)];
    }),
);

/** The typography of a site language such as `fr_FR`; English for an unlisted one. */
export function typographyOf(locale: string): Typography {
  return TYPOGRAPHIES.get(locale) ?? typographyOf('en_US');
}

/** Regular expression source of what text rendering takes for one space. */
export const SPACE = '[\\r\\n\\t \\u00A0]|&nbsp;';
