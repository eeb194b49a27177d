import { forbidden, RestException } from '../../common/errors/rest-exception.js';
import type { Transaction } from '../../database/transactions.js';
import { type RequestContext, toWriteContext, type WriteContext } from '../../http/request-context.js';
import { isDue, isTrashedSince, TRASH_TIME } from '../../wordpress/posts/post-dates.js';
import { firstMeta, type PostRecord } from '../../wordpress/posts/post-record.js';
import { checkNewPost, checkPost } from './conditional-writes.js';
import { withImages } from './images.js';
import type { PostListQuery } from './list-query.js';
import { PostReader } from './post-reader.js';
import type { PostResourceDeps } from './post-resource-deps.js';
import type { CreateResult, PostInput, RecordWriter, WriteArgs } from './record-writer.js';
import type { LoadedPost, PostResource, RecordLoader } from './resource.js';
import { postHooks, respondAfterWrite } from './resource-hooks.js';

type WriteOperation = 'edit' | 'delete';

/**
 * Reads and writes the records of one post type. Every write checks rights, applies plugin filters, prepares images and
 * long texts before it takes the write lock, runs one transaction and responds through the read path.
 */
export abstract class PostResourceService<
  Many extends string,
  Fields extends PostInput,
  Json extends object,
  Query extends PostListQuery,
  Loaded extends LoadedPost,
