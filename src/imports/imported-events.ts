import type { Transaction } from '../database/transactions.js';
import type { RequestContext, WriteContext } from '../http/request-context.js';
import type { Services } from '../http/services.js';
import type { StoreImage } from '../resources/base/images.js';
import type { WriteArgs } from '../resources/base/record-writer.js';
import { IMPORT_META } from '../resources/events/event-uids.js';
import type { EventFields } from '../resources/events/event-write.dto.js';
import { EventsModule } from '../resources/events/events.module.js';
import { EventsService } from '../resources/events/events.service.js';
import { ORIGIN_META } from '../resources/events/recurrence/series-copy.service.js';
import { MetaWriter } from '../wordpress/posts/meta-writer.js';
import { TRASH_TIME } from '../wordpress/posts/post-dates.js';
import type { PostRecord } from '../wordpress/posts/post-record.js';
import { ImportedConcurrently, type ImportedEventIndex } from './imported-event-index.js';
import { WriteGroup } from './write-group.js';

/** What an import stores with an event, by the names of `IMPORT_META`; undefined removes it. */
export type ImportMarks = { [name in keyof typeof IMPORT_META]?: string | undefined } & {
  uid: string;
  digest: string;
  /** The event whose date it replaces, and the start of that date. */
  origin?: { series: number; date: string };
};

/** The fields of an imported event. */
export type ImportedFields = EventFields & {
  imported?: ImportMarks;
  /** The update of another event that leaves out the date which this one replaces. */
  exclusion?: { id: number; fields: ImportedFields };
};

/** Writes the events of an import: batches share a transaction, and concurrent imports are detected inside the lock. */
export class ImportedEvents extends EventsService {
  private importedIndex?: ImportedEventIndex;
  private group?: WriteGroup;
  private readonly orders = new WeakMap<RequestContext, number>();
  /** The revisions that withdraw events, by their ids. */
  private readonly withdrawing = new Map<number, number | undefined>();

  /** Creates an instance beside the application's own service. */
  static async of(services: Services, importedIndex: ImportedEventIndex): Promise<ImportedEvents> {
    const events = await services.get(EventsModule).moduleRef.create(ImportedEvents);
    events.importedIndex = importedIndex;
    return events;
  }

  /** Runs the work on all items concurrently, with their writes in one transaction; `now` is in epoch milliseconds. */
  async writeTogether<Item, Result>(
    items: readonly Item[],
    now: number,
    work: (item: Item) => Promise<Result>,
  ): Promise<Result[]> {
    const group = new WriteGroup(items.length, (write) =>
      this.tools.transactions.run(async (transaction) => {
        await this.importedIndex?.refresh(transaction.manager);
        await write(transaction);
      }, now),
    );
    this.group = group;
    return Promise.all(items.map((item) => group.member(() => work(item))));
  }

  /** Creates an event and returns its id; writes of a batch run by ascending `order`. */
  createEvent(fields: ImportedFields, context: RequestContext, order: number): Promise<number> {
    this.orders.set(context, order);
    return this.runCreate(fields, context);
  }

  /** Updates an event. */
  async updateEvent(
    id: number,
    fields: ImportedFields,
    context: RequestContext,
    order: number,
  ): Promise<void> {
    this.orders.set(context, order);
    await this.runUpdate(id, fields, context);
  }

  /** Moves an event to the trash, as its source withdraws it; on a site without a trash, deletes it. */
  async withdraw(
    id: number,
    sequence: number | undefined,
    context: RequestContext,
    order: number,
  ): Promise<void> {
    this.orders.set(context, order);
    this.withdrawing.set(id, sequence);
    try {
      await this.remove(id, context);
    } finally {
      this.withdrawing.delete(id);
    }
  }

  /** Stores which feed an unchanged event comes from. */
  async storeFeed(id: number, feed: string): Promise<void> {
    await this.tools.transactions.run(async ({ manager }) => {
      const meta = await MetaWriter.forExisting(manager, { id });
      await meta.set(IMPORT_META.feed, feed).save();
    });
  }

  protected override transact<T>(
    context: RequestContext,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    const { group } = this;
    return group?.isOpen ? group.join(this.orders.get(context) ?? 0, work) : super.transact(context, work);
  }

  protected override async insertRecord(
    transaction: Transaction,
    fields: ImportedFields,
    context: WriteContext,
    storeImage: StoreImage,
  ) {
    const { imported, exclusion } = fields;
    if (!this.group?.isWriting) await this.importedIndex?.refresh(transaction.manager);
    if (this.importedIndex?.get(imported?.uid ?? '')) throw new ImportedConcurrently();
    const result = await super.insertRecord(transaction, fields, context, storeImage);
    await mark(MetaWriter.forNew(transaction.manager, result.id), imported);
    if (exclusion) {
      const whole = await this.findWritable(exclusion.id, 'edit', context, transaction);
      await this.updateRecord(transaction, whole, exclusion.fields, context, storeImage);
    }
    return result;
  }

  protected override async updateRecord(
    transaction: Transaction,
    before: PostRecord,
    ...[fields, context, storeImage]: WriteArgs<ImportedFields>
  ): Promise<number> {
    const id = await super.updateRecord(transaction, before, fields, context, storeImage);
    // A restored date has gone back to its event, and its post is gone.
    if (id === before.id)
      await mark(await MetaWriter.forExisting(transaction.manager, { id }), fields.imported);
    return id;
  }

  protected override async removeRecord(
    transaction: Transaction,
    before: PostRecord,
    isTrashed: boolean,
    context: WriteContext,
  ): Promise<void> {
    await super.removeRecord(transaction, before, isTrashed, context);
    if (!isTrashed || !this.withdrawing.has(before.id)) return;
    const meta = await MetaWriter.forExisting(transaction.manager, { id: before.id });
    meta.set(IMPORT_META.withdrawn, meta.get(TRASH_TIME)[0] ?? '');
    const sequence = this.withdrawing.get(before.id);
    if (sequence !== undefined) meta.set(IMPORT_META.sequence, String(sequence));
    await meta.save();
  }
}

/** Stores what an import knows of an event; what it does not know stays, but for how the event recurs. */
async function mark(meta: MetaWriter, { origin, ...marks }: Partial<ImportMarks> = {}): Promise<void> {
  if (marks.uid === undefined) return;
  for (const name of ['uid', 'digest', 'sequence', 'feed', 'series'] as const)
    if (marks[name] !== undefined) meta.set(IMPORT_META[name], marks[name]);
  if (marks.recurrence !== undefined) meta.set(IMPORT_META.recurrence, marks.recurrence);
  else meta.remove(IMPORT_META.recurrence);
  meta.remove(IMPORT_META.withdrawn);
  if (origin) meta.set(ORIGIN_META.series, String(origin.series)).set(ORIGIN_META.date, origin.date);
  await meta.save();
}
