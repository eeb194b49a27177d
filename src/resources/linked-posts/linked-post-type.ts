import type { RequestContext } from '../../http/request-context.js';
import type { PostResource } from '../base/resource.js';
import type { MetaWriter } from '../../wordpress/posts/meta-writer.js';
import type { LinkedPostFields, StorableFields } from './linked-post-fields.js';

/** What tells venues and organizers apart wherever they are handled alike. */
export interface LinkedPostType<Json extends object = object> extends PostResource<LinkedPostFields, Json> {
  /** Its singular, which is the name field too. */
  one: 'venue' | 'organizer';
  /** Meta key of an event that holds the link. */
  linkKey: string;
  /** Meta key that says where a record came from. */
  originKey: string;
  /** Writes what was sent as meta, in the recorded order; `created` says that the record is new, and its status. */
  writeMeta(
    meta: MetaWriter,
    fields: StorableFields,
    context: Pick<RequestContext, 'cleaner' | 'settings'>,
    created?: { status: string },
  ): void;
}
