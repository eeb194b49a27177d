import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { basename, dirname } from 'node:path/posix';
import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { forbidden, invalidParameter, RestException } from '../common/errors/rest-exception.js';
import { Database } from '../database/database.js';
import { type Transaction, Transactions } from '../database/transactions.js';
import { coreUrl } from '../http/core-links.js';
import { noRoute } from '../http/errors/error-response.js';
import { MAX_UPLOAD } from '../http/params/limits.js';
import { type RequestContext, toWriteContext } from '../http/request-context.js';
import { withHeaders } from '../http/rest-response.js';
import type { UploadedFile } from '../http/server/read-body.js';
import { sanitizeTextField } from '../lib/wordpress-text/formatting/sanitize.js';
import { asMap, asString, unserialize } from '../lib/wordpress-text/php-serialize.js';
import { checkNewPost, checkPost } from '../resources/base/conditional-writes.js';
import { respondAfterWrite } from '../resources/base/resource-hooks.js';
import { AttachmentWriter, type NewImageFile } from '../wordpress/media/attachment-writer.service.js';
import { ImageStore } from '../wordpress/media/image-store.js';
import { ImageRejected } from '../wordpress/media/safe-fetch.js';
import { MetaWriter } from '../wordpress/posts/meta-writer.js';
import { PostMeta } from '../wordpress/posts/post.entity.js';
import { firstMeta, type PostRecord } from '../wordpress/posts/post-record.js';
import { PostWriter } from '../wordpress/posts/post-writer.js';
import { PostsService } from '../wordpress/posts/posts.service.js';
import type { TextKind } from '../wordpress/posts/text-cleaner.js';
import { Cleaning } from '../wordpress/rendering/cleaning.service.js';
import type { MediaFields } from './media.dto.js';
import { MediaService } from './media.service.js';
import { fileName } from './sent-file-name.js';

/** What a request sends as its file. */
export interface SentFile {
  upload: UploadedFile | undefined;
  headers: IncomingHttpHeaders;
}

/** Images whose bytes wait in memory for their copies; further uploads are 503. */
const MAX_WAITING = 6;
const ALT_KEY = '_wp_attachment_image_alt';

