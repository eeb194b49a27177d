import { textsByLanguage } from './read-translations.js';

/** English texts of the page at `/`. */
const EN = {
  title: '{site}: calendar interface',
  noName: 'Calendar',
  about:
    "This is Almanac: it serves the site's events, venues, organizers, categories and tags to programs, as JSON over HTTP.",
  site: 'The site',
  calendar: 'The calendar',
  toCalendar: '{link}: the events, for people',
  api: 'The interface',
  editors: 'For editors',
  toEditor: '{link}: write events, venues and organizers',
  documents: 'Documents',
  toDocs: '{link}: a page to read about every route, and to try it',
  toDocument: '{link}: the same for programs',
  health: 'Health',
  toLive: '{link}: the process runs',
  toReady: '{link}: it can answer',
};

/** Texts of the page at `/` in one language. */
export type HomeTexts = typeof EN;

/** The texts of a language, such as `de-DE`; English ones by default. */
export const homeTexts = textsByLanguage(EN, new URL('home.tsv', import.meta.url));
