import { invalidParameter } from '../../../common/errors/rest-exception.js';
import type { Transaction } from '../../../database/transactions.js';
import { type RequestContext, toWriteContext, type WriteContext } from '../../../http/request-context.js';
import type { PostRecord } from '../../../wordpress/posts/post-record.js';
import { PostResourceService } from '../../base/post-resource.service.js';
import type { PostResourceDeps } from '../../base/post-resource-deps.js';
import type { RecordWriter, WriteArgs } from '../../base/record-writer.js';
import type { PostResource, RecordLoader } from '../../base/resource.js';
import { respondAfterWrite } from '../../base/resource-hooks.js';
import type { ListEventsQuery } from '../event.dto.js';
import type { LoadedEvent } from '../event.response.js';
import type { EventJson } from '../event-json.js';
import type { EventFields } from '../event-write.dto.js';
import { hasSeveralOccurrences } from '../several-occurrences.js';
import { datesOf, storedDates } from '../stored-dates.js';
import { type EventSeries, isSame } from './event-series.service.js';
import type { WriteScope } from './scope-arg.js';
import type { SeriesRestore } from './series-restore.service.js';
import type { OccurrenceKey, SeriesWriter } from './series-writer.service.js';
import { isAsRendered } from './stored-lines.js';

/** Writes events also by the ids of their dates (docs/recurrence.md#one-date). */
export abstract class DatedEventsService extends PostResourceService<
  'events',
  EventFields,
  EventJson,
  ListEventsQuery,
  LoadedEvent
> {
  constructor(
    resource: PostResource<EventFields, EventJson, LoadedEvent>,
    tools: PostResourceDeps,
    loader: RecordLoader<LoadedEvent>,
    writer: RecordWriter<EventFields>,
    private readonly series: EventSeries,
    private readonly seriesWriter: SeriesWriter,
    private readonly restores: SeriesRestore,
  ) {
    super(resource, tools, loader, writer);
  }

  /** Updates an event; by the id of one of its dates as `scope` says. */
  override async update(
    id: number,
    fields: EventFields & { scope?: WriteScope },
    context: RequestContext,
  ): Promise<EventJson> {
    const { scope = 'this' } = fields;
    const date = await this.seriesWriter.find(id, context);
    if (!date) {
      await this.checkScope(id, fields.scope);
      return super.update(id, fields, context);
    }
    const before = await this.findWritable(date.postId, 'edit', context);
    if (scope === 'all') {
      const moved = await this.seriesWriter.forAll(date, fields, toWriteContext(context));
      return super.update(date.postId, moved, context);
    }
    await this.series.checkAllowed('scope', toWriteContext(context).now);
    const written = await this.write(fields, before, context, async (transaction, input, ...args) => {
      const post = await this.findWritable(date.postId, 'edit', context, transaction);
      const { recurrence, ...others } = input;
      const isRendered =
        recurrence?.length &&
        (await isAsRendered(this.tools.database, post, recurrence, transaction.manager));
      if (scope === 'this' && recurrence?.length && !isRendered)
        throw invalidParameter('recurrence', 'recurrence needs scope=following or scope=all.');
      const part = await this.separate(transaction, post, date, scope, args[0]);
      // The part has what remains of a rule that is sent as responses show it.
      const keepsRule = isRendered && (scope === 'this' || !movesDates(part, others, args[0]));
      const sent = keepsRule ? others : input;
      await this.validateInsert(transaction, part, sent, args[0]);
      await this.recordWriter.update(transaction, part, sent, ...args);
      const isNew = part.id !== post.id;
      const result = {
        id: part.id,
        isNew,
        before: isNew ? undefined : part,
        fields: input,
        context: args[0],
      };
      await this.tools.writes.finish(transaction, this.resource, result);
      return part.id;
    });
    return respondAfterWrite(() => this.readBack(written, context));
  }

  /** Trashes an event; by the id of one of its dates as `scope` says. */
  override async remove(id: number, context: RequestContext, sent?: WriteScope): Promise<EventJson | []> {
    const scope = sent ?? 'this';
    const date = await this.seriesWriter.find(id, context);
    if (!date) {
      await this.checkScope(id, sent);
      return super.remove(id, context);
    }
    if (scope === 'all') return super.remove(date.postId, context);
    const before = await this.findWritable(date.postId, 'delete', context);
    const write = toWriteContext(context);
    await this.series.checkAllowed('scope', write.now);
    const isTrashed = this.tools.env.emptyTrashDays > 0;
    const deleted = isTrashed ? undefined : await this.deletedResponse(id, context);
    const removed = await this.transactRemoval({ before, context }, async (transaction) => {
      const post = await this.findWritable(date.postId, 'delete', context, transaction);
      const part = await this.separate(transaction, post, date, scope, write, isTrashed);
      await this.removeRecord(transaction, part, isTrashed, write);
      return part.id;
    });
    return deleted ?? respondAfterWrite(() => this.readBack(removed, context));
  }

  /** Makes a part of an event one of its own; what remains counts as written, too. */
  private async separate(
    transaction: Transaction,
    post: PostRecord,
    { rowId }: OccurrenceKey,
    scope: Exclude<WriteScope, 'all'>,
    context: WriteContext,
    isTrashed = false,
  ): Promise<PostRecord> {
    const part = await this.seriesWriter.separate(transaction, post, rowId, scope, context, isTrashed);
    if (part.id !== post.id) await this.finishSeries(transaction, post, context);
    return part;
  }

  /** A part that is restored from the trash as it was goes back to its event; returns the id of its first date there. */
  protected override async updateRecord(
    transaction: Transaction,
    before: PostRecord,
    ...args: WriteArgs<EventFields>
  ): Promise<number> {
    const [fields, context] = args;
    const found = await this.restores.find(transaction, before, fields, context);
    if (!found) return super.updateRecord(transaction, before, ...args);
    const { series, plan, rows, first } = found;
    await this.validateInsert(transaction, before, fields, context);
    await this.removeRecord(transaction, before, false, context);
    await this.seriesWriter.saveRest(transaction, series, plan, context, rows);
    await this.finishSeries(transaction, series, context);
    return context.settings.occurrenceBase + first.id;
  }

  private finishSeries(transaction: Transaction, before: PostRecord, context: WriteContext): Promise<void> {
    const written = { id: before.id, isNew: false, before, fields: {}, context };
    return this.tools.writes.finish(transaction, this.resource, written);
  }

  /** An id of a whole event does not say which date is meant. */
  private async checkScope(id: number, scope?: WriteScope): Promise<void> {
    if (scope !== undefined && scope !== 'all' && (await hasSeveralOccurrences(this.tools.database, id)))
      throw invalidParameter('scope', `scope=${scope} needs the id of one date of the event.`);
  }

  /** Rejects a recurrence where it is not written, and one of a new event that is invalid. */
  protected async checkRecurrence(
    { recurrence, ...fields }: EventFields,
    before: PostRecord | undefined,
    request: RequestContext,
  ): Promise<void> {
    if (!recurrence?.length) return;
    const context = toWriteContext(request);
    const isNeeded = async () =>
      !before ||
      movesDates(before, fields, context) ||
      !(await isAsRendered(this.tools.database, before, recurrence));
    await this.series.checkAllowed('recurrence', context.now, { isNeeded });
    if (!before) this.series.plan(recurrence, datesOf(fields, undefined, context), context);
  }
}

/** Whether an update changes the dates of an event. */
function movesDates(before: PostRecord, fields: EventFields, context: WriteContext): boolean {
  const stored = storedDates(before);
  return !isSame(datesOf({}, stored, context), datesOf(fields, stored, context));
}
