import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { Semaphore } from '../../cache/semaphore.js';
import { throwIfAborted } from '../../common/context/abort.js';
import { RestException } from '../../common/errors/rest-exception.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transactions.js';
import { htmlEntityDecode } from '../../lib/wordpress-text/formatting/html-entity-decode.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { asMap, type PlainValue, toPhp } from '../../lib/wordpress-text/php-serialize.js';
import { SettingsService } from '../options/settings.service.js';
import type { WriteSite } from '../options/site-settings.js';
import { MetaWriter } from '../posts/meta-writer.js';
import { nowInZone } from '../posts/post-dates.js';
import { PostWriter } from '../posts/post-writer.js';
import { EXIF, type ExifTags, imageMeta, readExif } from './exif.js';
import { type ImageFile, type ImageFiles, loadSharp, makeImageFiles } from './image-copies.js';
import { ImageStore, type StoredFiles, type UploadName, uploadName } from './image-store.js';
import { type ImageType, imageType } from './image-type.js';
import type { ImageBox } from './media-settings.js';
import { ImageRejected, parseImageReference, SafeFetch } from './safe-fetch.js';

/** The image of a write: an existing attachment (0: none) or a download. */
export type PreparedImage = { attachmentId: number } | { download: PendingDownload };

interface PendingDownload extends ImageDownload {
  /** The meta key of an attachment's source URL. */
  sourceKey: string;
  /** The stored files, reused when the transaction is retried. */
  stored?: StoredFiles;
  isCommitted: boolean;
}

/** Concurrent downloads per process, and the maximum of queued ones. */
const MAX_CONCURRENT = 3;
const MAX_WAITING = 30;

/** Imports the image of a write: `prepare` before the transaction, `store` in it, `release` after it. */
@Injectable()
export class ImageImport {
  private readonly downloads = new Semaphore(MAX_CONCURRENT);
  /** One at a time, as each may take hundreds of megabytes. */
  private readonly copying = new Semaphore(1);

  constructor(
    private readonly database: Database,
    private readonly settings: SettingsService,
    private readonly posts: PostWriter,
    private readonly fetcher: SafeFetch,
    private readonly imageStore: ImageStore,
  ) {}

  /** Finds or downloads an image by id or URL, empty for none; throws `ImageRejected` on failure. */
  async prepare(
    value: string,
    { mayUpload, sourceKey }: { mayUpload: boolean; sourceKey: string },
  ): Promise<PreparedImage> {
    if (isPhpEmpty(value)) return { attachmentId: 0 };
    const reference = parseImageReference(value, { mayUpload });
    if ('id' in reference) return { attachmentId: reference.id };
    const { url } = reference;
    const known = await this.imported({ url, sourceKey });
    if (known !== undefined) return { attachmentId: known };
    this.imageStore.check();
    const { media } = await this.settings.current();
    if (this.downloads.queued >= MAX_WAITING)
      throw new RestException('busy', 'too_many_requests', 'Too many images are being fetched.');
    const download = await this.downloads.run(() => {
      throwIfAborted();
      return this.fetchImage(url, media.boxes);
    });
    return { download: { ...download, sourceKey, isCommitted: false } };
  }

  /** Stores a download unless the same URL was imported meanwhile; returns the attachment's id. */
  async store(transaction: Transaction, image: PreparedImage, site: WriteSite): Promise<number> {
    if ('attachmentId' in image) return image.attachmentId;
    const { download } = image;
    const known = await this.imported(download, transaction.manager);
    if (known !== undefined) return known;
    download.stored ??= await this.storeFiles(download, site);
    const id = await this.insert(transaction, download, download.stored, site);
    transaction.afterCommit(() => {
      download.isCommitted = true;
    });
    return id;
  }

  /** Removes the working files, and the stored ones unless their rows were, or may have been, committed. */
  async release(image: PreparedImage, mayBeStored = false): Promise<void> {
    if (!('download' in image)) return;
    const { workFolder, stored, isCommitted } = image.download;
    await rm(workFolder, { recursive: true, force: true });
    if (stored && !isCommitted && !mayBeStored) await this.imageStore.remove(stored.paths);
  }

