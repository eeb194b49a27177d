import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Semaphore } from '../../cache/semaphore.js';
import { htmlEntityDecode } from '../../lib/wordpress-text/formatting/html-entity-decode.js';
import { EXIF } from './data/exif-tags.js';
import { type ExifTags, readExif } from './exif.js';
import { type ImageFiles, loadSharp, makeImageFiles } from './image-copies.js';
import { ImageRejected } from './image-rejected.js';
import { type ImageType, imageType } from './image-type.js';
import type { ImageBox } from './media-settings.js';
import type { SafeFetch } from './safe-fetch.js';

/** A downloaded image with its copies, in its working folder. */
export interface ImageDownload {
  /** The requested URL. */
  url: string;
  workFolder: string;
  type: ImageType;
  exif: ExifTags;
  files: ImageFiles;
}

/** Downloads an image and creates its copies under the semaphore; throws `ImageRejected` for an unsupported type. */
export async function downloadImage(
  url: string,
  boxes: readonly ImageBox[],
  fetcher: SafeFetch,
  copying: Semaphore,
): Promise<ImageDownload> {
  const bytes = await download(url, fetcher);
  const type = imageType(bytes);
  if (!type) throw new ImageRejected('is not a JPEG, PNG, GIF, WebP or AVIF image.');
  const exif = type.kind === 'jpeg' ? readExif(bytes) : new Map<number, string | number>();
  const workFolder = await mkdtemp(join(tmpdir(), 'almanac-image-'));
  try {
    const path = join(workFolder, 'image');
    await writeFile(path, bytes);
    const tag = exif.get(EXIF.orientation);
    const orientation = typeof tag === 'number' && tag <= 8 ? tag : 1;
    const makeSharp = await loadSharp();
    const files = await copying.run(() => makeImageFiles({ path, type, orientation }, boxes, makeSharp));
    return { url, workFolder, type, exif, files };
  } catch (error) {
    await rm(workFolder, { recursive: true, force: true });
    throw error;
  }
}

/** Downloads a URL; on failure retries with entities decoded, as clients copy `&amp;` from HTML. */
async function download(url: string, fetcher: SafeFetch): Promise<Buffer> {
  const plain = htmlEntityDecode(url);
  if (plain === url) return fetcher.download(url);
  return fetcher.download(url).catch(() => fetcher.download(plain));
}
