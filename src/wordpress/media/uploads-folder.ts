import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { addFile, makeFolder } from './shared-folder.js';

/** A file to be placed: where it is, and what follows the common stem in its name, such as `-300x225.jpg`. */
export interface FileToPlace {
  path: string;
  ending: string;
}

/** Files of one image in the uploads folder. */
export interface PlacedFiles {
  /** Path of the folder below the uploads folder, such as `2026/11/`, or empty. */
  folder: string;
  /** What all their names begin with. */
  stem: string;
  paths: readonly string[];
}

/** Names that WordPress gives to what it makes of an image. */
const MADE_NAME = /-(?:\d+x\d+|scaled|rotated)$/;

const ATTEMPTS = 5;

/** The site's uploads folder, as WordPress keeps it; PHP writes to it at the same time. */
export class UploadsFolder {
  constructor(private readonly root: string) {}

  /** Copies files to names that are free there; either all of them or none. The first one is the original. */
  async place(
    folder: string,
    stem: string,
    extension: string,
    files: readonly FileToPlace[],
  ): Promise<PlacedFiles> {
    const target = await makeFolder(this.root, folder);
    for (let attempt = 1; ; attempt++) {
      const free = freeStem(stem, extension, await readdir(target));
      const paths: string[] = [];
      try {
        for (const { path, ending } of files) {
          await addFile(path, join(target, free + ending));
          paths.push(join(target, free + ending));
        }
        return { folder, stem: free, paths };
      } catch (error) {
        await removeFiles(paths);
        // Somebody else took the name in between.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

/** Removes files; those that are gone already do not matter. */
export async function removeFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true });
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
