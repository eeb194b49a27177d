import { truncate } from '../../lib/truncate.js';
import { sanitizeFileName } from '../../lib/wordpress-text/formatting/sanitize.js';
import { decodedPart } from '../../lib/wordpress-text/formatting/uri-parts.js';

/** A local file to store, with the suffix of its name, such as `-300x225`. */
export interface FileToStore {
  path: string;
  suffix: string;
}

export interface StoredFiles extends UploadName {
  /** Their locations, in a format of the store. */
  paths: readonly string[];
}

/** Stores imported images, which the site serves below its uploads URL; plugins may replace it. */
export abstract class ImageStore {
  /** Throws `ImageRejected` if the store accepts no images; called before a download. */
  abstract check(): void;
  /** Whether it accepts images. */
  get isAvailable(): boolean {
    try {
      this.check();
      return true;
    } catch {
      return false;
    }
  }
  /** Copies all files of an image, original first, or throws; a taken stem gets a number (`freeStem`). */
  abstract add(name: UploadName, files: readonly FileToStore[]): Promise<StoredFiles>;
  /** Removes files after a failed write, ignoring missing ones. */
  abstract remove(paths: readonly string[]): Promise<void>;
  /** Deletes files of an attachment by their paths below the uploads folder, such as `2026/11/hall.jpg`. */
  async delete(_files: readonly string[]): Promise<void> {}
}

/** Leaves room for suffixes within the 255 bytes of a file name. */
const MAX_CHARACTERS = 50;

const COPY_SUFFIX = /-(?:\d+x\d+|scaled|rotated)$/;

/** The common name of an image's files. */
export interface UploadName {
  /** The folder below the uploads folder, such as `2026/11/`, or empty. */
  folder: string;
  /** The common start of their names. */
  stem: string;
  /** Without the dot. */
  extension: string;
}

/** The last part of a URL. */
export function nameInUrl(url: string): string {
  return decodedPart(new URL(url).pathname.split('/').findLast((one) => one !== '') ?? '');
}

/** The name under which a file is stored: as sent, without folders, with an extension of its type. */
export function uploadName(
  sentName: string,
  extensions: readonly [string, ...string[]],
  locale: string,
): Omit<UploadName, 'folder'> {
  const name = sentName.split(/[\\/]/).at(-1) ?? '';
  const [, stem = name, sent = ''] = /^(.*)\.([^.]*)$/s.exec(name) ?? [];
  const extension = extensions.find((known) => known === sent.toLowerCase()) ?? extensions[0];
  const plain = truncate(stem.normalize('NFC').replace(/\p{C}/gu, ''), 1000);
  const clean = sanitizeFileName(`${plain || 'image'}.${extension}`, locale).slice(0, -extension.length - 1);
  // By code points, as half a surrogate pair is invalid UTF-8.
  const short = [...clean]
    .slice(0, MAX_CHARACTERS)
    .join('')
    .replace(/[.-]+$/, '');
  return { stem: short || 'image', extension };
}

/** The stem, with a number if needed, that neither an image nor a copy uses. */
export function freeStem(stem: string, extension: string, existing: readonly string[]): string {
  const taken = new Set<string>();
  for (const name of existing) {
    const lower = name.toLowerCase();
    if (!lower.endsWith(`.${extension}`)) continue;
    const own = lower.slice(0, -extension.length - 1);
    taken.add(own).add(own.replace(COPY_SUFFIX, ''));
  }
  const isFree = (name: string) => !taken.has(name.toLowerCase()) && !COPY_SUFFIX.test(name);
  if (isFree(stem)) return stem;
  for (let number = 1; ; number++) if (isFree(`${stem}-${number}`)) return `${stem}-${number}`;
}
