import { access, constants, readdir, realpath, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { systemErrorMessage } from '../../common/errors/system-error-message.js';
import { DEMO_UPLOADS, Environment } from '../../config/env.js';
import { StartError } from '../../database/start-error.js';
import { type FileToStore, freeStem, ImageStore, type StoredFiles, type UploadName } from './image-store.js';
import { ImageRejected } from './safe-fetch.js';
import { addFile, makeFolder } from './shared-folder.js';

const ATTEMPTS = 5;

/** Stores images in the site's uploads folder, which PHP writes to as well. */
@Injectable()
export class LocalImageStore extends ImageStore implements OnModuleInit {
  private readonly root: string | undefined;

  constructor(private readonly env: Environment) {
    super();
    this.root = env.uploadsDir;
  }

  /** Throws `StartError` if the folder is not writable. */
  async onModuleInit(): Promise<void> {
    const { root } = this;
    if (root === undefined) return;
    const found = await stat(root).catch(() => undefined);
    if (root === DEMO_UPLOADS && !found) return;
    if (!found?.isDirectory()) throw new StartError(`UPLOADS_DIR names ${root}, which is no folder.`);
    if (this.env.readOnly) return;
    await access(root, constants.W_OK | constants.X_OK).catch((error) => {
      throw new StartError(
        `UPLOADS_DIR names ${root}, which cannot be written to: ${systemErrorMessage(error)}.`,
      );
    });
  }

  override check(): void {
    if (this.root === undefined)
      throw new ImageRejected(
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
        // Another process took the name meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || attempt === ATTEMPTS) throw error;
      }
    }
  }

  override async remove(paths: readonly string[]): Promise<void> {
    for (const path of paths) await rm(path, { force: true });
  }

  override async delete(files: readonly string[]): Promise<void> {
    const root = await realpath(this.root ?? '');
    for (const file of files) {
      const folder = await realpath(join(root, dirname(file))).catch(() => undefined);
      // Stored paths are data of the site: they must not lead out of the folder.
      if (folder !== root && !folder?.startsWith(join(root, sep))) continue;
      await unlink(join(folder, basename(file))).catch(() => undefined);
    }
  }
}
