import type { PlainValue } from '../lib/wordpress-text/php-serialize.js';

/** A role of a new site; lists are separated by spaces. */
interface DefaultRole {
  name: string;
  capabilities: string;
  /** Actions on each calendar type: `edit_others` means `edit_others_tribe_events` and so on. */
  calendar: string;
}

/** Post types of the calendar in the order in which the plugin grants their capabilities. */
const CALENDAR_TYPES = ['tribe_events', 'tribe_venues', 'tribe_organizers', 'aggregator-records'];

const ALL_ACTIONS =
  'read_private edit edit_others edit_private edit_published delete delete_others delete_private delete_published publish';

/** The roles of a site with the activated plugin, as recorded. */
const DEFAULT_ROLES: readonly DefaultRole[] = [
  {
    name: 'Administrator',
    capabilities:
      'switch_themes edit_themes activate_plugins edit_plugins edit_users edit_files manage_options moderate_comments ' +
      'manage_categories manage_links upload_files import unfiltered_html edit_posts edit_others_posts ' +
      'edit_published_posts publish_posts edit_pages read level_10 level_9 level_8 level_7 level_6 level_5 level_4 ' +
      'level_3 level_2 level_1 level_0 edit_others_pages edit_published_pages publish_pages delete_pages ' +
      'delete_others_pages delete_published_pages delete_posts delete_others_posts delete_published_posts ' +
      'delete_private_posts edit_private_posts read_private_posts delete_private_pages edit_private_pages ' +
      'read_private_pages delete_users create_users unfiltered_upload edit_dashboard update_plugins delete_plugins ' +
      'install_plugins update_themes install_themes update_core list_users remove_users promote_users ' +
      'edit_theme_options delete_themes export',
    calendar: ALL_ACTIONS,
  },
  {
    name: 'Editor',
    capabilities:
      'moderate_comments manage_categories manage_links upload_files unfiltered_html edit_posts edit_others_posts ' +
      'edit_published_posts publish_posts edit_pages read level_7 level_6 level_5 level_4 level_3 level_2 level_1 ' +
      'level_0 edit_others_pages edit_published_pages publish_pages delete_pages delete_others_pages ' +
      'delete_published_pages delete_posts delete_others_posts delete_published_posts delete_private_posts ' +
      'edit_private_posts read_private_posts delete_private_pages edit_private_pages read_private_pages',
    calendar: ALL_ACTIONS,
  },
  {
    name: 'Author',
    capabilities:
      'upload_files edit_posts edit_published_posts publish_posts read level_2 level_1 level_0 delete_posts ' +
      'delete_published_posts',
    calendar: 'edit edit_published delete delete_published publish',
  },
  {
    name: 'Contributor',
    capabilities: 'edit_posts read level_1 level_0 delete_posts',
    calendar: 'edit delete',
  },
  { name: 'Subscriber', capabilities: 'read level_0', calendar: '' },
];

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
