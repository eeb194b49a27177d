import { ImageRejected } from './image-rejected.js';
import { httpUrl } from './safe-fetch.js';

/** An image input. */
export type ImageReference = { id: number } | { url: string };

/** In characters, the limit of old browsers. */
const MAX_URL_LENGTH = 2000;

/**
 * Parses an attachment id or an http(s) URL; throws `ImageRejected` for other values, and for a URL without the capability
 * `upload_files`. Does not check whether the attachment exists.
 */
export function parseImageReference(value: string, { mayUpload }: { mayUpload: boolean }): ImageReference {
  if (/^\s*\d+\s*$/.test(value)) return { id: Number(value) };
  const url = value.trim();
  httpUrl(url);
  if (!mayUpload) throw new ImageRejected('must be the id of an image: you may not upload files.');
  if (url.length > MAX_URL_LENGTH) throw new ImageRejected(`is longer than ${MAX_URL_LENGTH} characters.`);
  return { url };
}
