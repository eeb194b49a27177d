import { defineResource } from '../base/resource.js';
import { linkedPostTexts } from '../linked-posts/linked-post-fields.js';
import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import { Organizer } from './organizer.entity.js';
import { OrganizerJson, toOrganizerResponse } from './organizer.response.js';
import { writeOrganizerMeta } from './organizer-meta.js';
import { OrganizerFields } from './organizer-write.dto.js';

/** The organizer resource. */
export const ORGANIZER = defineResource({
  kind: 'post',
  type: 'tribe_organizer',
  path: 'organizers',
  corePath: 'tribe_organizer',
  singular: 'organizer',
  plural: 'organizers',
  description: 'People and groups who hold events.',
  entity: Organizer,
  capabilities: 'tribe_organizers',
  linkBase: 'organizer',
  linkKey: '_EventOrganizerID',
  originKey: '_OrganizerOrigin',
  writeMeta: writeOrganizerMeta,
  tracksSaves: true,
  body: OrganizerFields,
  json: OrganizerJson,
  toJson: toOrganizerResponse,
  textsToClean: (fields: OrganizerFields) => linkedPostTexts(OrganizerFields, fields),
  linkedIds: () => [],
}) satisfies LinkedPostType;
