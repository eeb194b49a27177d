import { rm } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { throwIfAborted } from '../../common/context/abort.js';
import { Semaphore } from '../../cache/semaphore.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transactions.js';
import { RestException } from '../../common/errors/rest-exception.js';
import { isPhpEmpty } from '../../lib/wordpress-text/formatting/php-empty.js';
import { asMap, toPhp } from '../../lib/wordpress-text/php-serialize.js';
import { SettingsService } from '../options/settings.service.js';
import { MetaWriter } from '../posts/meta-writer.js';
import { present } from '../posts/post-dates.js';
import { PostWriter } from '../posts/post-writer.js';
import type { WriteSite } from '../posts/write-site.js';
import { attachmentMetadata } from './attachment-metadata.js';
import { downloadImage, type ImageDownload } from './image-download.js';
import { parseImageReference } from './image-reference.js';
import { ImageStore, type StoredFiles } from './image-store.js';
import { SafeFetch } from './safe-fetch.js';
import { uploadName } from './upload-name.js';

/** An image that a write asks for: an attachment that exists (0: none at all), or one to be made of a download. */
export type PreparedImage = { attachmentId: number } | { download: PendingDownload };

interface PendingDownload extends ImageDownload {
  /** Meta key under which an attachment says where it came from. */
  sourceKey: string;
  /** Set once the files are in the store; an attempt that is run again uses them again. */
  stored?: StoredFiles;
  isCommitted: boolean;
}

/** Downloads at the same time, in one process, and how many may wait for that. */
const AT_ONCE = 3;
const MAX_WAITING = 30;

/**
 * Turns what a client says of an image into an attachment: `prepare` before the transaction, `store` within it, and
 * `release` after it, however it ended.
 */
@Injectable()
export class ImageImport {
  private readonly turns = new Semaphore(AT_ONCE);
  /** One at a time: each may take hundreds of megabytes. */
  private readonly copying = new Semaphore(1);

  constructor(
    private readonly database: Database,
    private readonly settings: SettingsService,
    private readonly posts: PostWriter,
    private readonly fetcher: SafeFetch,
    private readonly imageStore: ImageStore,
  ) {}

  /**
   * Finds or downloads an image: the id of an attachment, a URL, or empty for none. Throws `ImageRefused` when there is
   * nothing to be had; a URL needs the capability `upload_files`. A `Refusal` where too many wait already.
   */
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
    if (this.turns.queued >= MAX_WAITING)
      throw new RestException('busy', 'too_many_requests', 'Too many images are being fetched.');
    const download = await this.turns.run(() => {
      throwIfAborted();
      return downloadImage(url, media.boxes, this.fetcher, this.copying);
    });
    return { download: { ...download, sourceKey, isCommitted: false } };
  }

  /** The attachment's id; a download becomes files and rows, unless the same URL was imported meanwhile. */
  async store(transaction: Transaction, image: PreparedImage, site: WriteSite): Promise<number> {
    if ('attachmentId' in image) return image.attachmentId;
    const { download } = image;
    const known = await this.imported(download, transaction.manager);
    if (known !== undefined) return known;
    download.stored ??= await this.keep(download, site);
    const id = await this.insert(transaction, download, download.stored, site);
    transaction.afterCommit(() => {
      download.isCommitted = true;
    });
    return id;
  }

  /** Removes the working files, and the stored ones unless their rows were committed, or may have been. */
  async release(image: PreparedImage, mayBeStored = false): Promise<void> {
    if (!('download' in image)) return;
    const { workFolder, stored, isCommitted } = image.download;
    await rm(workFolder, { recursive: true, force: true });
    if (stored && !isCommitted && !mayBeStored) await this.imageStore.remove(stored.paths);
  }

  /** The image attachment that a URL names or was imported from, the oldest one. */
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
    // The columns compare without letter case, addresses differ by it.
    return rows.find((row) => row.url === url)?.id;
  }

  private keep({ url, type, files }: ImageDownload, { settings, now }: WriteSite): Promise<StoredFiles> {
    const [year, month] = present(now, settings.zone).local.split('-');
    const folder = settings.media.yearMonthFolders ? `${year}/${month}/` : '';
    const name = { folder, ...uploadName(url, type.extensions, settings.render.locale) };
    const all = [files.original, files.main, ...files.sizes.values()];
    // Copies of one size are one file.
    return this.imageStore.add(name, [...new Map(all.map((file) => [file.suffix, file])).values()]);
  }

  private async insert(
    transaction: Transaction,
    { url, sourceKey, type, exif, files }: PendingDownload,
    { folder, stem, extension }: StoredFiles,
    site: WriteSite,
  ): Promise<number> {
    const { settings, access } = site;
    const metadata = attachmentMetadata(files, exif, type.mimeType, { folder, stem, extension });
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
