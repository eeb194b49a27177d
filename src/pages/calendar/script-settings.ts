import type { Texts } from '../texts/calendar-en.js';
import type { EventTimes } from './shown-time.js';

/** Settings for the page's script (web/calendar). */
export interface ScriptSettings {
  /** Relative URL of the interface. */
  api: string;
  /** Relative URL of the script for pages that frame the calendar. */
  embedScript: string;
  language: string;
  direction: 'ltr' | 'rtl';
  hour: '2-digit' | 'numeric';
  hour12: boolean;
  /** The site's zone: `Europe/Berlin` or `+05:30`. */
  zone: string;
  onSiteClock: boolean;
  /** 0 is Sunday. */
  firstDay: number;
  /** `HH:MM` at which a calendar day ends. */
  dayCutoff: string;
  texts: Texts;
  /** The events of the first month, if the page shows one. */
  inlined?: InlinedEvents;
}

/** An event as views of the calendar need it. */
export interface ListedEvent extends EventTimes {
  id: number;
  /** HTML. */
  title: string;
  categories: readonly { slug: string; name: string }[];
  venue: { venue?: unknown; city?: unknown } | readonly { venue?: unknown; city?: unknown }[];
}

/** All events between two wall clocks, `YYYY-MM-DD HH:MM:SS`. */
export interface InlinedEvents {
  from: string;
  to: string;
  events: readonly ListedEvent[];
}
