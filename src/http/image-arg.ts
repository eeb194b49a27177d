import type { Transaction } from '../database/transactions.js';
import type { ImageImport, PreparedImage } from '../wordpress/media/image-import.js';
import { parseImageReference } from '../wordpress/media/image-reference.js';
import { ImageRefused } from '../wordpress/media/image-refused.js';
import { contextOf } from './check-context.js';
import { makeCheck } from './make-check.js';
import type { RequestContext } from './request-context.js';
import { RestArg, stacked } from './rest-arg.js';
import { invalidParameters } from './rest-error.js';
import type { Shown } from './write-args.js';
import { writeSite } from './write-site.js';

/** More images by URL than one request may bring: each may take ten seconds. */
const MOST_URLS = 10;

/** The id of an image attachment, of whatever owner, a URL from somebody who may upload, or '' for none. */
const IsImage = makeCheck('isImage', 'must be the id of an image.', async (value, values) => {
  if (value === '') return true;
  if (typeof value !== 'string') return 'must be a text.';
  const { access, lookups } = contextOf(values);
  try {
    const reference = parseImageReference(value, { mayUpload: access.can('upload_files') });
    if ('url' in reference) return true;
    const post = await lookups.post(reference.id);
    return post?.type === 'attachment' && post.mimeType.startsWith('image/');
  } catch (error) {
    if (error instanceof ImageRefused) return error.message;
    throw error;
  }
});

/** `image` of a write. */
export const ImageArg = (shown?: Shown): PropertyDecorator =>
  stacked(
    RestArg({
      type: 'string',
      ...shown,
      description: 'Featured image: the id of an attachment or a URL; empty removes it.',
    }),
    IsImage(),
  );

/** The id of the attachment for a value of `image`: undefined when nothing was sent, 0 for none. */
export type StoreImage = (transaction: Transaction, value: string | undefined) => Promise<number | undefined>;

/**
 * Fetches the images that a request names, then lets it write: `write` runs its transaction and stores the images in it.
 * Files of a write that failed are removed. An image that can not be had is a 400 that names `image`.
 */
export async function withImages<T>(
  images: ImageImport,
  values: readonly (string | undefined)[],
  context: RequestContext,
  write: (storeImage: StoreImage) => Promise<T>,
): Promise<T> {
  const prepared = new Map<string, PreparedImage>();
  try {
    for (const value of new Set(values)) {
      if (value === undefined) continue;
      const image = await prepare(images, value, context);
      prepared.set(value, image);
      if ([...prepared.values()].filter((one) => 'download' in one).length > MOST_URLS)
        throw refused(`names more than ${MOST_URLS} new URLs in one request.`);
    }
    return await write(async (transaction, value) => {
      const image = value === undefined ? undefined : prepared.get(value);
      return image && images.store(transaction, image, writeSite(context));
    });
  } finally {
    for (const image of prepared.values()) await images.release(image);
  }
}

async function prepare(
  images: ImageImport,
  value: string,
  { access }: RequestContext,
): Promise<PreparedImage> {
  try {
    return await images.prepare(value, { mayUpload: access.can('upload_files') });
  } catch (error) {
    throw error instanceof ImageRefused ? refused(error.message) : error;
  }
}

const refused = (message: string) => invalidParameters([{ name: 'image', message: `image ${message}` }]);
