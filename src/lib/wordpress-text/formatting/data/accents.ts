/** The ASCII replacement of letters and signs that Unicode does not decompose, from pairs. */
export const UNDECOMPOSED: ReadonlyMap<string, string> = new Map(
  'ªa ºo ÆAE æae ÐD ðd ØO øo ÞTH þth ßs ĐD đd ĦH ħh ıi ĲIJ ĳij ĸk ĿL ŀl ŁL łl ŉn ŊN ŋn ŒOE œoe ŦT ŧt ſs €E £'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.slice(1)]),
);

const GERMAN = { Ä: 'Ae', ä: 'ae', Ö: 'Oe', ö: 'oe', Ü: 'Ue', ü: 'ue', ß: 'ss' };
const DANISH = { Æ: 'Ae', æ: 'ae', Ø: 'Oe', ø: 'oe', Å: 'Aa', å: 'aa' };
const SOUTH_SLAVIC = { Đ: 'DJ', đ: 'dj' };

/** Replacements of a language, by site locale; German has several locales. */
export const LOCALE_LETTERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de_DE: GERMAN,
  de_DE_formal: GERMAN,
  de_CH: GERMAN,
  de_CH_informal: GERMAN,
  de_AT: GERMAN,
  da_DK: DANISH,
  ca: { l·l: 'll' },
  sr_RS: SOUTH_SLAVIC,
  bs_BA: SOUTH_SLAVIC,
};
