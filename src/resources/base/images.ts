import { IMPORT_SOURCE_KEY } from '../../calendar/register-calendar.js';
import { invalidParameter, RestException } from '../../common/errors/rest-exception.js';
import type { Transaction } from '../../database/transactions.js';
import type { WriteContext } from '../../http/request-context.js';
import type { ImageImport, PreparedImage } from '../../wordpress/media/image-import.js';
import { ImageRejected } from '../../wordpress/media/image-rejected.js';

/** More images by URL than one request may bring: each may take ten seconds. */
const MAX_URLS = 10;

/** The id of the attachment for a value of `image`: undefined when nothing was sent, 0 for none. */
export type StoreImage = (transaction: Transaction, value: string | undefined) => Promise<number | undefined>;

/**
 * Fetches the images that a request names, then lets it write: `write` runs its transaction and stores the images in it.
 * Files of a write that failed are removed. An image that can not be had is a 400 that names `image`.
 */
export async function withImages<T>(
  images: ImageImport,
  values: readonly (string | undefined)[],
  context: WriteContext,
  write: (storeImage: StoreImage) => Promise<T>,
): Promise<T> {
  const prepared = new Map<string, PreparedImage>();
  let mayBeStored = false;
  try {
    for (const value of new Set(values)) {
      if (value === undefined) continue;
      const image = await prepare(images, value, context);
      prepared.set(value, image);
      if ([...prepared.values()].filter((one) => 'download' in one).length > MAX_URLS)
        throw refused(`names more than ${MAX_URLS} new URLs in one request.`);
    }
    return await write(async (transaction, value) => {
      const image = value === undefined ? undefined : prepared.get(value);
      return image && images.store(transaction, image, context);
    });
  } catch (error) {
    // Rows that may be there after all must find their files.
    mayBeStored = error instanceof RestException && error.reason === 'unconfirmed';
    throw error;
  } finally {
    for (const image of prepared.values()) await images.release(image, mayBeStored);
  }
}

async function prepare(images: ImageImport, value: string, { access }: WriteContext): Promise<PreparedImage> {
  try {
    return await images.prepare(value, {
      mayUpload: access.can('upload_files'),
      sourceKey: IMPORT_SOURCE_KEY,
    });
  } catch (error) {
    throw error instanceof ImageRejected ? refused(error.message) : error;
  }
}

const refused = (message: string) => invalidParameter('image', `image ${message}`);
