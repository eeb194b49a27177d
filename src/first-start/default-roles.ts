import type { PhpArray } from '../wordpress/options/php-serialize.js';

/** Post types of the calendar, in the order in which the plugin grants their capabilities. */
const CALENDAR_TYPES = ['tribe_events', 'tribe_venues', 'tribe_organizers', 'aggregator-records'];

const CALENDAR_ACTIONS = {
  everything:
    'read_private edit edit_others edit_private edit_published delete delete_others delete_private delete_published publish',
  own: 'edit edit_published delete delete_published publish',
  drafts: 'edit delete',
};

const levels = (highest: number) =>
  Array.from({ length: highest + 1 }, (_, index) => `level_${highest - index}`).join(' ');

const PAGES_AND_POSTS =
  'edit_others_pages edit_published_pages publish_pages delete_pages delete_others_pages delete_published_pages ' +
  'delete_posts delete_others_posts delete_published_posts delete_private_posts edit_private_posts read_private_posts ' +
  'delete_private_pages edit_private_pages read_private_pages';

const ROLES = [
  {
    name: 'Administrator',
    capabilities:
      'switch_themes edit_themes activate_plugins edit_plugins edit_users edit_files manage_options moderate_comments ' +
      'manage_categories manage_links upload_files import unfiltered_html edit_posts edit_others_posts ' +
      `edit_published_posts publish_posts edit_pages read ${levels(10)} ${PAGES_AND_POSTS} delete_users create_users ` +
      'unfiltered_upload edit_dashboard update_plugins delete_plugins install_plugins update_themes install_themes ' +
      'update_core list_users remove_users promote_users edit_theme_options delete_themes export',
    calendar: CALENDAR_ACTIONS.everything,
  },
  {
    name: 'Editor',
    capabilities:
      'moderate_comments manage_categories manage_links upload_files unfiltered_html edit_posts edit_others_posts ' +
      `edit_published_posts publish_posts edit_pages read ${levels(7)} ${PAGES_AND_POSTS}`,
    calendar: CALENDAR_ACTIONS.everything,
  },
  {
    name: 'Author',
    capabilities: `upload_files edit_posts edit_published_posts publish_posts read ${levels(2)} delete_posts delete_published_posts`,
    calendar: CALENDAR_ACTIONS.own,
  },
  {
    name: 'Contributor',
    capabilities: `edit_posts read ${levels(1)} delete_posts`,
    calendar: CALENDAR_ACTIONS.drafts,
  },
  { name: 'Subscriber', capabilities: 'read level_0', calendar: '' },
];

/** The option `{prefix}user_roles` of a site on which the plugin was activated (the recorded one). */
export function defaultRoles(): PhpArray {
  return new Map(
    ROLES.map(({ name, capabilities, calendar }) => {
      const actions = calendar.split(' ').filter(Boolean);
      const ofCalendar = CALENDAR_TYPES.flatMap((type) => actions.map((action) => `${action}_${type}`));
      const granted = new Map([...capabilities.split(' '), ...ofCalendar].map((one) => [one, true] as const));
      return [
        name.toLowerCase(),
        new Map<string, string | PhpArray>([
          ['name', name],
          ['capabilities', granted],
        ]),
      ];
    }),
  );
}