/** Creates, changes and deletes files by the rights of `wp/v2` (docs/behaviour/core-routes.md#uploads). */
@Injectable()
export class MediaWrites {
  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly posts: PostsService,
    private readonly postWriter: PostWriter,
    private readonly attachments: AttachmentWriter,
    private readonly imageStore: ImageStore,
    private readonly cleaning: Cleaning,
    private readonly media: MediaService,
  ) {}

  async create(fields: MediaFields, sent: SentFile, context: RequestContext) {
    if (!this.imageStore.isAvailable) throw noRoute();
    if (!context.access.can('upload_files'))
      throw forbidden('You may not upload files.', 'rest_cannot_create');
    await this.checkParent(fields, context);
    const file = uploadedFile(sent);
    this.transactions.checkWritable();
    const texts = await this.textsOf(fields, context);
    const image = await this.read(file.bytes, context);
    const write = toWriteContext(context);
    let mayBeStored = false;
    try {
      const id = await this.transactions.run(async (transaction) => {
        await checkNewPost(this.posts, { type: 'attachment' }, fields, context, transaction);
        const { alt, ...post } = texts;
        const meta: Record<string, string> = alt ? { [ALT_KEY]: alt } : {};
        return this.attachments.insert(transaction, image, { name: file.name, ...post, meta }, write);
      });
      const body = await respondAfterWrite(() => this.media.get(id, { context: 'edit' }, context));
      return withHeaders(body, { Location: coreUrl(context, `media/${id}`) });
    } catch (error) {
      // The transaction may have committed: its rows need their files.
      mayBeStored = error instanceof RestException && error.kind === 'unconfirmed';
      throw error;
    } finally {
      await this.attachments.release(image, mayBeStored);
    }
  }

  /** Changes the fields that were sent. */
  async update(id: number, fields: MediaFields, context: RequestContext) {
    const checked = (file: PostRecord | null) => {
      if (file?.type !== 'attachment') throw noFile();
      if (!context.access.may('edit', file))
        throw forbidden('You may not change this file.', 'rest_cannot_edit');
      return file;
    };
    checked(await this.posts.find(id));
    await this.checkParent(fields, context);
    const { alt, ...texts } = await this.textsOf(fields, context);
    await this.transactions.run(async (transaction) => {
      const before = checked(await this.posts.findToWrite(id, transaction));
      await checkPost(this.database, before, context, transaction);
      const meta = await MetaWriter.forExisting(transaction.manager, before);
      if (alt !== undefined) meta.set(ALT_KEY, alt);
      const post = { ...texts, mayPublish: true };
      await this.postWriter.update(transaction, before, post, meta, toWriteContext(context));
      await meta.save();
    });
    return respondAfterWrite(() => this.media.get(id, { context: 'edit' }, context));
  }

  /** Deletes a file for good, as files have no trash; records that show it lose their image. */
  async remove(id: number, { force }: { force: boolean }, context: RequestContext) {
    const checked = (file: PostRecord | null) => {
      if (file?.type !== 'attachment') throw noFile();
      if (!context.access.may('delete', file))
        throw forbidden('You may not delete this file.', 'rest_cannot_delete');
      return file;
    };
    checked(await this.posts.find(id));
    if (!force)
      throw new RestException(
        'invalid',
        'rest_trash_not_supported',
        'Files have no trash: send force=true to delete this one for good.',
      );
    this.transactions.checkWritable();
    const previous = await this.media.get(id, { context: 'view' }, context);
    await this.transactions.run(async (transaction) => {
      const file = checked(await this.posts.findToWrite(id, transaction));
      await checkPost(this.database, file, context, transaction);
      await this.removeThumbnails(transaction, id);
      await this.postWriter.remove(transaction, file);
      // After the commit, as the search reads the paths of all attachments and other writes wait for the lock.
      transaction.afterCommit(async () => this.imageStore.delete(await this.unsharedFiles(file)));
    });
    return { deleted: true, previous };
  }

  /** Creates the copies of an image; throws a `RestException` for one that is not accepted. */
  private async read(bytes: Buffer, context: RequestContext): Promise<NewImageFile> {
    if (this.attachments.queued >= MAX_WAITING)
      throw new RestException('busy', 'too_many_requests', 'Too many images are being uploaded.');
    try {
      return await this.attachments.read(bytes, context.settings.media.boxes);
    } catch (error) {
      if (!(error instanceof ImageRejected)) throw error;
      throw new RestException('invalid', 'rest_upload_file_type_not_supported', `The file ${error.message}`);
    }
  }

  private async textsOf(fields: MediaFields, context: RequestContext) {
    const sent = [
      ['title', fields.title],
      ['content', fields.description],
      ['excerpt', fields.caption],
    ] as const;
    // The cleaner removes a level of backslashes that these routes do not add.
    const slashed = sent.map(([kind, text]) => [kind, text?.replaceAll('\\', '\\\\')] as const);
    const cleaner = await this.cleaning.prepare(context, slashed);
    const cleaned: Partial<Record<TextKind, string>> = {};
    for (const [kind, text] of slashed) if (text !== undefined) cleaned[kind] = cleaner.clean(kind, text);
    const { title, content, excerpt } = cleaned;
    return {
      ...(title !== undefined && { title }),
      ...(content !== undefined && { content }),
      ...(excerpt !== undefined && { excerpt }),
      ...(fields.slug !== undefined && { slug: fields.slug }),
      ...(fields.post !== undefined && { parent: fields.post }),
      ...(fields.alt_text !== undefined && { alt: sanitizeTextField(fields.alt_text) }),
    };
  }

  /** Throws unless the caller may edit the record that the file shall belong to; a hidden one is unknown. */
  private async checkParent({ post: id = 0 }: MediaFields, { access }: RequestContext): Promise<void> {
    if (id === 0) return;
    const parent = await this.posts.find(id);
    if (!parent || !access.mayRead(parent) || ['attachment', 'revision'].includes(parent.type))
      throw invalidParameter('post', 'post must be the id of a record, or 0.');
    if (!access.may('edit', parent))
      throw forbidden('You may not add files to this record.', 'rest_cannot_edit');
  }

  private async removeThumbnails(transaction: Transaction, id: number): Promise<void> {
    const { manager } = transaction;
    const thumbnail = { key: '_thumbnail_id', value: String(id) };
    const rows = await manager.find(PostMeta, { where: thumbnail, select: { id: true, postId: true } });
    transaction.touchAll(
      'post',
      rows.map(({ postId }) => postId),
    );
    if (rows.length > 0) await manager.delete(PostMeta, thumbnail);
  }

  /** The paths of an attachment's files, unless another attachment has the same file, as translations do. */
  private async unsharedFiles(file: PostRecord): Promise<string[]> {
    const path = firstMeta(file, '_wp_attached_file') ?? '';
    if (path === '') return [];
    const others = await this.database.query<{ path: string }>(
      sql`SELECT meta_value AS path FROM ${this.database.table('postmeta')}
          WHERE meta_key = '_wp_attached_file' AND meta_value = ${path} AND post_id <> ${file.id}`,
    );
    // The collation takes different names for the same.
    if (others.some((other) => other.path === path)) return [];
    const metadata = asMap(unserialize(firstMeta(file, '_wp_attachment_metadata') ?? ''));
    const copies = [...asMap(metadata.get('sizes'))].map(([, size]) => asString(asMap(size).get('file')));
    const names = [basename(path), asString(metadata.get('original_image')), ...copies];
    const folder = dirname(path);
    return [...new Set(names)].filter(Boolean).map((name) => `${folder}/${basename(name)}`);
  }
}

const noFile = () => new RestException('not_found', 'rest_post_invalid_id', 'There is no file with this id.');

/** The file and its name; throws the errors that WordPress documents for missing parts. */
function uploadedFile({ upload, headers }: SentFile): UploadedFile & { name: string } {
  const rejected = (code: string, message: string) => new RestException('invalid', code, message);
  if (!upload || upload.bytes.length === 0)
    throw rejected('rest_upload_no_data', 'Send the file as the body, or as "file" of a multipart form.');
  const { bytes } = upload;
  if (bytes.length > MAX_UPLOAD)
    throw new RestException('too_large', 'rest_upload_file_too_big', 'The file is too large.');
  const sum = headers['content-md5'];
  if (typeof sum === 'string' && sum.trim().toLowerCase() !== hash('md5', bytes))
    throw new RestException(
      'precondition_failed',
      'rest_upload_hash_mismatch',
      'Content-MD5 is not the hash of the file.',
    );
  if (upload.name !== undefined) return { bytes, name: upload.name };
  if (!headers['content-type'])
    throw rejected('rest_upload_no_content_type', 'The header Content-Type is missing.');
  const disposition = headers['content-disposition'];
  if (disposition === undefined)
    throw rejected('rest_upload_no_content_disposition', 'The header Content-Disposition is missing.');
  const name = fileName(disposition);
  if (name === undefined)
    throw rejected(
      'rest_upload_invalid_disposition',
      'Content-Disposition must be such as: attachment; filename="hall.jpg".',
    );
  return { bytes, name };
}
