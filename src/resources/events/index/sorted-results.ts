import { runInBackground, withinBudget } from '../../../common/context/abort.js';
import type { Database } from '../../../database/database.js';
import type { TableVersions } from '../../../database/table-versions.service.js';
import type { Slice } from '../../../wordpress/posts/list-order.js';
import type { ComparedColumns } from '../compared-columns.js';
import { EventColumns, placeIn } from './event-columns.js';
import type { EventIndex } from './event-index.js';
import type { EventIndexQuery } from './event-index-query.js';
import { yielder } from './sorted-order.js';

type Found = ReturnType<EventIndex['find']>;

/** Finds events in any order; columns that the index lacks are read once per version, one after the other. */
export class SortedResults {
  private columns?: EventColumns;
  /** The columns of the next version, which concurrent lists wait for. */
  private next?: Promise<EventColumns | undefined>;
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly versions: TableVersions,
    /** The latest index; of these columns where some are given. */
    private readonly latest: (columns?: ComparedColumns) => EventIndex | undefined,
  ) {}

  /** What an index, or a later one, finds; undefined where SQL has to answer. */
  async find(index: EventIndex, query: EventIndexQuery, slice: Slice): Promise<Found> {
    const { found, modified, order } = query;
    if (modified || order) return this.findOrdered(index, query, slice);
    const among = found ? [await index.positionsOf(found, yielder())] : [];
    return index.find({ ...query, skip: slice.skip, take: slice.take }, { among });
  }

  /** Waits for the reads under way. */
  async settled(): Promise<void> {
    await this.queue;
  }

  private async findOrdered(
    current: EventIndex,
    { found, modified, order, ...query }: EventIndexQuery,
    { after, ...part }: Slice,
  ): Promise<Found> {
    const columns = await this.columnsOf(current);
    if (!columns || !this.latest(query.columns)) return undefined;
    const { index } = columns;
    const wanted = { ...query, ...part };
    const among = found ? [await index.positionsOf(found, yielder())] : [];
    if (modified) {
      const changed = await columns.changed(modified);
      if (!changed) return undefined;
      among.push(changed);
    }
    if (!order) return index.find(wanted, { among });
    const { name, isDescending, metres = new Map() } = order;
    const sorted =
      name === 'distance' ? { ...index.byDistance(metres), after: placeIn } : await columns.order(name);
    const place = after && (await sorted?.after(after));
    if (!sorted || (after && !place)) return undefined;
    const { positions, value } = sorted;
    return index.find(wanted, { among, order: { positions, value, isDescending, after: place } });
  }

  /** The columns of an index, or of a later one, as of the latest version of `posts`. */
  private async columnsOf(index: EventIndex): Promise<EventColumns | undefined> {
    const version = (await this.versions.snapshot())?.version('posts');
    const { columns } = this;
    // A request may hold an older snapshot than the one that the columns were read for.
    if (columns?.index === index && version !== undefined && columns.version >= version) return columns;
    this.next ??= this.enqueue(() => this.renewed());
    return withinBudget(this.next);
  }

  private async renewed(): Promise<EventColumns | undefined> {
    this.next = undefined;
    const version = (await this.versions.snapshot())?.version('posts');
    const index = this.latest();
    if (version === undefined || !index) return undefined;
    const { columns } = this;
    if (columns?.index !== index || columns.version !== version) {
      const enqueue = <T>(read: () => Promise<T>) => this.enqueue(read);
      this.columns = new EventColumns(index, version, this.database, enqueue, yielder());
    }
    return this.columns;
  }

  private enqueue<T>(read: () => Promise<T>): Promise<T> {
    const done = this.queue.then(() => runInBackground(read));
    this.queue = done.catch(() => undefined);
    return withinBudget(done);
  }
}