  /** Downloads an image and creates its copies; throws `ImageRejected` for an unsupported type. */
  private async fetchImage(url: string, boxes: readonly ImageBox[]): Promise<ImageDownload> {
    const bytes = await download(url, this.fetcher);
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
      return { url, workFolder, type, exif, files };
    } catch (error) {
      await rm(workFolder, { recursive: true, force: true });
      throw error;
    }
  }

  /** The oldest image attachment with this guid or source URL. */
  private async imported(
    { url, sourceKey }: Pick<PendingDownload, 'url' | 'sourceKey'>,
    manager?: EntityManager,
  ): Promise<number | undefined> {
    const [posts, meta] = [this.database.table('posts'), this.database.table('postmeta')];
    const rows = await this.database.query<{ id: number; url: string }>(
      sql`SELECT p.ID AS id, p.guid AS url FROM ${posts} p
          WHERE p.post_type = 'attachment' AND p.post_mime_type LIKE 'image/%' AND p.guid = ${url}
          UNION
          SELECT p.ID, m.meta_value FROM ${meta} m JOIN ${posts} p ON p.ID = m.post_id
          WHERE m.meta_key = ${sourceKey} AND m.meta_value = ${url}
          AND p.post_type = 'attachment' AND p.post_mime_type LIKE 'image/%'
          ORDER BY 1`,
      manager,
    );
    // URLs are case-sensitive, column comparisons are not.
    return rows.find((row) => row.url === url)?.id;
  }

  private storeFiles({ url, type, files }: ImageDownload, { settings, now }: WriteSite) {
    const [year, month] = nowInZone(now, settings.zone).local.split('-');
    const folder = settings.media.yearMonthFolders ? `${year}/${month}/` : '';
    const name = { folder, ...uploadName(url, type.extensions, settings.render.locale) };
    const all = [files.original, files.main, ...files.sizes.values()];
    // Copies of equal size share a file.
    return this.imageStore.add(name, [...new Map(all.map((file) => [file.suffix, file])).values()]);
  }

  private async insert(
    transaction: Transaction,
    download: PendingDownload,
    stored: StoredFiles,
    site: WriteSite,
  ): Promise<number> {
    const { url, sourceKey, type, files } = download;
    const { folder, stem, extension } = stored;
    const { settings, access } = site;
    const metadata = attachmentMetadata(download, stored);
    const post = {
      type: 'attachment',
      title: stem,
      status: 'inherit',
      author: access.user.id,
      commentStatus: settings.defaultCommentStatus,
      mayPublish: true,
      mimeType: type.mimeType,
      guid: `${settings.render.uploadsUrl}/${folder}${stem}.${extension}`,
    };
    const id = await this.posts.insert(transaction, post, site);
    await MetaWriter.forNew(transaction.manager, id)
      .add('_wp_attached_file', `${folder}${stem}${files.main.suffix}.${extension}`)
      .add('_wp_attachment_metadata', asMap(toPhp(metadata)))
      .add(sourceKey, url)
      .save();
    return id;
  }
}

/** The value of `_wp_attachment_metadata` (docs/behaviour/images.md#the-image-object). */
function attachmentMetadata(
  { files, exif, type }: ImageDownload,
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

/** A downloaded image with its copies, in its working folder. */
interface ImageDownload {
  url: string;
  workFolder: string;
  type: ImageType;
  exif: ExifTags;
  files: ImageFiles;
}

/** Downloads a URL; on failure retries with entities decoded, as clients copy `&amp;` from HTML. */
async function download(url: string, fetcher: SafeFetch): Promise<Buffer> {
  const plain = htmlEntityDecode(url);
  if (plain === url) return fetcher.download(url);
  return fetcher.download(url).catch(() => fetcher.download(plain));
}
