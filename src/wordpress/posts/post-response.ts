import type { RenderContext } from '../formatting/render-context.js';
import { type ImageObject, imageObject } from '../media/image-object.js';
import { isPhpEmpty } from '../formatting/php-empty.js';
import { thumbnailId } from './linked-ids.js';
import { globalId } from './permalink.js';
import type { PostRecord } from './post-record.js';

/** The `image` member. */
export function imageOf(post: PostRecord, render: RenderContext): ImageObject | false {
  const id = thumbnailId(post);
  return imageObject(id, render.attachments.get(id), render.site.uploadsUrl);
}

/** `global_id` and `global_id_lineage`. */
export function globalIds(post: PostRecord, home: string) {
  const id = globalId(home, post.id);
  return {
    global_id: id,
    global_id_lineage: [id, ...(post.meta.get('_tribe_aggregator_global_id_lineage') ?? [])],
  };
}

/** Leaves out the members that PHP takes for empty, as venues and organizers are sent. */
export function withoutEmpty(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isPhpEmpty(value)));
}
