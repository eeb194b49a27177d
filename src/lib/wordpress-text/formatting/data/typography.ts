/** What a language writes for quotes, primes and dashes, and how its excerpts are cut. */
export interface Typography {
  openingDouble: string;
  closingDouble: string;
  openingSingle: string;
  closingSingle: string;
  apostrophe: string;
  prime: string;
  doublePrime: string;
  enDash: string;
  emDash: string;
  excerptMore: string;
  wordCountType: 'words' | 'characters_excluding_spaces';
}

const EN_US: Typography = {
  openingDouble: '&#8220;',
  closingDouble: '&#8221;',
  openingSingle: '&#8216;',
  closingSingle: '&#8217;',
  apostrophe: '&#8217;',
  prime: '&#8242;',
  doublePrime: '&#8243;',
  enDash: '&#8211;',
  emDash: '&#8212;',
  excerptMore: '&hellip;',
  wordCountType: 'words',
};

const DIFFERING: ReadonlyMap<string, Partial<Typography>> = new Map<string, Partial<Typography>>([
  ['bs_BA', { apostrophe: "'", prime: "'", doublePrime: '"' }],
  [
    'el',
    {
      openingDouble: '«',
      closingDouble: '»',
      openingSingle: '“',
      closingSingle: '”',
      apostrophe: '’',
      prime: '′',
      doublePrime: '″',
      enDash: '–',
      emDash: '—',
      excerptMore: '…',
    },
  ],
  ['fi', { openingDouble: '&#8221;', openingSingle: '&#8217;' }],
  [
    'fr_FR',
    {
      openingDouble: '&laquo;&nbsp;',
      closingDouble: '&nbsp;&raquo;',
      openingSingle: '&lsquo;',
      closingSingle: '&rsquo;',
      apostrophe: '&rsquo;',
      prime: '&prime;',
      doublePrime: '&Prime;',
    },
  ],
  [
    'he_IL',
    {
      openingDouble: '&quot;',
      closingDouble: '&quot;',
      openingSingle: "'",
      closingSingle: "'",
      apostrophe: "'",
      prime: "'",
      doublePrime: '&quot;',
    },
  ],
  ['my_MM', { openingDouble: '&#8220; ', closingDouble: '&#8221; ' }],
  ['ru_RU', { openingDouble: '&#171;', closingDouble: '&#187;', enDash: '&#8212;' }],
  ['sr_RS', { openingDouble: '&#8222;', closingDouble: '&#8220;' }],
  ['sv_SE', { openingDouble: '&#8221;' }],
  ['ug_CN', { openingDouble: '&#8221;', closingDouble: '&#8220;' }],
  ['zh_CN', { wordCountType: 'characters_excluding_spaces' }],
  ['zh_TW', { closingDouble: '"', wordCountType: 'characters_excluding_spaces' }],
]);

const TYPOGRAPHIES: ReadonlyMap<string, Typography> = new Map(
  [...DIFFERING].map(([locale, differing]) => [locale, { ...EN_US, ...differing }]),
);

/** The typography of a site language such as `fr_FR`; that of `en_US` for a language that writes the same. */
export function typographyOf(locale: string): Typography {
  return TYPOGRAPHIES.get(locale) ?? EN_US;
}

/** Regular expression source of what text rendering takes for one space. */
export const SPACE = '[\\r\\n\\t \\u00A0]|&nbsp;';
