import { EN, type Texts } from './en.js';
import { readTranslations } from './read-translations.js';

/** Texts by language; the translations are a table with one column per language. */
export const TEXTS: { en: Texts } & Readonly<Record<string, Texts>> = {
  en: EN,
  ...readTranslations<Texts>(new URL('translations.tsv', import.meta.url)),
};
