import { sanitizeFileName } from '../../lib/wordpress-text/formatting/sanitize-file-name.js';
import { truncate } from '../../lib/truncate.js';
import { decodedPart } from '../../lib/wordpress-text/formatting/uri-parts.js';

/** Room for the endings of copies within the 255 bytes of a file name. */
const MAX_CHARACTERS = 50;

/** Names that WordPress gives to what it makes of an image. */
const MADE_NAME = /-(?:\d+x\d+|scaled|rotated)$/;

/** What the names of an image's files have in common. */
export interface UploadName {
  /** Path of the folder below the uploads folder, such as `2026/11/`, or empty. */
  folder: string;
  /** What all their names begin with. */
  stem: string;
  /** Without its dot. */
  extension: string;
}

/** The name under which a downloaded image is kept: from the last part of its URL, the extension by its type. */
export function uploadName(
  url: string,
  extensions: readonly [string, ...string[]],
  locale: string,
): Omit<UploadName, 'folder'> {
  const part = new URL(url).pathname.split('/').findLast((one) => one !== '') ?? '';
  const name = decodedPart(part).split(/[\\/]/).at(-1) ?? '';
  const [, stem = name, sent = ''] = /^(.*)\.([^.]*)$/s.exec(name) ?? [];
  const extension = extensions.find((known) => known === sent.toLowerCase()) ?? extensions[0];
  const plain = truncate(stem.normalize('NFC').replace(/\p{C}/gu, ''), 1000);
  const clean = sanitizeFileName(`${plain || 'image'}.${extension}`, locale).slice(0, -extension.length - 1);
  // A half character at the end of the cut would be no UTF-8.
  const short = [...clean]
    .slice(0, MAX_CHARACTERS)
    .join('')
    .replace(/[.-]+$/, '');
  return { stem: short || 'image', extension };
}

/** The stem, or the stem with the first number, under which neither an image nor one of its copies exists. */
export function freeStem(stem: string, extension: string, existing: readonly string[]): string {
  const taken = new Set<string>();
  for (const name of existing) {
    const lower = name.toLowerCase();
    if (!lower.endsWith(`.${extension}`)) continue;
    const own = lower.slice(0, -extension.length - 1);
    taken.add(own).add(own.replace(MADE_NAME, ''));
  }
  const isFree = (name: string) => !taken.has(name.toLowerCase()) && !MADE_NAME.test(name);
  if (isFree(stem)) return stem;
  for (let number = 1; ; number++) if (isFree(`${stem}-${number}`)) return `${stem}-${number}`;
}
