import { forbidden, RestException } from '../../common/errors/rest-exception.js';
import type { Hooks } from '../../common/hooks/hooks.js';
import type { Transaction } from '../../database/transactions.js';
import { type RequestContext, toWriteContext, type WriteContext } from '../../http/request-context.js';
import { isDue, isTrashedSince, TRASH_TIME } from '../../wordpress/posts/post-dates.js';
import { firstMeta, type PostRecord } from '../../wordpress/posts/post-record.js';
import type { WritableStatus } from '../../wordpress/posts/post-statuses.js';
import type { TextToClean } from '../../wordpress/rendering/cleaning.service.js';
import { afterWrite } from '../after-write.js';
import type { FieldsService } from './fields.service.js';
import { type StoreImage, withImages } from './images.js';
import type { PostListQuery } from './list-query.js';
import { PostReader } from './post-reader.js';
import type { LoadedPost, PostResource } from './resource.js';
import { postHooks } from './resource-hooks.js';

/** What a write of any post may say; undefined was not sent. */
export interface PostInput {
  author?: number;
  status?: WritableStatus;
  /** Id of an attachment or a URL; '' removes the featured image. */
  image?: string;
}

/** What a create came to. */
export interface CreateResult {
  id: number;
  /** Whether it is new; a record that was found may have changed. */
  isNew: boolean;
  /** Set on a record that was found and that the caller may not edit: nothing of it is written. */
  isUnchanged?: boolean;
}

/** What may be done with a record that exists. */
type Operation = 'edit' | 'delete';

/**
 * Reads and writes the records of one post type. Here stands what every write shares: who may, plugins, images and long texts
 * before the turn to write, one transaction, the answer through the read path. A resource says what is written.
 */
export abstract class PostResourceService<
  Many extends string,
  Fields extends PostInput,
  Json extends object,
  Query extends PostListQuery,
  Shown extends LoadedPost,
