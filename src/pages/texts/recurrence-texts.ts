import { readTranslations } from './read-translations.js';
import { RECURRENCE_EN, type RecurrenceTexts } from './recurrence-en.js';

/** Texts of recurrence rules by language. */
export const RECURRENCE_TEXTS: Readonly<Record<string, RecurrenceTexts>> = {
  en: RECURRENCE_EN,
  ...readTranslations<RecurrenceTexts>(new URL('recurrence.tsv', import.meta.url)),
};
