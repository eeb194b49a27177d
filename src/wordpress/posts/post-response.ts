import type { RenderContext } from '../formatting/render-context.js';
import { type ImageObject, imageObject } from '../media/image-object.js';
import { isPhpEmpty } from '../formatting/php-empty.js';
import { thumbnailId } from './linked-ids.js';
import type { PostRecord } from './post-record.js';

/** The `image` member. */
export function imageOf(post: PostRecord, render: RenderContext): ImageObject | false {
  const id = thumbnailId(post);
  return imageObject(id, render.attachments.get(id), render.site.uploadsUrl);
}

/** Leaves out the members that PHP takes for empty, as venues and organizers are sent. */
export function withoutEmpty(body: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isPhpEmpty(value)));
}
