import type { SiteSettings } from '../options/site-settings.js';

/** What writing rows needs to know of a request besides the rows. */
export interface WriteSite {
  settings: SiteSettings;
  /** Epoch milliseconds. */
  now: number;
  /** Who writes. */
  access: { user: { id: number } };
}
