import { IMPORT_SOURCE_KEY } from '../../calendar/register-calendar.js';
import { invalidParameter, RestException } from '../../common/errors/rest-exception.js';
import type { Transaction } from '../../database/transactions.js';
import type { WriteContext } from '../../http/request-context.js';
import type { ImageImport, PreparedImage } from '../../wordpress/media/image-import.js';
import { ImageRejected } from '../../wordpress/media/safe-fetch.js';

/** Maximum image URLs per request: each download may take ten seconds. */
const MAX_URLS = 10;

/** Returns the attachment id for a value of `image`: undefined if none was sent, 0 to remove it. */
export type StoreImage = (transaction: Transaction, value: string | undefined) => Promise<number | undefined>;

/**
 * Downloads the images of a request before `write` runs its transaction, which stores them; removes the files if the
 * write fails. Throws a 400 that names `image` for an image that cannot be fetched.
 */
export async function withImages<T>(
  images: ImageImport,
  values: readonly (string | undefined)[],
  context: WriteContext,
  write: (storeImage: StoreImage) => Promise<T>,
): Promise<T> {
  const prepared = new Map<string, PreparedImage>();
  let mayBeCommitted = false;
  try {
    for (const value of new Set(values)) {
      if (value === undefined) continue;
      const image = await prepare(images, value, context);
      prepared.set(value, image);
      if ([...prepared.values()].filter((one) => 'download' in one).length > MAX_URLS)
        throw rejectImage(`names more than ${MAX_URLS} new URLs in one request.`);
    }
    return await write(async (transaction, value) => {
      const image = value === undefined ? undefined : prepared.get(value);
      return image && images.store(transaction, image, context);
    });
  } catch (error) {
    // The transaction may have committed: its rows need their files.
    mayBeCommitted = error instanceof RestException && error.kind === 'unconfirmed';
    throw error;
  } finally {
    for (const image of prepared.values()) await images.release(image, mayBeCommitted);
  }
}

async function prepare(images: ImageImport, value: string, { access }: WriteContext): Promise<PreparedImage> {
  try {
    return await images.prepare(value, {
      mayUpload: access.can('upload_files'),
      sourceKey: IMPORT_SOURCE_KEY,
    });
  } catch (error) {
    throw error instanceof ImageRejected ? rejectImage(error.message) : error;
  }
}

const rejectImage = (message: string) => invalidParameter('image', `image ${message}`);
