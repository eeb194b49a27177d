import { EN, type Texts } from './calendar-en.js';
import { readTranslations } from './read-translations.js';

/** Texts by language; the translations are a table with one column per language. */
export const TEXTS: { en: Texts } & Readonly<Record<string, Texts>> = {
  en: EN,
  ...readTranslations<Texts>(new URL('calendar.tsv', import.meta.url)),
};
