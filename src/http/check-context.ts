import type { Lookups } from './lookups.js';
import type { RequestContext } from './request-context.js';

/** What the checks of one request may ask: what the caller may do, the site's settings, records by id, the time. */
export interface CheckContext extends RequestContext {
  lookups: Lookups;
  /** Whether the request changes a record (POST, PUT, PATCH). */
  writes: boolean;
}
