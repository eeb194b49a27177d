import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import { defineResource } from '../resources/resource.js';
import { Organizer } from './organizer.entity.js';
import { toOrganizerResponse } from './organizer.response.js';
import { ORGANIZER_SCHEMAS } from './organizer.schema.js';
import { OrganizerFields } from './organizer-write.dto.js';
import { writeOrganizerMeta } from './organizer-meta.js';

/** Organizers as linked posts. */
export const ORGANIZER = defineResource({
  kind: 'post',
  type: 'tribe_organizer',
  path: 'organizers',
  one: 'organizer',
  many: 'organizers',
  schema: 'Organizer',
  schemas: ORGANIZER_SCHEMAS,
  entity: Organizer,
  capabilities: 'tribe_organizers',
  linkBase: 'organizer',
  linkKey: '_EventOrganizerID',
  originKey: '_OrganizerOrigin',
  searchedMeta: ['_OrganizerPhone', '_OrganizerEmail', '_OrganizerWebsite'],
  writeMeta: writeOrganizerMeta,
  body: OrganizerFields,
  toJson: toOrganizerResponse,
}) satisfies LinkedPostType;
