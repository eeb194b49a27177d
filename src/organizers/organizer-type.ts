import type { LinkedPostType } from '../linked-posts/linked-post-type.js';

/** Organizers as linked posts. */
export const ORGANIZER: LinkedPostType = {
  type: 'tribe_organizer',
  word: 'organizer',
  plural: 'organizers',
  linkKey: '_EventOrganizerID',
  searchedMeta: ['_OrganizerPhone', '_OrganizerEmail', '_OrganizerWebsite'],
};
