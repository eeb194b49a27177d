import { AlmanacError } from 'almanac-client';
import { nowIn } from './dates.js';
import { type JsonObject, toObject } from './json.js';
import type { Call } from './tool.js';

/** Capabilities that a model should know before it tries to write, by the words for them. */
const RIGHTS = {
  create_events: 'edit_tribe_events',
  publish_events: 'publish_tribe_events',
  change_events_of_others: 'edit_others_tribe_events',
  trash_events: 'delete_tribe_events',
  create_venues: 'edit_tribe_venues',
  create_organizers: 'edit_tribe_organizers',
} as const;

/** The site's name, zone and time, and the caller; reads two routes of WordPress's. */
export async function calendarInfo({ calendar, credentials, signal }: Call): Promise<JsonObject> {
  const [site, caller] = await Promise.all([
    calendar.readRoot('?_fields=name,description,url,timezone_string,gmt_offset', credentials, signal),
    readCaller({ calendar, credentials, signal }),
  ]);
  const zone = site['timezone_string'];
  const local = typeof zone === 'string' && zone !== '' ? { timezone: zone, local_time: nowIn(zone) } : {};
  return {
    name: site['name'],
    ...(site['description'] ? { description: site['description'] } : {}),
    url: site['url'],
    utc_offset_hours: site['gmt_offset'],
    utc_time: new Date().toISOString(),
    ...local,
    ...caller,
  };
}

async function readCaller({ calendar, credentials, signal }: Omit<Call, 'args'>): Promise<JsonObject> {
  try {
    const path = 'wp/v2/users/me?context=edit&_fields=name,roles,capabilities';
    const { name, roles, capabilities } = await calendar.readRoot(path, credentials, signal);
    const granted = toObject(capabilities);
    const may = Object.entries(RIGHTS).map(([right, capability]) => [right, granted[capability] === true]);
    return { signed_in_as: name, roles, may: Object.fromEntries(may) };
  } catch (error) {
    if (error instanceof AlmanacError && error.code === 'rest_not_logged_in') return { signed_in_as: null };
    throw error;
  }
}
