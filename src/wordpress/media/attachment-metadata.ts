import type { PlainValue } from '../../lib/wordpress-text/php-serialize.js';
import type { ExifTags } from './exif.js';
import type { ImageFile, ImageFiles } from './image-copies.js';
import { imageMeta } from './image-meta.js';
import type { UploadName } from './upload-name.js';

/**
 * The value of `_wp_attachment_metadata` for an image stored as `folder` + `stem`
 * (docs/behaviour/images.md#the-image-object).
 */
export function attachmentMetadata(
  { main, original, sizes, isTurned }: ImageFiles,
  exif: ExifTags,
  mimeType: string,
  { folder, stem, extension }: UploadName,
): PlainValue {
  const name = ({ suffix }: ImageFile) => `${stem}${suffix}.${extension}`;
  const entries = [...sizes].map(([box, file]) => {
    const { width, height, bytes } = file;
    return [box, { file: name(file), width, height, 'mime-type': mimeType, filesize: bytes }];
  });
  return {
    width: main.width,
    height: main.height,
    file: folder + name(main),
    filesize: main.bytes,
    sizes: Object.fromEntries(entries),
    image_meta: imageMeta(exif, isTurned),
    ...(main !== original && { original_image: name(original) }),
  };
}
