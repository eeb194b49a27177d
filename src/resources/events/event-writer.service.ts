import { Injectable } from '@nestjs/common';
import { CalendarOptionsService } from '../../calendar/calendar-options.service.js';
import { noteChanges } from '../../calendar/note-changes.js';
import { invalidParameters, RestException } from '../../common/errors/rest-exception.js';
import type { Transaction } from '../../database/transactions.js';
import { TEXT_BYTES } from '../../http/params/write-args.js';
import type { WriteContext } from '../../http/request-context.js';
import { MetaWriter } from '../../wordpress/posts/meta-writer.js';
import { linkedIds, type PostRecord } from '../../wordpress/posts/post-record.js';
import { PostWriter } from '../../wordpress/posts/post-writer.js';
import { PostsService } from '../../wordpress/posts/posts.service.js';
import type { TermItem } from '../../wordpress/terms/named-terms.js';
import { TermWriter } from '../../wordpress/terms/term-writer.js';
import type { StoreImage } from '../base/images.js';
import type { CreateResult, RecordWriter } from '../base/record-writer.js';
import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import { LinkedPostWriter, storeIdsOnly } from '../linked-posts/linked-post-writer.js';
import type { LinkedPostInput } from '../linked-posts/linked-posts-arg.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { TermCreator } from '../terms/term-creator.service.js';
import { VENUE } from '../venues/venue-type.js';
import { hasDateInput } from './event-dates.js';
import { type EventLinks, writeEventMeta } from './event-meta.js';
import { EventTablesService } from './event-tables.service.js';
import { EVENT } from './event-type.js';
import { type EventValues, eventValues, plannedDates } from './event-values.js';
import type { EventFields } from './event-write.dto.js';
import { EventSeries } from './recurrence/event-series.service.js';
import { ORIGIN_META } from './recurrence/series-copy.service.js';
import { datesOf, storedDates } from './stored-dates.js';

const STICKY = -1;

type EventTaxonomy = (typeof EVENT.taxonomies)[number];

/** Writes events: the post, its meta, terms and linked records, and the calendar's own tables. */
@Injectable()
export class EventWriter implements RecordWriter<EventFields> {
  constructor(
    private readonly posts: PostWriter,
    private readonly records: PostsService,
    private readonly terms: TermWriter,
    private readonly linkedPosts: LinkedPostWriter,
    private readonly tables: EventTablesService,
    private readonly series: EventSeries,
    private readonly options: CalendarOptionsService,
    private readonly creator: TermCreator,
  ) {}

  /** The values that a write leads to, read within its transaction. */
  async values(
    transaction: Transaction,
    before: PostRecord | undefined,
    fields: EventFields,
    context: WriteContext,
  ): Promise<EventValues> {
    const dates = plannedDates(fields, before, context);
    const plan = before || !dates || !fields.recurrence?.length ? undefined : fields.recurrence;
    const first = plan && dates ? this.series.plan(plan, dates, context).dates : dates;
    const terms = await this.eachTaxonomy(fields, context, (kind, items) =>
      this.terms.find(transaction, kind.taxonomy, items, context.settings.render.locale, context.cleaner),
    );
    const named = terms.map(([{ plural }, found]) => [plural, found] as const);
    return { ...eventValues(first, fields, before), ...Object.fromEntries(named) };
  }

