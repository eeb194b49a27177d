import type { PlainValue } from '../lib/wordpress-text/php-serialize.js';
import { CALENDAR_TYPES, DEFAULT_ROLES } from './data/roles.js';

/** The option `{prefix}user_roles` of a site with the activated plugin. */
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

/** The actions of a role on each calendar type: `edit_others` and so on. */
export function calendarActions(role: 'Editor' | 'Author' | 'Contributor'): string[] {
  return words(DEFAULT_ROLES.find(({ name }) => name === role)?.calendar ?? '');
}

/** Whether WordPress or the calendar grants the capability to roles. */
export function isDefaultCapability(capability: string): boolean {
  const [, own = ''] = /^[a-z_]+?_(tribe_.+|aggregator-records)$/.exec(capability) ?? [];
  return (
    CALENDAR_TYPES.includes(own) ||
    DEFAULT_ROLES.some(({ capabilities }) => words(capabilities).includes(capability))
  );
}

const words = (text: string) => text.split(' ').filter(Boolean);
