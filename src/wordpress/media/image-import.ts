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
import { SettingsService } from '../options/settings.service.js';
import type { WriteSite } from '../options/site-settings.js';
import { AttachmentWriter, type NewImageFile } from './attachment-writer.service.js';
import { ImageStore, nameInUrl } from './image-store.js';
import { parseImageReference, SafeFetch } from './safe-fetch.js';

/** The image of a write: an existing attachment (0: none) or a download. */
export type PreparedImage = { attachmentId: number } | { download: PendingDownload };

interface PendingDownload {
  url: string;
  /** The meta key of an attachment's source URL. */
  sourceKey: string;
  file: NewImageFile;
}

/** Concurrent downloads per process, and the maximum of queued ones. */
const MAX_CONCURRENT = 3;
const MAX_WAITING = 30;

/** Imports the image of a write: `prepare` before the transaction, `store` in it, `release` after it. */
@Injectable()
export class ImageImport {
  private readonly downloads = new Semaphore(MAX_CONCURRENT);

  constructor(
    private readonly database: Database,
    private readonly settings: SettingsService,
    private readonly attachments: AttachmentWriter,
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
    const file = await this.downloads.run(async () => {
      throwIfAborted();
      return this.attachments.read(await download(url, this.fetcher), media.boxes);
    });
    return { download: { url, sourceKey, file } };
  }

  /** Stores a download unless the same URL was imported meanwhile; returns the attachment's id. */
  async store(transaction: Transaction, image: PreparedImage, site: WriteSite): Promise<number> {
    if ('attachmentId' in image) return image.attachmentId;
    const { download } = image;
    const known = await this.imported(download, transaction.manager);
    if (known !== undefined) return known;
    const { url, sourceKey, file } = download;
    return this.attachments.insert(
      transaction,
      file,
      { name: nameInUrl(url), meta: { [sourceKey]: url } },
      site,
    );
  }

  /** Removes the working files, and the stored ones unless their rows were, or may have been, committed. */
  async release(image: PreparedImage, mayBeStored = false): Promise<void> {
    if ('download' in image) await this.attachments.release(image.download.file, mayBeStored);
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
}

/** Downloads a URL; on failure retries with entities decoded, as clients copy `&amp;` from HTML. */
async function download(url: string, fetcher: SafeFetch): Promise<Buffer> {
  const plain = htmlEntityDecode(url);
  if (plain === url) return fetcher.download(url);
  return fetcher.download(url).catch(() => fetcher.download(plain));
}
