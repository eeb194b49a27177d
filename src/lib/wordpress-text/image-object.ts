import { isPhpEmpty } from './formatting/php-empty.js';
import type { Attachment } from './formatting/render-context.js';
import { asMap, asString, isTruthy, type PhpArray, toPlain } from './php-serialize.js';

/** The `image` member of a record: URL, id and extension, then the stored metadata. */
export interface ImageObject {
  /** The full file; false when the attachment is missing or no image. */
  url: string | false;
  id: number;
  extension: string;
  [metadata: string]: unknown;
}

const UPLOADS = 'wp-content/uploads/';
const REQUIRED = ['image_meta', 'file', 'sizes'];

/** The public URL of an uploaded file; absolute paths are reduced to the part below the uploads folder. */
export function attachmentUrl(file: string, uploadsUrl: string): string | false {
  if (isPhpEmpty(file)) return false;
  const at = file.indexOf(UPLOADS);
  return `${uploadsUrl}/${at < 0 ? file : file.slice(at + UPLOADS.length)}`;
}

/** The URL of an attachment of any type, its guid without a file; false when it is missing. */
export function fileUrl(
  attachment: Pick<Attachment, 'file' | 'guid'> | undefined,
  uploadsUrl: string,
): string | false {
  if (!attachment) return false;
  return attachmentUrl(attachment.file, uploadsUrl) || attachment.guid;
}

/** The image of a record by its thumbnail id; false without an id, a minimal object when the attachment is missing. */
export function imageObject(
  thumbnailId: number,
  attachment: Pick<Attachment, 'file' | 'mimeType' | 'metadata'> | undefined,
  uploadsUrl: string,
): ImageObject | false {
  if (!thumbnailId) return false;
  const isImage = attachment?.mimeType.startsWith('image/') ?? false;
  const url = isImage && attachmentUrl(attachment?.file ?? '', uploadsUrl);
  const [, extension = ''] = /\.([^./]*)$/.exec(attachment?.file ?? '') ?? [];
  const image = { url, id: thumbnailId, extension };
  const metadata = asMap(attachment?.metadata);
  if (!REQUIRED.every((key) => metadata.has(key))) return image;
  const members: [string, unknown][] = Object.entries(image).filter(([, value]) => Boolean(value));
  for (const [key, value] of metadata) {
    if (key === 'image_meta' || key === 'file' || !isTruthy(value)) continue;
    members.push([String(key), key === 'sizes' ? sizesOf(asMap(value), url) : toPlain(value)]);
  }
  return Object.fromEntries(members) as ImageObject;
}

function sizesOf(sizes: PhpArray, url: string | false): Record<string, unknown> {
  const folder = url === false ? undefined : url.slice(0, url.lastIndexOf('/') + 1);
  return Object.fromEntries(
    [...sizes].map(([name, size]) => {
      const { file, ...members } = Object.fromEntries(asMap(size));
      const plain = Object.entries(members).map(([key, value]) => [key, toPlain(value ?? null)]);
      return [
        name,
        { ...Object.fromEntries(plain), url: folder === undefined ? '' : folder + asString(file) },
      ];
    }),
  );
}
