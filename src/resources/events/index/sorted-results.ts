import { withinBudget, runInBackground } from '../../../common/context/abort.js';
import type { TableVersions } from '../../../database/table-versions.service.js';
import type { Database } from '../../../database/database.js';
import type { Slice } from '../../../wordpress/posts/list-order.js';
import type { ComparedColumns } from '../compared-columns.js';
import { EventColumns, placeIn } from './event-columns.js';
import type { EventIndex } from './event-index.js';
import type { EventIndexQuery } from './event-index-query.js';
import { yielder } from './sorted-order.js';

type Answer = ReturnType<EventIndex['answer']>;

/** Answers of the index in whatever order: what that takes beside it is read once for each version, one thing after the other. */
export class SortedResults {
  private columns?: EventColumns;
  /** What those wait for who know of more than `columns` does. */
  private next?: Promise<EventColumns | undefined>;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly changes: TableVersions,
    /** The index that there is, for lists that compare such columns. */
    private readonly last: (compared?: ComparedColumns) => EventIndex | undefined,
  ) {}

  /** What an index, or one that came after it, answers to a question; undefined where SQL has to. */
  answer(index: EventIndex, question: EventIndexQuery, slice: Slice): Answer | Promise<Answer> {
    const { found, modified, order } = question;
    const asked = { skip: slice.skip, take: slice.take, ...question };
    if (modified || order) return this.answerOrdered(index, question, slice);
    if (!found) return index.answer(asked);
    return index.read(async () =>
      index.answer(asked, { among: [await index.positionsOf(found, yielder())] }),
    );
  }

  /** Waits for what is being read at the moment, if anything is. */
  async settled(): Promise<void> {
    await this.turn;
  }

  private async answerOrdered(
    known: EventIndex,
    { found, modified, order, ...question }: EventIndexQuery,
    { after, ...part }: Slice,
  ): Promise<Answer> {
    const columns = await this.columnsOf(known);
    if (!columns || !this.last(question.columns)) return undefined;
    const { index } = columns;
    const asked = { ...question, ...part };
    const among = found ? [await index.positionsOf(found, yielder())] : [];
    if (modified) {
      const changed = await columns.changed(modified);
      if (!changed) return undefined;
      among.push(changed);
    }
    if (!order) return index.answer(asked, { among });
    const { name, isDescending, metres = new Map() } = order;
    const sorted =
      name === 'distance'
        ? { ...index.byDistance(metres), column: undefined, after: placeIn }
        : await columns.order(name);
    const place = after && (await sorted?.after(after));
    if (!sorted || (after && !place)) return undefined;
    const { positions, value, column: by } = sorted;
    return index.answer(asked, { among, by, order: { positions, value, isDescending, after: place } });
  }

  /** What is known of an index, as `posts` is now, or of one that came after it. */
  private async columnsOf(index: EventIndex): Promise<EventColumns | undefined> {
    const version = (await this.changes.snapshot())?.version('posts');
    const { columns } = this;
    if (columns?.index === index && columns.version === version) return columns;
    // All who wait for others' orders wait for the same ones then, however much changes meanwhile.
    this.next ??= this.serializePipelinedRequests(() => this.renewed());
    return withinBudget(this.next);
  }

  private async renewed(): Promise<EventColumns | undefined> {
    this.next = undefined;
    const version = (await this.changes.snapshot())?.version('posts');
    const index = this.last();
    if (version === undefined || !index) return undefined;
    const { columns } = this;
    if (columns?.index !== index || columns.version !== version)
      this.columns = new EventColumns(
        index,
        version,
        this.database,
        (work) => this.serializePipelinedRequests(work),
        yielder(),
      );
    return this.columns;
  }

  private serializePipelinedRequests<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(() => runInBackground(work));
    this.turn = done.catch(() => undefined);
    return withinBudget(done);
  }
}
