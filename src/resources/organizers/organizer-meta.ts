import type { RequestContext } from '../../http/request-context.js';
import type { StorableFields } from '../linked-posts/linked-post-fields.js';
import { writeLegacyMeta, writeTexts } from '../linked-posts/linked-post-meta.js';
import { type MetaWriter, writeThumbnail } from '../../wordpress/posts/meta-writer.js';
import { OrganizerTexts } from './organizer-write.dto.js';

/**
 * Writes the meta of an organizer (docs/behaviour/storage.md#meta-of-venues-and-organizers); fields that were not sent
 * stay (W1).
 */
export function writeOrganizerMeta(
  meta: MetaWriter,
  fields: StorableFields,
  { cleaner }: Pick<RequestContext, 'cleaner'>,
  created?: { status: string },
): void {
  writeThumbnail(meta, fields);
  if (created) writeLegacyMeta(meta, '_Organizer', fields, cleaner, created.status);
  writeTexts(meta, OrganizerTexts, fields, cleaner);
}
