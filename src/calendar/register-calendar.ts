import type { ContentTypes } from '../wordpress/types/content-types.js';
import { CALENDAR_OPTION, OCCURRENCE_BASE_OPTION } from './calendar-settings.js';

/** Meta key of the URL that an attachment was imported from. */
export const IMPORT_SOURCE_KEY = '_tribe_importer_original_url';

/** Registers the calendar's options, and the type and statuses of its importer. */
export function registerCalendar(types: ContentTypes): void {
  types.options.add(CALENDAR_OPTION);
  types.options.add(OCCURRENCE_BASE_OPTION);
  types.add(IMPORT_RECORD);
  for (const [name, status] of Object.entries(IMPORT_STATUSES)) types.statuses.set(name, status);
}

const IMPORT_RECORD = { type: 'tribe-ea-record', capabilities: 'aggregator-records' };

const IMPORT_STATUSES = {
  'tribe-ea-success': { public: true, plainLinks: true },
  'tribe-ea-failed': { public: true, plainLinks: true },
  'tribe-ea-schedule': { public: true, plainLinks: true },
  'tribe-ea-pending': { public: true, plainLinks: true },
  'tribe-ea-draft': { public: true, plainLinks: true },
  'tribe-ignored': {},
} as const;
