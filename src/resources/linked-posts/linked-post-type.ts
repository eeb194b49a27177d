import type { RequestContext } from '../../http/request-context.js';
import type { PostResource } from '../base/resource.js';
import type { MetaWriter } from '../../wordpress/posts/meta-writer.js';
import type { TextToClean } from '../../wordpress/rendering/cleaning.service.js';
import type { LinkedPostFields, StorableFields } from './linked-post-fields.js';

/** The definition of a venue or organizer resource. */
export interface LinkedPostType<Json extends object = object> extends PostResource<LinkedPostFields, Json> {
  /** Singular, which is also the name field. */
  singular: 'venue' | 'organizer';
  /** Meta key of an event that holds the link. */
  linkKey: string;
  /** Meta key of the program that created the record. */
  originKey: string;
  textsToClean(fields: LinkedPostFields): TextToClean[];
  /** Writes the sent fields as meta in the recorded order; `created` is set for a new record. */
  writeMeta(
    meta: MetaWriter,
    fields: StorableFields,
    context: Pick<RequestContext, 'cleaner' | 'settings'>,
    created?: { status: string },
  ): void;
}
