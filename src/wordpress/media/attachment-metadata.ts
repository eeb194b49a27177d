import type { PhpArray } from '../options/php-serialize.js';
import type { ExifTags } from './exif.js';
import type { ImageFile, ImageFiles } from './image-copies.js';
import { imageMeta } from './image-meta.js';

/**
 * The value of `_wp_attachment_metadata` for an image that was placed as `folder` + `stem`
 * (docs/behaviour/images.md#the-image-object).
 */
export function attachmentMetadata(
  { main, original, sizes, isTurned }: ImageFiles,
  exif: ExifTags,
  mimeType: string,
  { folder, stem, extension }: { folder: string; stem: string; extension: string },
): PhpArray {
  const name = ({ suffix }: ImageFile) => `${stem}${suffix}.${extension}`;
  const metadata: PhpArray = new Map<string, string | number | PhpArray>([
    ['width', main.width],
    ['height', main.height],
    ['file', folder + name(main)],
    ['filesize', main.bytes],
    ['sizes', new Map([...sizes].map(([box, file]) => [box, sizeEntry(file, name(file), mimeType)]))],
    ['image_meta', imageMeta(exif, isTurned)],
  ]);
  if (main !== original) metadata.set('original_image', name(original));
  return metadata;
}

function sizeEntry({ width, height, bytes }: ImageFile, name: string, mimeType: string): PhpArray {
  return new Map<string, string | number>([
    ['file', name],
    ['width', width],
    ['height', height],
    ['mime-type', mimeType],
    ['filesize', bytes],
  ]);
}
