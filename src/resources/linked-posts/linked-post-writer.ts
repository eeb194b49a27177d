import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { In } from 'typeorm';
import { EVENT_POST_TYPE } from '../../calendar/event-post-type.js';
import { noteChanges } from '../../calendar/note-changes.js';
import { invalidParameter, RestException } from '../../common/errors/rest-exception.js';
import { Database } from '../../database/database.js';
import { straightJoin } from '../../database/dialect.js';
import type { Transaction } from '../../database/transactions.js';
import { TEXT_BYTES } from '../../http/params/write-args.js';
import type { WriteContext } from '../../http/request-context.js';
import { wpUnslash } from '../../lib/wordpress-text/formatting/esc-html.js';
import { phpTrim } from '../../lib/wordpress-text/formatting/php-strings.js';
import { asInteger, asMap, serialize, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import { MetaWriter } from '../../wordpress/posts/meta-writer.js';
import { PostMeta } from '../../wordpress/posts/post.entity.js';
import type { PostRecord, PostRow } from '../../wordpress/posts/post-record.js';
import { PostWriter } from '../../wordpress/posts/post-writer.js';
import { PostsService } from '../../wordpress/posts/posts.service.js';
import { FieldsService } from '../base/fields.service.js';
import type { StoreImage } from '../base/images.js';
import { checkAuthor } from '../base/post-resource.service.js';
import type { CreateResult, RecordWriter } from '../base/record-writer.js';
import { WriteHooks } from '../base/write-hooks.service.js';
import { matchingRecords } from './linked-post.query.js';
import type { LinkedPostFields, LinkedPostType, StorableFields } from './linked-post-type.js';
import type { LinkedPostInput } from './linked-posts-arg.js';

/** Rows per DELETE statement. */
const DELETE_BATCH = 1000;

/** Writes venues and organizers: the post, its meta, and the links of events to it. */
@Injectable()
export class LinkedPostWriter {
  constructor(
    private readonly database: Database,
    private readonly posts: PostWriter,
    private readonly records: PostsService,
    private readonly writes: WriteHooks,
    private readonly declared: FieldsService,
  ) {}

  /** The writer of one kind; a removed record is also removed from all events (W14). */
  of(kind: LinkedPostType): RecordWriter<LinkedPostFields> {
    return {
      insert: (transaction, ...args) => this.findOrCreate(transaction, kind, ...args),
      update: async (transaction, before, fields, context, storeImage) => {
        const imageId = await storeImage(transaction, fields.image);
        await this.update(transaction, kind, before, { ...fields, imageId }, context);
      },
      trash: async (transaction, before, context) => {
        const meta = await MetaWriter.forExisting(transaction.manager, before);
        await this.posts.trash(transaction, before, meta, context);
        await noteChanges(meta, context, { columns: ['post_status'] }).save();
        await this.unlink(transaction, kind, before.id);
        await transaction.recordSave(context.now);
      },
      remove: async (transaction, before, context) => {
        await this.unlink(transaction, kind, before.id);
        await this.posts.remove(transaction, before);
        await transaction.recordSave(context.now);
      },
    };
  }

  /** Returns the distinct ids for the links of an event, in order, and creates missing records. */
  async resolve(
    transaction: Transaction,
    kind: LinkedPostType,
    inputs: readonly LinkedPostInput[],
    context: WriteContext,
    storeImage: StoreImage,
  ): Promise<number[]> {
    const ids: number[] = [];
    for (const input of inputs) {
      if ('id' in input) {
        ids.push(input.id);
        continue;
      }
      const { fields } = input;
      const created = await this.findOrCreate(transaction, kind, fields, context, storeImage);
      await this.writes.finish(transaction, kind, { ...created, fields, context });
      ids.push(created.id);
    }
    return [...new Set(ids)];
  }

  /**
   * Finds a readable record with this name (and description, if sent) or creates one (W9). An existing record only
   * takes the sent meta and image, and only if the caller may edit it.
   */
  async findOrCreate(
    transaction: Transaction,
    kind: LinkedPostType,
    fields: LinkedPostFields,
    context: WriteContext,
    storeImage: StoreImage = storeIdsOnly,
  ): Promise<CreateResult> {
    checkAuthor(kind.type, fields, context);
    const { title = '', content = '' } = cleanTexts(kind, fields, context);
    if (title === '') throw emptyNameError(kind, 'create');
    const known = await this.findMatching(transaction, kind, fields, { title, content }, context);
    if (known && !context.access.may('edit', known)) return { id: known.id, isNew: false, isUnchanged: true };
    const isFound = known && this.writes.hasActions(kind);
    const before = (isFound && (await this.records.findToWrite(known.id, transaction))) || undefined;
    await this.writes.validateInsert(transaction, kind, { before, fields, context });
    const storable = { ...fields, imageId: await storeImage(transaction, fields.image) };
    if (!known) {
      const id = await this.insert(transaction, kind, storable, { title, content }, context);
      return { id, isNew: true };
    }
    const meta = await MetaWriter.forExisting(transaction.manager, known);
    await this.saveMeta(transaction, kind, meta, storable, context);
    return { id: known.id, isNew: false, before };
  }

  /** Updates a record; fields that were not sent stay (W1). */
  async update(
    transaction: Transaction,
    kind: LinkedPostType,
    before: PostRecord,
    fields: StorableFields,
    context: WriteContext,
  ): Promise<void> {
    const texts = cleanTexts(kind, fields, context);
    if (texts.title === '') throw emptyNameError(kind, 'update');
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

  /** Publishes draft, pending and scheduled records that the caller may edit and publish. */
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
      if (!record || !context.access.may('edit', record)) continue;
      const written = { id, isNew: false, before: record, fields: { status: 'publish' } as const, context };
      await this.writes.validateInsert(transaction, kind, written);
      await this.update(transaction, kind, record, written.fields, context);
      await this.writes.finish(transaction, kind, written);
    }
  }

  /**
   * Removes a record from all events that link to it, whatever their status; their other links stay (W14). No index
   * holds the values, so one non-locking statement reads all links of the kind; matching rows are deleted in batches.
   */
  private async unlink(transaction: Transaction, kind: LinkedPostType, id: number): Promise<void> {
    const { manager } = transaction;
    const meta = this.database.table('postmeta');
    // Old rows hold several ids as one serialized list.
    const rows = await this.database.query<{ rowId: number; postId: number; value: string }>(
      sql`SELECT m.meta_id AS rowId, m.post_id AS postId, m.meta_value AS value FROM ${meta} m
          ${straightJoin(this.database.dialect)} ${this.database.table('posts')} e ON e.ID = m.post_id
          WHERE m.meta_key = ${kind.linkKey} AND (m.meta_value = ${String(id)} OR m.meta_value LIKE 'a:%')
          AND e.post_type = ${EVENT_POST_TYPE} ORDER BY m.meta_id`,
      manager,
    );
    transaction.touchAll(
      'post',
      rows.map(({ postId }) => postId),
    );
    const rowIds: number[] = [];
    // A row is changed only while it holds the value that was read, so that concurrent changes by PHP stay.
    for (const { rowId, value } of rows) {
      if (!value.startsWith('a:')) {
        rowIds.push(rowId);
        continue;
      }
      const ids = [...asMap(unserialize(value)).values()];
      const remaining = ids.filter((linked) => asInteger(linked) !== id);
      const asRead = { id: rowId, value };
      if (remaining.length === 0 && ids.length > 0) await manager.delete(PostMeta, asRead);
      else if (remaining.length < ids.length)
        await manager.update(PostMeta, asRead, { value: serialize(new Map(remaining.entries())) });
    }
    for (let at = 0; at < rowIds.length; at += DELETE_BATCH)
      await manager.delete(PostMeta, { id: In(rowIds.slice(at, at + DELETE_BATCH)), value: String(id) });
  }

  private async findMatching(
    transaction: Transaction,
    kind: LinkedPostType,
    fields: LinkedPostFields,
    { title, content }: { title: string; content: string },
    context: WriteContext,
  ): Promise<MatchingRecord | undefined> {
    // Some writers store texts as sent, others cleaned: both match.
    const titles = [title, phpTrim(wpUnslash(fields[kind.singular] ?? ''))];
    const contents = fields.description ? [content, wpUnslash(fields.description)] : undefined;
    const found = await this.database.query<Omit<MatchingRecord, 'type' | 'meta'>>(
      matchingRecords(this.database, kind, titles, contents),
      transaction.manager,
    );
    const readable = found
      .map((row) => ({ ...row, type: kind.type, meta: new Map() }))
      .filter((record) => context.access.mayRead(record));
    return this.declared.matching(transaction, kind, readable, fields, context);
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
    await transaction.recordSave(context.now);
  }
}

