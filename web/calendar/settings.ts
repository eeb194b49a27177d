import type { Texts } from '../../src/pages/calendar/data/texts.js';

/** What the server says to the script. */
export interface Settings {
  /** Relative address of the interface. */
  api: string;
  language: string;
  direction: 'ltr' | 'rtl';
  hour12: boolean;
  /** The site's zone: `Europe/Berlin` or `+05:30`. */
  zone: string;
  onSiteClock: boolean;
  /** 0 is Sunday. */
  firstDay: number;
  /** `HH:MM`: when a day of the calendar ends. */
  dayCutoff: string;
  texts: Texts;
}

/** The page's element with this id, which the server has put there. */
export function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as T;
}

/** What the page says of itself. */
export function readSettings(): Settings {
  return JSON.parse(element('settings').textContent ?? '') as Settings;
}