  /** Inserts an event; `storeImage` creates attachments. */
  async insert(
    transaction: Transaction,
    fields: EventFields,
    context: WriteContext,
    storeImage: StoreImage = storeIdsOnly,
  ): Promise<CreateResult> {
    const { settings, access } = context;
    const sent = datesOf(fields, undefined, context);
    const plan = fields.recurrence?.length ? this.series.plan(fields.recurrence, sent, context) : undefined;
    const dates = plan?.dates ?? sent;
    const links = await this.linksOf(transaction, fields, context, storeImage);
    const terms = await this.termsOf(transaction, fields, context);
    const texts = cleanTexts(fields, { title: '', content: '', excerpt: '' }, context);
    const id = await this.posts.insert(
      transaction,
      {
        type: EVENT.type,
        ...texts,
        status: access.statusOnWrite(EVENT.type, fields.status),
        slug: fields.slug,
        author: fields.author ?? access.user.id,
        date: fields.date,
        dateGmt: fields.date_utc,
        menuOrder: fields.sticky ? STICKY : 0,
        commentStatus: settings.showComments ? settings.defaultCommentStatus : 'closed',
        mayPublish: access.mayPublish(EVENT.type),
      },
      context,
    );
    const meta = MetaWriter.forNew(transaction.manager, id);
    writeEventMeta(meta, fields, links, dates, context, true);
    if (plan) this.series.writeMeta(meta, plan);
    const taxonomies = terms.map(([taxonomy]) => taxonomy);
    await noteChanges(meta, context, { taxonomies }).save();
    await this.assignTerms(transaction, id, terms, true);
    if (plan) await this.series.save(transaction, id, plan, dates, { isNew: true });
    else await this.tables.save(transaction, id, dates, true);
    await this.noteSave(transaction, id, context);
    return { id, isNew: true };
  }

  /** Updates an event; fields that were not sent stay (W1). */
  async update(
    transaction: Transaction,
    before: PostRecord,
    fields: EventFields,
    context: WriteContext,
    storeImage: StoreImage = storeIdsOnly,
  ): Promise<void> {
    const { access } = context;
    const sent = hasDateInput(fields) ? datesOf(fields, storedDates(before), context) : undefined;
    const stored = () => datesOf({}, storedDates(before), context);
    const series = await this.series.change(transaction, before, fields, { sent, stored }, context);
    const dates = sent && typeof series === 'object' ? series.dates : sent;
    const links = await this.linksOf(transaction, fields, context, storeImage);
    const terms = await this.termsOf(transaction, fields, context);
    const meta = await MetaWriter.forExisting(transaction.manager, before);
    const change = await this.posts.update(
      transaction,
      before,
      {
        ...cleanTexts(fields, before, context),
        status: fields.status && access.statusOnWrite(EVENT.type, fields.status),
        slug: fields.slug,
        author: fields.author,
        date: fields.date,
        dateGmt: fields.date_utc,
        menuOrder: fields.sticky === undefined ? undefined : fields.sticky ? STICKY : 0,
        mayPublish: access.mayPublish(EVENT.type),
      },
      meta,
      context,
    );
    writeEventMeta(meta, fields, links, dates, context, false);
    meta.remove(ORIGIN_META.undo);
    const written = series === 'unchanged' ? undefined : series;
    if (written) this.series.writeMeta(meta, written);
    const taxonomies = terms.map(([taxonomy]) => taxonomy);
    await noteChanges(meta, context, { taxonomies, columns: change.changed }).save();
    await this.terms.countStatus(transaction, before.id, { from: before.status, to: change.status });
    await this.assignTerms(transaction, before.id, terms);
    if (change.status === 'publish') await this.publishLinked(transaction, before, context);
    if (written) await this.series.save(transaction, before.id, written, dates ?? stored());
    else if (dates && !series) await this.tables.save(transaction, before.id, dates);
    await this.noteSave(transaction, before.id, context);
  }

  /** Moves an event to the trash; its dates and links stay. */
  async trash(transaction: Transaction, before: PostRecord, context: WriteContext): Promise<void> {
    const meta = await MetaWriter.forExisting(transaction.manager, before);
    meta.set('_tribe_ignored_event_previous_status', before.status);
    await this.posts.trash(transaction, before, meta, context);
    await noteChanges(meta, context, { columns: ['post_status'] }).save();
    await this.terms.countStatus(transaction, before.id, { from: before.status, to: 'trash' });
    await this.noteSave(transaction, before.id, context);
  }

  /** Deletes an event permanently, on a site without a trash. */
  async remove(transaction: Transaction, before: PostRecord, context: WriteContext): Promise<void> {
    await this.tables.remove(transaction, before.id);
    await this.posts.remove(transaction, before);
    await this.noteSave(transaction, before.id, context);
  }

