import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import { type OrganizerJson, toOrganizerResponse } from './organizer.response.js';
import { Organizer } from './organizer.entity.js';
import { writeOrganizerMeta } from './organizer-meta.js';

/** Organizers as linked posts. */
export const ORGANIZER: LinkedPostType<OrganizerJson> = {
  kind: 'post',
  capabilities: 'tribe_organizers',
  path: 'organizers',
  type: 'tribe_organizer',
  one: 'organizer',
  many: 'organizers',
  schema: 'Organizer',
  entity: Organizer,
  linkBase: 'organizer',
  toJson: toOrganizerResponse,
  linkKey: '_EventOrganizerID',
  originKey: '_OrganizerOrigin',
  searchedMeta: ['_OrganizerPhone', '_OrganizerEmail', '_OrganizerWebsite'],
  writeMeta: writeOrganizerMeta,
};
