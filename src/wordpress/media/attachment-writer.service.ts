import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Semaphore } from '../../cache/semaphore.js';
import type { Transaction } from '../../database/transactions.js';
import { asMap, type PlainValue, toPhp } from '../../lib/wordpress-text/php-serialize.js';
import type { WriteSite } from '../options/site-settings.js';
import { MetaWriter } from '../posts/meta-writer.js';
import { nowInZone } from '../posts/post-dates.js';
import { PostWriter } from '../posts/post-writer.js';
import { EXIF, type ExifTags, imageMeta, readExif } from './exif.js';
import { type ImageFile, type ImageFiles, loadSharp, makeImageFiles } from './image-copies.js';
import { ImageStore, type StoredFiles, type UploadName, uploadName } from './image-store.js';
import { type ImageType, imageType } from './image-type.js';
import type { ImageBox } from './media-settings.js';
import { ImageRejected } from './safe-fetch.js';

/** An image that is not yet an attachment, with its copies, in its working folder. */
export interface NewImageFile {
  workFolder: string;
  type: ImageType;
  exif: ExifTags;
  files: ImageFiles;
  /** The stored files, reused when the transaction is retried. */
  stored?: StoredFiles;
  isCommitted: boolean;
}

/** The fields of a new attachment; texts are sanitized already. */
export interface AttachmentFields {
  /** The name of the file as sent. */
  name: string;
  /** By default the name under which the file is stored. */
  title?: string | undefined;
  slug?: string | undefined;
  /** The description. */
  content?: string | undefined;
  /** The caption. */
  excerpt?: string | undefined;
  /** The record that it belongs to; 0 for none. */
  parent?: number | undefined;
  /** Further meta rows, in order. */
  meta?: Readonly<Record<string, string>>;
}

/** Makes attachments of images: `read` before the transaction, `insert` in it, `release` after it. */
@Injectable()
export class AttachmentWriter {
  /** One at a time, as each may take hundreds of megabytes. */
  private readonly copying = new Semaphore(1);

  constructor(
    private readonly posts: PostWriter,
    private readonly imageStore: ImageStore,
  ) {}

  /** The number of images that wait for their copies. */
  get queued(): number {
    return this.copying.queued;
  }

  /** Creates the copies of an image in a working folder; throws `ImageRejected` for an unsupported type. */
  async read(bytes: Buffer, boxes: readonly ImageBox[]): Promise<NewImageFile> {
    const type = imageType(bytes);
    if (!type) throw new ImageRejected('is not a JPEG, PNG, GIF, WebP or AVIF image.');
    const exif = type.kind === 'jpeg' ? readExif(bytes) : new Map<number, string | number>();
    const workFolder = await mkdtemp(join(tmpdir(), 'almanac-image-'));
    try {
      const path = join(workFolder, 'image');
      await writeFile(path, bytes);
      const tag = exif.get(EXIF.orientation);
      const orientation = typeof tag === 'number' && tag <= 8 ? tag : 1;
      const makeSharp = await loadSharp();
      const files = await this.copying.run(() =>
        makeImageFiles({ path, type, orientation }, boxes, makeSharp),
      );
      return { workFolder, type, exif, files, isCommitted: false };
    } catch (error) {
      await rm(workFolder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Stores the files and rows of an attachment; returns its id. */
  async insert(
    transaction: Transaction,
    file: NewImageFile,
    fields: AttachmentFields,
    site: WriteSite,
  ): Promise<number> {
    file.stored ??= await this.storeFiles(file, fields.name, site);
    const { folder, stem, extension } = file.stored;
    const { settings, access } = site;
    const { name: _, title = stem, meta = {}, ...texts } = fields;
    const post = {
      ...texts,
      type: 'attachment',
      title,
      status: 'inherit',
      author: access.user.id,
      commentStatus: settings.defaultCommentStatus,
      mayPublish: true,
      mimeType: file.type.mimeType,
      guid: `${settings.render.uploadsUrl}/${folder}${stem}.${extension}`,
    };
    const id = await this.posts.insert(transaction, post, site);
    const rows = MetaWriter.forNew(transaction.manager, id)
      .add('_wp_attached_file', `${folder}${stem}${file.files.main.suffix}.${extension}`)
      .add('_wp_attachment_metadata', asMap(toPhp(attachmentMetadata(file, file.stored))));
    for (const [key, value] of Object.entries(meta)) rows.add(key, value);
    await rows.save();
    transaction.afterCommit(() => {
      file.isCommitted = true;
    });
    return id;
  }

  /** Removes the working files, and the stored ones unless their rows were, or may have been, committed. */
  async release({ workFolder, stored, isCommitted }: NewImageFile, mayBeStored = false): Promise<void> {
    await rm(workFolder, { recursive: true, force: true });
    if (stored && !isCommitted && !mayBeStored) await this.imageStore.remove(stored.paths);
  }

  private storeFiles({ type, files }: NewImageFile, sentName: string, { settings, now }: WriteSite) {
    const [year, month] = nowInZone(now, settings.zone).local.split('-');
    const folder = settings.media.yearMonthFolders ? `${year}/${month}/` : '';
    const name = { folder, ...uploadName(sentName, type.extensions, settings.render.locale) };
    const all = [files.original, files.main, ...files.sizes.values()];
    // Copies of equal size share a file.
    return this.imageStore.add(name, [...new Map(all.map((file) => [file.suffix, file])).values()]);
  }
}

/** The value of `_wp_attachment_metadata` (docs/behaviour/images.md#the-image-object). */
function attachmentMetadata(
  { files, exif, type }: NewImageFile,
  { folder, stem, extension }: UploadName,
): PlainValue {
  const { main, original, sizes, isTurned } = files;
  const name = ({ suffix }: ImageFile) => `${stem}${suffix}.${extension}`;
  const entries = [...sizes].map(([box, file]) => {
    const { width, height, bytes } = file;
    return [box, { file: name(file), width, height, 'mime-type': type.mimeType, filesize: bytes }];
  });
  return {
    width: main.width,
    height: main.height,
    file: folder + name(main),
    filesize: main.bytes,
    sizes: Object.fromEntries(entries),
    image_meta: imageMeta(exif, isTurned),
    ...(main !== original && { original_image: name(original) }),
  };
}
