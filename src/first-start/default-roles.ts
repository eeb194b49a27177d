import type { PlainValue } from '../wordpress/options/php-serialize.js';
import { CALENDAR_TYPES, DEFAULT_ROLES } from './data/roles.js';

/** The option `{prefix}user_roles` of a site on which the plugin was activated. */
export function defaultRoles(): PlainValue {
  return Object.fromEntries(
    DEFAULT_ROLES.map(({ name, capabilities, calendar }) => {
      const ofCalendar = CALENDAR_TYPES.flatMap((type) =>
        words(calendar).map((action) => `${action}_${type}`),
      );
      const granted = [...words(capabilities), ...ofCalendar].map((capability) => [capability, true]);
      return [name.toLowerCase(), { name, capabilities: Object.fromEntries(granted) }];
    }),
  );
}

const words = (text: string) => text.split(' ').filter(Boolean);
