import { Injectable } from '@nestjs/common';
import { noteChanges } from '../../calendar/note-changes.js';
import { invalidParameter, RestException } from '../../common/errors/rest-exception.js';
import { Hooks } from '../../common/hooks/hooks.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transactions.js';
import { TEXT_BYTES } from '../../http/params/write-args.js';
import type { WriteContext } from '../../http/request-context.js';
import { phpTrim } from '../../lib/wordpress-text/formatting/php-trim.js';
import { wpUnslash } from '../../lib/wordpress-text/formatting/slashes.js';
import { MetaWriter } from '../../wordpress/posts/meta-writer.js';
import type { PostRecord, PostRow } from '../../wordpress/posts/post-record.js';
import { PostWriter } from '../../wordpress/posts/post-writer.js';
import { PostsService } from '../../wordpress/posts/posts.service.js';
import { FieldsService } from '../base/fields.service.js';
import type { StoreImage } from '../base/images.js';
import { type CreateResult, checkAuthor, finishWrite } from '../base/post-resource.service.js';
import { EventLinksService } from './event-links.service.js';
import { namesakes } from './linked-post.query.js';
import type { LinkedPostFields, StorableFields } from './linked-post-fields.js';
import type { LinkedPostType } from './linked-post-type.js';
import type { LinkedPostInput } from './linked-posts-arg.js';

/** Writes venues and organizers: the post, its meta, and the links of events to it. */
@Injectable()
export class LinkedPostWriter {
  constructor(
    private readonly database: Database,
    private readonly posts: PostWriter,
    private readonly records: PostsService,
    private readonly links: EventLinksService,
    readonly hooks: Hooks,
    readonly fields: FieldsService,
  ) {}

  /** The ids that the wishes of an event stand for, each once, in their order; what is missing is made. */
  async resolve(
    transaction: Transaction,
    kind: LinkedPostType,
    wishes: readonly LinkedPostInput[],
    context: WriteContext,
    storeImage: StoreImage,
  ): Promise<number[]> {
    const ids: number[] = [];
    for (const wish of wishes) {
      if ('id' in wish) {
        ids.push(wish.id);
        continue;
      }
      const { fields } = wish;
      const made = await this.findOrCreate(transaction, kind, fields, context, storeImage);
      await finishWrite(this, transaction, kind, { ...made, fields, context });
      ids.push(made.id);
    }
    return [...new Set(ids)];
  }

  /**
   * A record with this name (and description, when one is sent) that the caller may read, or a new one
   * (W9). One that exists takes the meta that was sent if the caller may edit it, and nothing else; of one that is left alone
   * the image is not stored either.
   */
  async findOrCreate(
    transaction: Transaction,
    kind: LinkedPostType,
    fields: LinkedPostFields,
    context: WriteContext,
    storeImage: StoreImage = onlyIds,
  ): Promise<CreateResult> {
    checkAuthor(kind.type, fields, context);
    const { title = '', content = '' } = cleanTexts(kind, fields, context);
    if (title === '') throw refused(kind, 'create');
    const known = await this.namesake(transaction, kind, fields, { title, content }, context);
    if (known && !context.access.may('edit', known)) return { id: known.id, isNew: false, isUnchanged: true };
    const storable = { ...fields, imageId: await storeImage(transaction, fields.image) };
    if (!known) {
      const id = await this.insert(transaction, kind, storable, { title, content }, context);
      return { id, isNew: true };
    }
    const meta = await MetaWriter.forExisting(transaction.manager, known);
    await this.saveMeta(transaction, kind, meta, storable, context);
    return { id: known.id, isNew: false };
  }

  /** Changes a record; what was not sent stays (W1). */
  async update(
    transaction: Transaction,
    kind: LinkedPostType,
    before: PostRecord,
    fields: StorableFields,
    context: WriteContext,
  ): Promise<void> {
    const texts = cleanTexts(kind, fields, context);
    if (texts.title === '') throw refused(kind, 'update');
    const meta = await MetaWriter.forExisting(transaction.manager, before);
    const { changed } = await this.posts.update(
      transaction,
      before,
      {
        ...texts,
        status: fields.status && context.access.statusOnWrite(kind.type, fields.status),
        slug: fields.slug,
        author: fields.author,
        date: fields.date,
        dateGmt: fields.date_utc,
        mayPublish: context.access.mayPublish(kind.type),
      },
      meta,
      context,
    );
    await this.saveMeta(transaction, kind, meta, fields, context, { changed });
  }

