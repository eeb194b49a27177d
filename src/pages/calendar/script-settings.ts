import type { PageLanguage } from './page-language.js';

/** What the page tells its script (web/calendar). */
export interface ScriptSettings {
  /** Relative address of the interface. */
  api: string;
  language: string;
  direction: PageLanguage['direction'];
  hour12: boolean;
  /** The site's zone: `Europe/Berlin` or `+05:30`. */
  zone: string;
  onSiteClock: boolean;
  /** 0 is Sunday. */
  firstDay: number;
  /** `HH:MM`: when a day of the calendar ends. */
  dayCutoff: string;
  texts: PageLanguage['texts'];
}
