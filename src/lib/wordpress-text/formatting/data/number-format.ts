/** How a language writes numbers. */
export interface NumberFormat {
  decimal: string;
  /** As its translation has it, so an entity where that is a blank. */
  thousands: string;
}

const ENGLISH: NumberFormat = { decimal: '.', thousands: ',' };

const DIFFERING: readonly [decimal: string, thousands: string, locales: string][] = [
  [',', '&nbsp;', 'bg_BG cs_CZ et fi fr_FR nb_NO pl_PL ru_RU sk_SK sv_SE vi'],
  ['.', '.', 'bs_BA nl_NL sw'],
  [
    ',',
    '.',
    'ca da_DK de_DE el eo es_ES eu gl_ES hr id_ID it_IT jv_ID mk_MK nl pt_BR pt_PT sl_SI sr_RS su_ID tr_TR',
  ],
  ['٫', ',', 'fa_IR'],
  ['.', '&nbsp;', 'sq'],
];

const FORMATS: ReadonlyMap<string, NumberFormat> = new Map(
  DIFFERING.flatMap(([decimal, thousands, locales]) =>
    locales.split(' ').map((locale): [string, NumberFormat] => [locale, { decimal, thousands }]),
  ),
);

/** The signs of a language (option `WPLANG`); those of English where none are known. */
export function numberFormatOf(locale: string): NumberFormat {
  return FORMATS.get(locale) ?? ENGLISH;
}