/** Accepts attachment ids only, for writes without downloads. */
export const storeIdsOnly: StoreImage = async (_transaction, value) => {
  if (value === undefined || value === '') return value === '' ? 0 : undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value);
  throw invalidParameter('image', 'image must be the id of an image here.');
};

type MatchingRecord = Pick<PostRecord, 'id' | 'type' | 'author' | 'status' | 'meta'>;

/** Name and description as stored; undefined was not sent. */
function cleanTexts(
  kind: LinkedPostType,
  fields: LinkedPostFields,
  context: WriteContext,
): { title?: string; content?: string } {
  const cleaner = context.cleaner;
  const name = fields[kind.singular];
  const title = name === undefined ? undefined : cleaner.clean('title', name);
  // Cleaning may lengthen a text: & becomes an entity.
  if (title !== undefined && Buffer.byteLength(title) > TEXT_BYTES)
    throw invalidParameter(kind.singular, `${kind.singular} is longer than ${TEXT_BYTES} bytes.`);
  const { description } = fields;
  return { title, content: description === undefined ? undefined : cleaner.clean('content', description) };
}

/** The error for a name that cleaning empties. */
function emptyNameError({ singular }: LinkedPostType, operation: 'create' | 'update'): RestException {
  return new RestException(
    'invalid',
    `could-not-${operation}-${singular}`,
    `${singular} must hold some text.`,
  );
}