> extends PostReader<Many, Fields, Json, Query, Loaded> {
  constructor(
    resource: PostResource<Fields, Json, Loaded>,
    tools: PostResourceDeps,
    loader: RecordLoader<Loaded>,
    protected readonly recordWriter: RecordWriter<Fields>,
  ) {
    super(resource, tools, loader);
  }

  /** Creates a record and responds with it. */
  async create(fields: Fields, context: RequestContext): Promise<Json> {
    const id = await this.runCreate(fields, context);
    return respondAfterWrite(() => this.readBack(id, context));
  }

  /** Updates a record and responds with it; fields that were not sent stay (W1). */
  async update(id: number, fields: Fields, context: RequestContext): Promise<Json> {
    const written = await this.runUpdate(id, fields, context);
    return respondAfterWrite(() => this.readBack(written, context));
  }

  /** Updates by slug, with the same checks of the record (W5). */
  async updateBySlug(slug: string, fields: Fields, context: RequestContext): Promise<Json> {
    return this.update(await this.idOf(slug), fields, context);
  }

  /**
   * Moves a record to the trash (410 if it is there already); on a site without a trash, deletes it and responds with
   * its last state.
   */
  async remove(id: number, context: RequestContext): Promise<Json | []> {
    const before = await this.findWritable(id, 'delete', context);
    const isTrashed = this.tools.env.emptyTrashDays > 0;
    // Read before taking the lock: holding a connection while waiting for another one could deadlock.
    const deletedResponse = isTrashed ? undefined : await this.deletedResponse(id, context);
    const { singular } = this.resource;
    const write = toWriteContext(context);
    await this.transactRemoval({ before, context }, async (transaction) => {
      const post = await this.findWritable(id, 'delete', context, transaction);
      if (post.status === 'trash')
        throw new RestException(
          'gone',
          `${singular}-is-in-trash`,
          `The ${singular} is in the trash already.`,
        );
      await this.removeRecord(transaction, post, isTrashed, write);
    });
    context.loaded.delete(id);
    return deletedResponse ?? respondAfterWrite(() => this.readBack(id, context));
  }

  async removeBySlug(slug: string, context: RequestContext): Promise<Json | []> {
    return this.remove(await this.idOf(slug), context);
  }

  /**
   * Publishes a scheduled record that is due, as an update of its status would; plugins may reject it. Returns false if
   * another process, PHP included, was faster.
   */
  async publishDue(id: number, context: RequestContext): Promise<boolean> {
    const scheduled = await this.tools.posts.find(id);
    const publish = { status: 'publish' } as Fields;
    return this.write(publish, scheduled ?? undefined, context, async (transaction, ...args) => {
      const before = await this.tools.posts.claim(id, 'future', transaction);
      const { now, settings } = toWriteContext(context);
      if (!before || !isDue(before, now, settings.zone)) return rollBackNoop(transaction);
      await this.updateRecord(transaction, before, ...args);
      return true;
    });
  }

  /**
   * Deletes a record that has been in the trash since the given time (epoch seconds) or longer; returns false if it is
   * not there any more.
   */
  async removeTrashed(id: number, since: number, context: RequestContext): Promise<boolean> {
    const write = toWriteContext(context);
    const removal: { before?: PostRecord; context: RequestContext } = { context };
    return this.transactRemoval(removal, async (transaction) => {
      const before = await this.tools.posts.claim(id, 'trash', transaction);
      removal.before = before ?? undefined;
      if (!before || !isTrashedSince(firstMeta(before, TRASH_TIME), since)) return rollBackNoop(transaction);
      await this.removeRecord(transaction, before, false, write);
      return true;
    });
  }

  /** Creates a record and returns its id. */
  protected async runCreate(fields: Fields, context: RequestContext): Promise<number> {
    this.checkCreatable(context);
    context.preconditions?.bind(`new ${this.resource.type}`);
    return this.write(fields, undefined, context, async (transaction, input, write, storeImage) => {
      await checkNewPost(this.tools.posts, this.resource, input, context, transaction);
      const inserted = await this.insertRecord(transaction, input, write, storeImage);
      transaction.isNoop = inserted.isUnchanged ?? false;
      const written = { ...inserted, fields: input, context: write };
      await this.tools.writes.finish(transaction, this.resource, written);
      return inserted.id;
    });
  }

  /** Throws unless the caller may create records. */
  protected checkCreatable({ access }: RequestContext): void {
    const { type, plural } = this.resource;
    if (!access.canOfType('edit', type)) throw forbidden(`You may not create ${plural}.`);
  }

  /** The context of a write, with its texts prepared for cleaning. */
  protected async withCleaner(input: Fields, context: RequestContext): Promise<WriteContext> {
    const cleaner = await this.tools.cleaning.prepare(context, this.resource.textsToClean?.(input) ?? []);
    return toWriteContext({ ...context, cleaner });
  }

  protected async runUpdate(id: number, fields: Fields, context: RequestContext): Promise<number> {
    const before = await this.findWritable(id, 'edit', context);
    return this.write(fields, before, context, async (transaction, ...args) => {
      const post = await this.findWritable(id, 'edit', context, transaction);
      return this.updateRecord(transaction, post, ...args);
    });
  }

  /** Updates a record and returns the id that it has then. */
  protected async updateRecord(
    transaction: Transaction,
    before: PostRecord,
    ...[fields, context, storeImage]: WriteArgs<Fields>
  ): Promise<number> {
    await this.validateInsert(transaction, before, fields, context);
    await this.recordWriter.update(transaction, before, fields, context, storeImage);
    if (before.status === 'trash' && fields.status !== undefined)
      await this.tools.fields.checkRestored(transaction, this.resource, before, fields, context);
    const written = { id: before.id, isNew: false, before, fields, context };
    await this.tools.writes.finish(transaction, this.resource, written);
    return before.id;
  }

  protected async removeRecord(
    transaction: Transaction,
    before: PostRecord,
    isTrashed: boolean,
    context: WriteContext,
  ): Promise<void> {
    await this.tools.writes.remove(transaction, this.resource, { before, isTrashed, context }, () =>
      this.recordWriter[isTrashed ? 'trash' : 'remove'](transaction, before, context),
    );
  }

  /** Inserts a record in the transaction of a create. */
  protected async insertRecord(transaction: Transaction, ...args: WriteArgs<Fields>): Promise<CreateResult> {
    const [fields, context] = args;
    await this.validateInsert(transaction, undefined, fields, context);
    return this.recordWriter.insert(transaction, ...args);
  }

  /** Lets plugins reject a create or an update, inside its transaction. */
  protected validateInsert(
    transaction: Transaction,
    before: PostRecord | undefined,
    fields: Fields,
    context: WriteContext,
  ): Promise<void> {
    const { recordWriter } = this;
    const getValues = async () => (await recordWriter.values?.(transaction, before, fields, context)) ?? {};
    const input = { before, fields, context };
    return this.tools.writes.validateInsert(transaction, this.resource, input, getValues);
  }

  /** The input after plugin filters, including inline records; throws before anything is written. */
  protected async filterFields(
    fields: Fields,
    before: PostRecord | undefined,
    context: RequestContext,
  ): Promise<Fields> {
    this.tools.fields.checkWritable(this.resource, fields, context);
    return this.tools.hooks.apply(postHooks(this.resource).preInsert, fields, { before, context });
  }

  /** The response to a final delete, read before it. */
  protected async deletedResponse(id: number, context: RequestContext): Promise<Json | []> {
    // A copy has no ETag, as the record will have no state.
    return { ...(await this.readBack(id, context)) };
  }

  /** Throws unless the caller may write the record; `name` describes it in the message, such as "the id 5". */
  protected checkWritable(
    name: string,
    post: PostRecord | null,
    operation: WriteOperation,
    { access }: RequestContext,
  ): PostRecord {
    const { singular, type } = this.resource;
    const mayWrite = post ? access.may(operation, post) : access.canOfType(operation, type);
    if (!mayWrite) throw forbidden(`You may not ${operation} this ${singular}.`);
    return this.known(name, post);
  }

  /** Checks permission before taking the lock, so that unauthorized callers hold nobody up, and again inside it. */
  protected async findWritable(
    id: number,
    operation: WriteOperation,
    context: RequestContext,
    transaction?: Transaction,
  ): Promise<PostRecord> {
    const { posts } = this.tools;
    const found = await (transaction ? posts.findToWrite(id, transaction) : posts.find(id));
    const post = this.checkWritable(`the id ${id}`, found, operation, context);
    await checkPost(this.tools.database, post, context, transaction);
    // Visibility filters query outside the transaction, so they run before the lock is taken.
    const visible = transaction ? [post] : await this.tools.visibility.of([post], context);
    if (visible.length === 0) throw forbidden(`You may not ${operation} this ${this.resource.singular}.`);
    return post;
  }

  protected transact<T>(context: RequestContext, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.tools.transactions.run(
      work,
      this.resource.tracksSaves ? toWriteContext(context).now : undefined,
    );
  }

  /** Runs the transaction of a removal; plugins hear of a failure. */
  protected transactRemoval<T>(
    removal: { before?: PostRecord; context: RequestContext },
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const run = () => this.transact(removal.context, work);
    return this.tools.writes.attempt(this.resource, removal, run);
  }

  /** Tells plugins of a failed create or update. */
  protected writeFailed(
    input: { before: PostRecord | undefined; fields: Fields; context: RequestContext },
    error: unknown,
  ): Promise<void> {
    return this.tools.writes.failed(this.resource, input, error);
  }

  /** Checks rights, cleans texts and downloads images before the transaction takes the write lock. */
  protected async write<T>(
    fields: Fields,
    before: PostRecord | undefined,
    context: RequestContext,
    run: (transaction: Transaction, ...args: WriteArgs<Fields>) => Promise<T>,
  ): Promise<T> {
    checkAuthor(this.resource.type, fields, context);
    this.tools.transactions.checkWritable();
    let input = fields;
    try {
      input = await this.filterFields(fields, before, context);
      const images = this.resource.images?.(input) ?? [input.image];
      const write = await this.withCleaner(input, context);
      return await withImages(this.tools.images, images, write, (storeImage) =>
        this.transact(context, (transaction) => run(transaction, input, write, storeImage)),
      );
    } catch (error) {
      await this.writeFailed({ before, fields: input, context }, error);
      throw error;
    }
  }
}

function rollBackNoop(transaction: Transaction): boolean {
  transaction.isNoop = true;
  return false;
}

/** Only users who may edit others' posts may set another author (W7). */
export function checkAuthor(type: string, { author }: PostInput, { access }: RequestContext): void {
  if (author !== undefined && !access.mayMakeAuthor(type, author))
    throw forbidden('You may not make somebody else the author.', 'rest_cannot_edit_others');
}
