import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import { writeOrganizerMeta } from './organizer-meta.js';

/** Organizers as linked posts. */
export const ORGANIZER: LinkedPostType = {
  type: 'tribe_organizer',
  word: 'organizer',
  plural: 'organizers',
  linkKey: '_EventOrganizerID',
  originKey: '_OrganizerOrigin',
  searchedMeta: ['_OrganizerPhone', '_OrganizerEmail', '_OrganizerWebsite'],
  writeMeta: writeOrganizerMeta,
};
