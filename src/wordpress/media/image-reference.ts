import { ImageRejected } from './image-rejected.js';
import { httpUrl } from './safe-fetch.js';

/** What a client named as an image. */
export type ImageReference = { id: number } | { url: string };

/** Longer addresses are not stored in any browser either. */
const MAX_URL_LENGTH = 2000;

/**
 * Reads the id of an attachment or an http(s) URL; throws `ImageRefused` for everything else, and for a URL from somebody
 * without the capability `upload_files`. Whether the attachment exists is not looked at.
 */
export function parseImageReference(value: string, { mayUpload }: { mayUpload: boolean }): ImageReference {
  if (/^\s*\d+\s*$/.test(value)) return { id: Number(value) };
  const url = value.trim();
  httpUrl(url);
  if (!mayUpload) throw new ImageRejected('must be the id of an image: you may not upload files.');
  if (url.length > MAX_URL_LENGTH) throw new ImageRejected(`is longer than ${MAX_URL_LENGTH} characters.`);
  return { url };
}
