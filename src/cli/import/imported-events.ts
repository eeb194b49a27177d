import type { INestApplicationContext } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Transaction } from '../../database/transactions.js';
import type { RequestContext, WriteContext } from '../../http/request-context.js';
import type { StoreImage } from '../../resources/base/images.js';
import type { EventFields } from '../../resources/events/event-write.dto.js';
import { EventsModule } from '../../resources/events/events.module.js';
import { EventsService } from '../../resources/events/events.service.js';
import { ImportedConcurrently, type ImportedEventIndex } from './imported-event-index.js';
import { WriteGroup } from './write-group.js';

/** Writes the events of an import: batches share a transaction, and concurrent imports are detected inside the lock. */
export class ImportedEvents extends EventsService {
  private brought?: ImportedEventIndex;
  private group?: WriteGroup;
  private readonly orders = new WeakMap<RequestContext, number>();

  /** Creates an instance beside the application's own service. */
  static async of(app: INestApplicationContext, brought: ImportedEventIndex): Promise<ImportedEvents> {
    const events = await app.select(EventsModule).get(ModuleRef, { strict: true }).create(ImportedEvents);
    events.brought = brought;
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
        await this.brought?.refresh(transaction.manager);
        await write(transaction);
      }, now),
    );
    this.group = group;
    return Promise.all(items.map((item) => group.member(() => work(item))));
  }

  /** Creates an event and returns its id; writes of a batch run by ascending `order`. */
  createEvent(fields: EventFields, context: RequestContext, order: number): Promise<number> {
    this.orders.set(context, order);
    return this.runCreate(fields, context);
  }

  /** Updates an event. */
  async updateEvent(id: number, fields: EventFields, context: RequestContext, order: number): Promise<void> {
    this.orders.set(context, order);
    await this.runUpdate(id, fields, context);
  }

  /** Moves an event to the trash; on a site without one, deletes it. */
  async removeEvent(id: number, context: RequestContext, order: number): Promise<void> {
    this.orders.set(context, order);
    await this.remove(id, context);
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
    fields: EventFields & { almanac_import_uid?: string },
    context: WriteContext,
    storeImage: StoreImage,
  ) {
    if (!this.group?.isWriting) await this.brought?.refresh(transaction.manager);
    if (this.brought?.get(fields.almanac_import_uid ?? '')) throw new ImportedConcurrently();
    return super.insertRecord(transaction, fields, context, storeImage);
  }
}
