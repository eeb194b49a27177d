import type { RequestContext } from '../../http/request-context.js';
import { type MetaWriter, writeThumbnail } from '../../wordpress/posts/meta-writer.js';
import { defineResource } from '../base/resource.js';
import {
  type LinkedPostType,
  linkedPostTexts,
  type StorableFields,
  writeLegacyMeta,
  writeTexts,
} from '../linked-posts/linked-post-type.js';
import { Organizer } from './organizer.entity.js';
import { OrganizerJson, toOrganizerResponse } from './organizer.response.js';
import { OrganizerFields, OrganizerTexts } from './organizer-write.dto.js';

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

/**
 * Writes the meta of an organizer (docs/behaviour/storage.md#meta-of-venues-and-organizers); fields that were not sent
 * stay (W1).
 */
function writeOrganizerMeta(
  meta: MetaWriter,
  fields: StorableFields,
  { cleaner }: Pick<RequestContext, 'cleaner'>,
  created?: { status: string },
): void {
  writeThumbnail(meta, fields);
  if (created) writeLegacyMeta(meta, '_Organizer', fields, cleaner, created.status);
  writeTexts(meta, OrganizerTexts, fields, cleaner);
}
