import type { Check } from './check.js';
import { countsCheck } from './counts.check.js';
import { datesCheck } from './dates.check.js';
import { encodingCheck } from './encoding.check.js';
import { grantsCheck } from './grants.check.js';
import { indexesCheck } from './indexes.check.js';
import { linksCheck } from './links.check.js';
import { loginsCheck } from './logins.check.js';
import { metaCheck } from './meta.check.js';
import { objectCacheCheck } from './object-cache.check.js';
import { occurrencesCheck } from './occurrences.check.js';
import { recurrenceCheck } from './recurrence.check.js';
import { relationsCheck } from './relations.check.js';
import { rolesCheck } from './roles.check.js';
import { scheduleCheck } from './schedule.check.js';
import { seriesCheck } from './series.check.js';
import { serverCheck } from './server.check.js';
import { settingsCheck } from './settings.check.js';
import { slugsCheck } from './slugs.check.js';
import { storageCheck } from './storage.check.js';
import { tablesCheck } from './tables.check.js';
import { webhooksCheck } from './webhooks.check.js';

/** All checks, in the order of their output. */
export const CHECKS: readonly Check[] = [
  serverCheck,
  tablesCheck,
  grantsCheck,
  storageCheck,
  encodingCheck,
  settingsCheck,
  rolesCheck,
  loginsCheck,
  occurrencesCheck,
  recurrenceCheck,
  seriesCheck,
  datesCheck,
  linksCheck,
  relationsCheck,
  metaCheck,
  countsCheck,
  slugsCheck,
  scheduleCheck,
  webhooksCheck,
  indexesCheck,
  objectCacheCheck,
];
