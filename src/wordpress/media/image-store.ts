import type { UploadName } from './upload-name.js';

/** A file to be stored: where it lies on this machine, and what its name has before the extension, such as `-300x225`. */
export interface FileToStore {
  path: string;
  suffix: string;
}

/** Files that were stored, under this name. */
export interface StoredFiles extends UploadName {
  /** Where each of them is, in the store's own words. */
  paths: readonly string[];
}

/**
 * Where the files of imported images are kept; whatever it is, the site shows `folder/name` below its uploads URL. What
 * stands behind this class is replaceable: by itself it is the folder `UPLOADS_DIR`.
 */
export abstract class ImageStore {
  /** Throws `ImageRefused` while it can take no images; asked before one is downloaded. */
  abstract check(): void;
  /**
   * Copies the files of one image, the original first, to names that nobody has there: the stem gets a number when it is
   * taken (`freeStem`). Either all of them or none: what fails, or is not stored, throws.
   */
  abstract add(name: UploadName, files: readonly FileToStore[]): Promise<StoredFiles>;
  /** Removes files whose write failed; those that are gone already do not matter. */
  abstract remove(paths: readonly string[]): Promise<void>;
}
