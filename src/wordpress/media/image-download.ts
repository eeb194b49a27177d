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

/** An image that was downloaded, with its copies, in a working folder of its own. */
export interface ImageDownload {
  /** As it was asked for. */
  url: string;
  workFolder: string;
  type: ImageType;
  exif: ExifTags;
  files: ImageFiles;
}

/**
 * Downloads an image and makes its copies when it is its turn to; throws `ImageRefused` for what is none of the known
 * types.
 */
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
    const noted = exif.get(EXIF.orientation);
    const orientation = typeof noted === 'number' && noted <= 8 ? noted : 1;
    const makeSharp = await loadSharp();
    const files = await copying.run(() => makeImageFiles({ path, type, orientation }, boxes, makeSharp));
    return { url, workFolder, type, exif, files };
  } catch (error) {
    await rm(workFolder, { recursive: true, force: true });
    throw error;
  }
}

/** Clients that copy an address out of HTML send `&amp;`: what fails is tried once more without entities. */
async function download(url: string, fetcher: SafeFetch): Promise<Buffer> {
  const plain = htmlEntityDecode(url);
  if (plain === url) return fetcher.download(url);
  return fetcher.download(url).catch(() => fetcher.download(plain));
}
