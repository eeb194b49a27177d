import type { AuthenticatedUser } from '../auth/auth.service.js';
import type { SiteSettings } from '../wordpress/options/site-settings.js';
import type { Lookups } from './lookups.js';

/** What the checks of one request may ask: who is there, the site's settings, records by id, the time. */
export interface CheckContext {
  user: AuthenticatedUser | null;
  settings: SiteSettings;
  lookups: Lookups;
  /** Epoch milliseconds of the request. */
  now: number;
  /** Whether the request changes a record (POST, PUT, PATCH). */
  writes: boolean;
}
