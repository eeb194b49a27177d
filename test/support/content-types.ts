import { Access } from '../../src/auth/access.js';
import { calendarSettings } from '../../src/calendar/calendar-settings.js';
import { registerCalendar } from '../../src/calendar/register-calendar.js';
import { EVENT } from '../../src/resources/events/event-type.js';
import { readSettings } from '../../src/wordpress/options/read-settings.js';
import { ContentTypes } from '../../src/wordpress/types/content-types.js';
import type { CapabilityUser } from '../../src/wordpress/users/capabilities.js';

/** The content types that the shipped modules register, for functions without an application. */
export const TYPES = new ContentTypes();
registerCalendar(TYPES);
for (const one of [EVENT, ...EVENT.linked, ...EVENT.taxonomies]) TYPES.add(one);

/** Settings from option rows. */
export function settingsOf(
  options: Readonly<Record<string, string>> = {},
  { prefix = 'wp_', themeSupport }: { prefix?: string; themeSupport?: 'classic-no-html5' } = {},
) {
  return calendarSettings(readSettings(new Map(Object.entries(options)), prefix, { themeSupport }, TYPES));
}

/** The capabilities of a user; null is anonymous. */
export function accessOf(user: CapabilityUser | null, frontPages: readonly number[] = []): Access {
  return new Access(user, { frontPages }, TYPES);
}
