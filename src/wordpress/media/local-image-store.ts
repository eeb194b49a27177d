import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Environment } from '../../config/env.js';
import { ImageRefused } from './image-refused.js';
import { type FileToStore, ImageStore, type StoredFiles } from './image-store.js';
import { addFile, makeFolder } from './shared-folder.js';
import { freeStem, type UploadName } from './upload-name.js';

const ATTEMPTS = 5;

/** The site's uploads folder, as WordPress keeps it; PHP writes to it at the same time. */
@Injectable()
export class LocalImageStore extends ImageStore {
  private readonly root: string | undefined;

  constructor(env: Environment) {
    super();
    this.root = env.uploadsDir;
  }

  override check(): void {
    if (this.root === undefined)
      throw new ImageRefused(
        'must be the id of an image: this server takes no URLs (UPLOADS_DIR is not set).',
      );
  }

  override async add(name: UploadName, files: readonly FileToStore[]): Promise<StoredFiles> {
    const { folder, extension } = name;
    const target = await makeFolder(this.root ?? '', folder);
    for (let attempt = 1; ; attempt++) {
      const stem = freeStem(name.stem, extension, await readdir(target));
      const paths: string[] = [];
      try {
        for (const { path, suffix } of files) {
          const placed = join(target, `${stem}${suffix}.${extension}`);
          await addFile(path, placed);
          paths.push(placed);
        }
        return { folder, stem, extension, paths };
      } catch (error) {
        await this.remove(paths);
        // Somebody else took the name in between.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt === ATTEMPTS) throw error;
      }
    }
  }

  override async remove(paths: readonly string[]): Promise<void> {
    for (const path of paths) await rm(path, { force: true });
  }
}
