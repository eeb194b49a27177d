import { sanitizeFileName } from '../formatting/sanitize-file-name.js';

/** Room for the endings of copies within the 255 bytes of a file name. */
const MOST_CHARACTERS = 50;

/** A file name without its extension, and the extension without its dot. */
export interface UploadName {
  stem: string;
  extension: string;
}

/** The name under which a downloaded image is kept: from the last part of its URL, the extension by its type. */
export function uploadName(
  url: string,
  extensions: readonly [string, ...string[]],
  locale: string,
): UploadName {
  const part = new URL(url).pathname.split('/').findLast((one) => one !== '') ?? '';
  const name = decoded(part).split(/[\\/]/).at(-1) ?? '';
  const [, stem = name, sent = ''] = /^(.*)\.([^.]*)$/s.exec(name) ?? [];
  const extension = extensions.find((known) => known === sent.toLowerCase()) ?? extensions[0];
  const plain = stem.normalize('NFC').replace(/\p{C}/gu, '').slice(0, 1000);
  const clean = sanitizeFileName(`${plain || 'image'}.${extension}`, locale).slice(0, -extension.length - 1);
  // A half character at the end of the cut would be no UTF-8.
  const short = [...clean]
    .slice(0, MOST_CHARACTERS)
    .join('')
    .replace(/[.-]+$/, '');
  return { stem: short || 'image', extension };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