> extends PostReader<Many, Fields, Json, Query, Shown> {
  /** All texts that a write cleans. */
  protected abstract textsOf(fields: Fields): TextToClean[];
  /** Inserts a record, or finds the one that is meant. */
  protected abstract insert(
    transaction: Transaction,
    fields: Fields,
    context: WriteContext,
    storeImage: StoreImage,
  ): Promise<CreateResult>;
  /** Changes a record; what was not sent stays (W1). */
  protected abstract change(
    transaction: Transaction,
    before: PostRecord,
    fields: Fields,
    context: WriteContext,
    storeImage: StoreImage,
  ): Promise<void>;
  /** Moves a record to the trash, or deletes it for good where the site keeps no trash. */
  protected abstract discard(
    transaction: Transaction,
    before: PostRecord,
    isTrashed: boolean,
    context: WriteContext,
  ): Promise<void>;

  /** Creates a record and shows it. */
  async create(fields: Fields, context: RequestContext): Promise<Json> {
    const id = await this.insertRecord(fields, context);
    return afterWrite(() => this.readBack(id, context));
  }

  /** Updates a record and shows it; what was not sent stays (W1). */
  async update(id: number, fields: Fields, context: RequestContext): Promise<Json> {
    await this.updateRecord(id, fields, context);
    return afterWrite(() => this.readBack(id, context));
  }

  /** The same by slug, with the same checks of the record (W5). */
  async updateBySlug(slug: string, fields: Fields, context: RequestContext): Promise<Json> {
    return this.update(await this.idOf(slug), fields, context);
  }

  /** Trashes a record, which is gone when it is in the trash already; without a trash it is deleted and shown as it was. */
  async remove(id: number, context: RequestContext): Promise<Json | []> {
    await this.writable(id, 'delete', context);
    const isTrashed = this.tools.env.emptyTrashDays > 0;
    // Read before the turn to write: whoever holds a connection must never wait for another one.
    const last = isTrashed ? undefined : await this.last(id, context);
    const { one } = this.resource;
    const write = toWriteContext(context);
    await this.transact(context, async (transaction) => {
      const before = await this.writable(id, 'delete', context, transaction);
      if (before.status === 'trash')
        throw new RestException('gone', `${one}-is-in-trash`, `The ${one} is in the trash already.`);
      await this.discard(transaction, before, isTrashed, write);
      const deleted = { before, isTrashed, context };
      transaction.afterCommit(() => this.tools.hooks.run(postHooks(this.resource).delete, deleted));
    });
    context.loaded.delete(id);
    return last ?? afterWrite(() => this.readBack(id, context));
  }

  /** The same by slug. */
  async removeBySlug(slug: string, context: RequestContext): Promise<Json | []> {
    return this.remove(await this.idOf(slug), context);
  }

  /**
   * Publishes a scheduled record whose time has come, as an update of its status would; plugins may refuse it. False where there
   * is nothing to do any more: of many who try at once, PHP among them, one does it.
   */
  async publishDue(id: number, context: RequestContext): Promise<boolean> {
    const scheduled = await this.tools.posts.find(id);
    const publish = { status: 'publish' } as Fields;
    return this.write(publish, scheduled ?? undefined, context, (fields, write, storeImage) =>
      this.transact(context, async (transaction) => {
        const before = await this.tools.posts.claim(id, 'future', transaction);
        if (!before || !isDue(before, write.now, write.settings.zone)) return isVain(transaction);
        await this.change(transaction, before, fields, write, storeImage);
        const written = { id, isNew: false, fields, context: write };
        await finishWrite(this.tools, transaction, this.resource, written);
        return true;
      }),
    );
  }

  /** Deletes for good what has been in the trash since then (epoch seconds) or longer; false where it is not there any more. */
  async removeTrashed(id: number, since: number, context: RequestContext): Promise<boolean> {
    const write = toWriteContext(context);
    return this.transact(context, async (transaction) => {
      const before = await this.tools.posts.claim(id, 'trash', transaction);
      if (!before || !isTrashedSince(firstMeta(before, TRASH_TIME), since)) return isVain(transaction);
      await this.discard(transaction, before, false, write);
      const deleted = { before, isTrashed: false, context };
      transaction.afterCommit(() => this.tools.hooks.run(postHooks(this.resource).delete, deleted));
      return true;
    });
  }

  /** Creates a record; its id. */
  protected async insertRecord(fields: Fields, context: RequestContext): Promise<number> {
    const { type, many } = this.resource;
    if (!context.access.canOfType('edit', type)) throw forbidden(`You may not create ${many}.`);
    return this.write(fields, undefined, context, (wish, write, storeImage) =>
      this.transact(context, async (transaction) => {
        const inserted = await this.insert(transaction, wish, write, storeImage);
        transaction.isNoop = inserted.isUnchanged ?? false;
        await finishWrite(this.tools, transaction, this.resource, {
          ...inserted,
          fields: wish,
          context: write,
        });
        return inserted.id;
      }),
    );
  }

  /** Updates a record. */
  protected async updateRecord(id: number, fields: Fields, context: RequestContext): Promise<void> {
    const before = await this.writable(id, 'edit', context);
    await this.write(fields, before, context, (wish, write, storeImage) =>
      this.transact(context, async (transaction) => {
        const post = await this.writable(id, 'edit', context, transaction);
        await this.change(transaction, post, wish, write, storeImage);
        const written = { id, isNew: false, fields: wish, context: write };
        await finishWrite(this.tools, transaction, this.resource, written);
      }),
    );
  }

  /** Every image that the fields name. */
  protected imagesOf({ image }: Fields): (string | undefined)[] {
    return [image];
  }

  /** The fields as plugins leave them, of inline records too; refused here, nothing is written. */
  protected async filtered(
    fields: Fields,
    before: PostRecord | undefined,
    context: RequestContext,
  ): Promise<Fields> {
    this.tools.fields.checkWritable(this.resource, fields, context);
    return this.tools.hooks.apply(postHooks(this.resource).preInsert, fields, { before, context });
  }

  /** What is answered of a record that is deleted for good; asked before it is. */
  protected last(id: number, context: RequestContext): Promise<Json | []> {
    return this.readBack(id, context);
  }

  /** Throws unless the caller may do this with the record that a name, such as "the id 5", found. */
  protected checkWritable(
    name: string,
    post: PostRecord | null,
    operation: Operation,
    { access }: RequestContext,
  ): PostRecord {
    const { one, type } = this.resource;
    const mayWrite = post ? access.may(operation, post) : access.canOfType(operation, type);
    if (!mayWrite) throw forbidden(`You may not ${operation} this ${one}.`);
    return this.known(name, post);
  }

  /** Asked twice: before the turn to write, so that who may not write holds nobody up, and again when it has come. */
  private async writable(
    id: number,
    operation: Operation,
    context: RequestContext,
    transaction?: Transaction,
  ): Promise<PostRecord> {
    const { posts } = this.tools;
    const found = await (transaction ? posts.findToWrite(id, transaction) : posts.find(id));
    const post = this.checkWritable(`the id ${id}`, found, operation, context);
    // What plugins hide is asked for before the turn to write: within it nothing is asked outside the transaction.
    const visible = transaction ? [post] : await this.tools.visibility.of([post], context);
    if (visible.length === 0) throw forbidden(`You may not ${operation} this ${this.resource.one}.`);
    return post;
  }

  /** Runs what a write does in one transaction. */
  protected transact<T>(context: RequestContext, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.tools.transactions.run(
      work,
      this.resource.notesSaves ? toWriteContext(context).now : undefined,
    );
  }

  /** What has to be done before the turn to write: nothing is fetched or cleaned for somebody who may not write. */
  private async write<T>(
    fields: Fields,
    before: PostRecord | undefined,
    context: RequestContext,
    run: (fields: Fields, context: WriteContext, storeImage: StoreImage) => Promise<T>,
  ): Promise<T> {
    checkAuthor(this.resource.type, fields, context);
    this.tools.transactions.checkWritable();
    const wish = await this.filtered(fields, before, context);
    const cleaner = await this.tools.cleaning.prepare(context, this.textsOf(wish));
    const write = toWriteContext({ ...context, cleaner });
    return withImages(this.tools.images, this.imagesOf(wish), write, (storeImage) =>
      run(wish, write, storeImage),
    );
  }
}

function isVain(transaction: Transaction): boolean {
  transaction.isNoop = true;
  return false;
}

/** What every write ends with: the fields of plugins are stored, and after the commit actions are told. */
export async function finishWrite<Fields extends object, Json extends object, Shown extends LoadedPost>(
  { hooks, fields: declared }: { hooks: Hooks; fields: FieldsService },
  transaction: Transaction,
  resource: PostResource<Fields, Json, Shown>,
  { isUnchanged: isLeftAlone, ...args }: CreateResult & { fields: Fields; context: RequestContext },
): Promise<void> {
  if (isLeftAlone) return;
  await declared.store(transaction, resource, args.id, args.fields, args.context);
  transaction.afterCommit(() => hooks.run(postHooks(resource).afterInsert, args));
}

/** Only who may edit others' records makes somebody else the author (W7). */
export function checkAuthor(type: string, { author }: PostInput, { access }: RequestContext): void {
  if (author !== undefined && !access.mayMakeAuthor(type, author))
    throw forbidden('You may not make somebody else the author.', 'rest_cannot_edit_others');
}
