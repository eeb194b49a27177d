import type { SiteSettings } from '../options/site-settings.js';

/** The context of a write. */
export interface WriteSite {
  settings: SiteSettings;
  /** Epoch milliseconds. */
  now: number;
  /** The current user. */
  access: { user: { id: number } };
}