  private async linksOf(
    transaction: Transaction,
    fields: EventFields,
    context: WriteContext,
    storeImage: StoreImage,
  ): Promise<EventLinks> {
    const idsOf = (kind: LinkedPostType, inputs: readonly LinkedPostInput[] | undefined) =>
      inputs && this.linkedPosts.resolve(transaction, kind, inputs, context, storeImage);
    return {
      imageId: await storeImage(transaction, fields.image),
      venues: await idsOf(VENUE, fields.venue),
      organizers: await idsOf(ORGANIZER, fields.organizer),
    };
  }

  /**
   * Publishes the previously linked records together with the event, as far as the caller may
   * (docs/behaviour/writes.md#linked-records).
   */
  private async publishLinked(
    transaction: Transaction,
    before: PostRecord,
    context: WriteContext,
  ): Promise<void> {
    const ids = EVENT.linked.flatMap(({ linkKey }) => linkedIds(before, linkKey));
    if (ids.length === 0) return;
    const rows = await this.records.rows(ids, transaction.manager);
    for (const kind of EVENT.linked) await this.linkedPosts.publish(transaction, kind, rows, context);
  }

  /** The sent terms of each taxonomy that the caller may assign; unknown names are created. */
  private async termsOf(
    transaction: Transaction,
    fields: EventFields,
    context: WriteContext,
  ): Promise<[taxonomy: string, termIds: number[]][]> {
    const { cleaner, settings } = context;
    const found = await this.eachTaxonomy(fields, context, (kind, items) => {
      const create = (name: string) => this.creator.create(transaction, kind, { name }, context);
      const { locale } = settings.render;
      return this.terms.findOrCreate(transaction, kind.taxonomy, items, locale, cleaner, create);
    });
    return found.map(([{ taxonomy }, ids]) => [taxonomy, ids]);
  }

  /** Reads the sent terms of each taxonomy that the caller may assign. */
  private async eachTaxonomy<T>(
    fields: EventFields,
    { access }: WriteContext,
    read: (kind: EventTaxonomy, items: readonly TermItem[]) => Promise<T>,
  ): Promise<[EventTaxonomy, T][]> {
    const found: [EventTaxonomy, T][] = [];
    for (const kind of EVENT.taxonomies) {
      const items = fields[kind.plural];
      if (items && access.mayAssignTerms(kind.taxonomy)) found.push([kind, await read(kind, items)]);
    }
    return found;
  }

  private async assignTerms(
    transaction: Transaction,
    id: number,
    terms: [string, number[]][],
    isNew = false,
  ): Promise<void> {
    for (const [taxonomy, ids] of terms) await this.terms.assign(transaction, id, taxonomy, ids, isNew);
  }

  private async noteSave(transaction: Transaction, id: number, { now }: WriteContext): Promise<void> {
    await transaction.recordSave(now);
    await this.options.keepRange(transaction, id, now);
  }
}

/** Cleans the texts of an event; throws 400 `empty_content` if none remains (W15). */
function cleanTexts(
  { title, description, excerpt }: EventFields,
  before: Pick<PostRecord, 'title' | 'content' | 'excerpt'>,
  context: WriteContext,
): Pick<PostRecord, 'title' | 'content' | 'excerpt'> {
  const cleaner = context.cleaner;
  const texts = {
    title: title === undefined ? before.title : cleaner.clean('title', title),
    content: description === undefined ? before.content : cleaner.clean('content', description),
    excerpt: excerpt === undefined ? before.excerpt : cleaner.clean('excerpt', excerpt),
  };
  const isSent = (title ?? description ?? excerpt) !== undefined;
  if (isSent && Object.values(texts).every((text) => text === ''))
    throw new RestException(
      'invalid',
      'empty_content',
      'title, description and excerpt must not all be empty.',
    );
  // Cleaning may lengthen a text: & becomes an entity.
  const sent = { title, excerpt };
  for (const name of ['title', 'excerpt'] as const)
    if (sent[name] !== undefined && Buffer.byteLength(texts[name]) > TEXT_BYTES)
      throw invalidParameters([{ name, message: `${name} is longer than ${TEXT_BYTES} bytes.` }]);
  return texts;
}
