import { readFile } from 'node:fs/promises';
import { normalize } from 'node:path/posix';
import { Logger } from '@nestjs/common';
import { type FileToStore, freeStem, ImageStore, type StoredFiles, type UploadName } from '../image-store.js';
import { mimeTypeOf } from '../image-type.js';
import type { S3Bucket } from './s3-bucket.service.js';

/** Stores images in a bucket, under the paths that they have in WordPress's uploads folder. */
export class S3ImageStore extends ImageStore {
  private readonly logger = new Logger('Uploads');

  constructor(private readonly bucket: S3Bucket) {
    super();
  }

  override check(): void {}

  override async add(name: UploadName, files: readonly FileToStore[]): Promise<StoredFiles> {
    const { folder, extension } = name;
    // The caller holds the write lock, so that no other writer of Almanac takes the name.
    const stem = freeStem(name.stem, extension, await this.bucket.names(folder, name.stem));
    const paths = files.map(({ suffix }) => `${folder}${stem}${suffix}.${extension}`);
    const stored = await Promise.allSettled(
      files.map(async ({ path }, index) =>
        this.bucket.put(paths[index] ?? '', await readFile(path), mimeTypeOf(extension)),
      ),
    );
    const failed = stored.find((one) => one.status === 'rejected');
    if (!failed) return { folder, stem, extension, paths };
    // Also those whose response was lost.
    await this.remove(paths);
    throw failed.reason;
  }

  override async remove(paths: readonly string[]): Promise<void> {
    const removed = await Promise.allSettled(paths.map((path) => this.bucket.remove(path)));
    const left = paths.filter((_, index) => removed[index]?.status === 'rejected');
    if (left.length > 0) this.logger.warn(`Not deleted from the bucket: ${left.join(', ')}`);
  }

  override delete(files: readonly string[]): Promise<void> {
    return this.remove(files.map((file) => normalize(file)));
  }
}
