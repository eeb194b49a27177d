import { textsByLanguage } from './read-translations.js';

/** English texts of public pages. */
const EN = {
  noEvents: 'No upcoming events.',
  moreEvents: 'All events in the calendar',
  previousEvent: 'Previous event',
  nextEvent: 'Next event',
  calendar: 'Calendar',
  address: 'Address',
  phone: 'Phone',
  email: 'E-mail',
  mapOf: 'Map of {place}',
  missing: 'This page does not exist.',
  missingHint: 'The address may be mistyped, or the page is gone.',
};

/** Texts of public pages in one language. */
export type PublicTexts = typeof EN;

/** The texts of a language, such as `de-DE`; English ones by default. */
export const publicTexts = textsByLanguage(EN, new URL('public.tsv', import.meta.url));
