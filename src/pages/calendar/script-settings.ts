import type { Texts } from './texts/en.js';

/** Settings for the page's script (web/calendar). */
export interface ScriptSettings {
  /** Relative URL of the interface. */
  api: string;
  language: string;
  direction: 'ltr' | 'rtl';
  hour12: boolean;
  /** The site's zone: `Europe/Berlin` or `+05:30`. */
  zone: string;
  onSiteClock: boolean;
  /** 0 is Sunday. */
  firstDay: number;
  /** `HH:MM` at which a calendar day ends. */
  dayCutoff: string;
  texts: Texts;
}