  /** Publishes the records that are drafts, pending or scheduled, as far as the caller may publish and edit them. */
  async publish(
    transaction: Transaction,
    kind: LinkedPostType,
    rows: readonly PostRow[],
    context: WriteContext,
  ): Promise<void> {
    if (!context.access.mayPublish(kind.type)) return;
    for (const { id, type, status } of rows) {
      if (type !== kind.type || !['draft', 'pending', 'future'].includes(status)) continue;
      const record = await this.records.claim(id, status, transaction);
      if (record && context.access.may('edit', record))
        await this.update(transaction, kind, record, { status: 'publish' }, context);
    }
  }

  /** Moves a record to the trash and takes it out of all events (W14). */
  async trash(
    transaction: Transaction,
    kind: LinkedPostType,
    before: PostRecord,
    context: WriteContext,
  ): Promise<void> {
    const meta = await MetaWriter.forExisting(transaction.manager, before);
    await this.posts.trash(transaction, before, meta, context);
    await noteChanges(meta, context, { columns: ['post_status'] }).save();
    await this.links.unlink(transaction, kind, before.id);
    await transaction.noteSave(context.now);
  }

  /** Deletes a record for good, as a site without a trash does. */
  async remove(
    transaction: Transaction,
    kind: LinkedPostType,
    before: PostRecord,
    context: WriteContext,
  ): Promise<void> {
    await this.links.unlink(transaction, kind, before.id);
    await this.posts.remove(transaction, before);
    await transaction.noteSave(context.now);
  }

  private async namesake(
    { manager }: Transaction,
    kind: LinkedPostType,
    fields: LinkedPostFields,
    { title, content }: { title: string; content: string },
    { access }: WriteContext,
  ): Promise<NamesakeRecord | undefined> {
    // Texts are stored as sent by one writer, cleaned by another: either way they are the same.
    const titles = [title, phpTrim(wpUnslash(fields[kind.one] ?? ''))];
    const contents = fields.description ? [content, wpUnslash(fields.description)] : undefined;
    const found = await this.database.query<Omit<NamesakeRecord, 'type' | 'meta'>>(
      namesakes(this.database, kind, titles, contents),
      manager,
    );
    return found
      .map((row) => ({ ...row, type: kind.type, meta: new Map() }))
      .find((record) => access.mayRead(record));
  }

  private async insert(
    transaction: Transaction,
    kind: LinkedPostType,
    fields: StorableFields,
    texts: { title: string; content: string },
    context: WriteContext,
  ): Promise<number> {
    const { access } = context;
    const status = access.statusOnWrite(kind.type, fields.status);
    const id = await this.posts.insert(
      transaction,
      {
        ...texts,
        type: kind.type,
        status,
        author: fields.author ?? access.user.id,
        date: fields.date,
        dateGmt: fields.date_utc,
        slugWhileFloating: true,
        mayPublish: access.mayPublish(kind.type),
      },
      context,
    );
    const meta = MetaWriter.forNew(transaction.manager, id);
    meta.add(kind.originKey, 'events-calendar');
    await this.saveMeta(transaction, kind, meta, fields, context, { created: { status } });
    return id;
  }

  private async saveMeta(
    transaction: Transaction,
    kind: LinkedPostType,
    meta: MetaWriter,
    fields: StorableFields,
    context: WriteContext,
    { created, changed }: { created?: { status: string }; changed?: readonly string[] } = {},
  ): Promise<void> {
    kind.writeMeta(meta, fields, context, created);
    await noteChanges(meta, context, { columns: changed }).save();
    await transaction.noteSave(context.now);
  }
}

/** For writes that download nothing. */
export const onlyIds: StoreImage = async (_transaction, value) => {
  if (value === undefined || value === '') return value === '' ? 0 : undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value);
  throw invalidParameter('image', 'image must be the id of an image here.');
};

type NamesakeRecord = Pick<PostRecord, 'id' | 'type' | 'author' | 'status' | 'meta'>;

/** Name and description as they are stored; undefined where nothing was sent. */
function cleanTexts(
  kind: LinkedPostType,
  fields: LinkedPostFields,
  context: WriteContext,
): { title?: string; content?: string } {
  const cleaner = context.cleaner;
  const name = fields[kind.one];
  const title = name === undefined ? undefined : cleaner.clean('title', name);
  // Cleaning may make a text longer: & becomes an entity.
  if (title !== undefined && Buffer.byteLength(title) > TEXT_BYTES)
    throw invalidParameter(kind.one, `${kind.one} is longer than ${TEXT_BYTES} bytes.`);
  const { description } = fields;
  return { title, content: description === undefined ? undefined : cleaner.clean('content', description) };
}

/** A name of which cleaning leaves nothing is no name. */
function refused({ one: word }: LinkedPostType, operation: 'create' | 'update'): RestException {
  return new RestException('invalid', `could-not-${operation}-${word}`, `${word} must hold some text.`);
}
