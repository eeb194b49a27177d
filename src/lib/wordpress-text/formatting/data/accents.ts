/** Inclusive ranges of letters whose accents slugs lose: Western, Vietnamese, pinyin and Romanian letters. */
export const ACCENTED_RANGES: ReadonlyArray<readonly [number, number]> = [
  [0x00c0, 0x017f],
  [0x01a0, 0x01a1],
  [0x01af, 0x01b0],
  [0x01cd, 0x01dc],
  [0x0218, 0x021b],
  [0x1ea0, 0x1ef9],
];

/** Signs and letters that Unicode does not take apart into an ASCII letter and accents. */
export const UNDECOMPOSED: Readonly<Record<string, string>> = {
  ª: 'a',
  º: 'o',
  Æ: 'AE',
  æ: 'ae',
  Ð: 'D',
  ð: 'd',
  Ø: 'O',
  ø: 'o',
  Þ: 'TH',
  þ: 'th',
  ß: 's',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  Ĳ: 'IJ',
  ĳ: 'ij',
  ĸ: 'k',
  Ŀ: 'L',
  ŀ: 'l',
  Ł: 'L',
  ł: 'l',
  ŉ: 'n',
  Ŋ: 'N',
  ŋ: 'n',
  Œ: 'OE',
  œ: 'oe',
  Ŧ: 'T',
  ŧ: 't',
  ſ: 's',
  '€': 'E',
  '£': '',
};

const GERMAN = { Ä: 'Ae', ä: 'ae', Ö: 'Oe', ö: 'oe', Ü: 'Ue', ü: 'ue', ß: 'ss' };
const DANISH = { Æ: 'Ae', æ: 'ae', Ø: 'Oe', ø: 'oe', Å: 'Aa', å: 'aa' };
const SOUTH_SLAVIC = { Đ: 'DJ', đ: 'dj' };

/** What a language writes instead, by site locale; German has several locales. */
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
