import type { SiteSettings } from '../options/site-settings.js';

/** What writing rows needs to know besides the rows. */
export interface WriteSite {
  settings: SiteSettings;
  /** Epoch milliseconds. */
  now: number;
  /** Who writes. */
  userId: number;
}
