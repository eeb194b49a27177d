import type { UploadName } from './upload-name.js';

/** A local file to store, with the suffix of its name, such as `-300x225`. */
export interface FileToStore {
  path: string;
  suffix: string;
}

/** Stored files with their common name. */
export interface StoredFiles extends UploadName {
  /** Their locations, in a format of the store. */
  paths: readonly string[];
}

/**
 * Stores the files of imported images, which the site serves as `folder/name` below its uploads URL. Replaceable by
 * plugins; by default the folder `UPLOADS_DIR`.
 */
export abstract class ImageStore {
  /** Throws `ImageRejected` if the store accepts no images; called before a download. */
  abstract check(): void;
  /**
   * Copies the files of an image, the original first, under unused names: a taken stem gets a number (`freeStem`). Stores
   * all files or throws.
   */
  abstract add(name: UploadName, files: readonly FileToStore[]): Promise<StoredFiles>;
  /** Removes files after a failed write, ignoring missing ones. */
  abstract remove(paths: readonly string[]): Promise<void>;
}
