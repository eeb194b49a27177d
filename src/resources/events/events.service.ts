import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Semaphore } from '../../cache/semaphore.js';
import { runInBackground } from '../../common/context/abort.js';
import { invalidParameter, RestException } from '../../common/errors/rest-exception.js';
import type { RequestContext } from '../../http/request-context.js';
import { PostQuery } from '../../wordpress/posts/post-query.js';
import type { PostRecord } from '../../wordpress/posts/post-record.js';
import type { PostIdSet } from '../../wordpress/search-index/post-id-set.js';
import { SearchFilter, type SearchResult } from '../../wordpress/search-index/search-filter.js';
import { TermVisibility } from '../../wordpress/terms/term-visibility.js';
import type { ListQuery, PostPage } from '../base/list-query.js';
import { checkAuthor } from '../base/post-resource.service.js';
import { PostResourceDeps } from '../base/post-resource-deps.js';
import { postHooks } from '../base/resource-hooks.js';
import { isLocked, type ReadQuery, readerOf } from '../base/response-context.js';
import type { LinkedPostType } from '../linked-posts/linked-post-type.js';
import { storeIdsOnly } from '../linked-posts/linked-post-writer.js';
import type { LinkedPostInput } from '../linked-posts/linked-posts-arg.js';
import { ORGANIZER } from '../organizers/organizer-type.js';
import { VenuePlaces } from '../venues/venue-places.service.js';
import { VENUE } from '../venues/venue-type.js';
import type { ListEventsQuery } from './event.dto.js';
import { eventListUrl, linkWindow } from './event.links.js';
import { eventOrders, eventQuery, eventWindow, searched } from './event.query.js';
import { venuesOf } from './event-entry.js';
import type { EventJson } from './event-json.js';
import { EventLoader } from './event-loader.service.js';
import { EVENT } from './event-type.js';
import type { EventFields } from './event-write.dto.js';
import { EventWriter } from './event-writer.service.js';
import { EventIndexService } from './index/event-index.service.js';
import { eventIndexQuery, requestedOrder } from './index/event-index-query.js';
import { Occurrences } from './occurrences.service.js';
import { DatedEventsService } from './recurrence/dated-events.service.js';
import { EventSeries } from './recurrence/event-series.service.js';
import { SeriesRestore } from './recurrence/series-restore.service.js';
import { SeriesWriter } from './recurrence/series-writer.service.js';
import { Recurrences } from './recurrences.service.js';

/** Categories or tags of a preview, which holds the lock of writes while it creates new ones. */
const MAX_PREVIEW_TERMS = 100;
/** Previews that wait; one is rendered at a time, so that writes wait for one at most. */
const MAX_PREVIEWS_WAITING = 5;

/** Lists, reads and writes events. */
@Injectable()
export class EventsService extends DatedEventsService implements OnApplicationBootstrap {
  private readonly previews = new Semaphore(1);
  /** What lists with `include` show instead of last occurrences. */
  private readonly included = new WeakMap<PostQuery, (page: PostPage) => Promise<PostPage>>();

  constructor(
    tools: PostResourceDeps,
    loader: EventLoader,
    writer: EventWriter,
    private readonly terms: TermVisibility,
    private readonly index: EventIndexService,
    private readonly places: VenuePlaces,
    private readonly searchFilter: SearchFilter,
    series: EventSeries,
    seriesWriter: SeriesWriter,
    restores: SeriesRestore,
    private readonly occurrences: Occurrences,
    private readonly recurrences: Recurrences,
  ) {
    super(EVENT, tools, loader, writer, series, seriesWriter, restores);
  }

  /** Loads the search index in advance, after the event index, which every list needs. */
  onApplicationBootstrap(): void {
    runInBackground(async () => {
      await this.index.settled();
      await this.searchFilter.begin();
    }).catch(() => undefined);
  }

  /** An unknown slug is reported only to callers who may edit events, as recorded. */
  override async updateBySlug(
    slug: string,
    fields: EventFields,
    context: RequestContext,
  ): Promise<EventJson> {
    const found = await this.tools.posts.idBySlug(EVENT.type, slug);
    const { id } =
      found === null ? this.checkWritable(`the slug ${slug}`, null, 'edit', context) : { id: found };
    return this.update(id, fields, context);
  }

  /**
   * An event with these fields as the reader would get it, if the caller created it. It is written in a transaction that is
   * rolled back, so that texts and dates are those of a create; plugins hear of no write, and nothing is downloaded.
   */
  async preview(fields: EventFields, context: RequestContext, reader: RequestContext): Promise<EventJson> {
    this.checkCreatable(context);
    checkAuthor(EVENT.type, fields, context);
    checkPreviewSize(fields);
    this.tools.transactions.checkWritable();
    if (this.previews.queued >= MAX_PREVIEWS_WAITING)
      throw new RestException('busy', 'too_many_requests', 'Too many previews are being rendered.');
    return this.previews.run(() => this.previewed(fields, context, reader));
  }

  private async previewed(fields: EventFields, context: RequestContext, reader: RequestContext) {
    const { posts, terms } = this.tools;
    const isStored = (link: LinkedPostInput) => 'id' in link;
    const input = await this.filterFields(
      {
        ...fields,
        recurrence: undefined,
        image: /^\s*\d+\s*$/.test(fields.image ?? '') ? fields.image : undefined,
        venue: fields.venue?.filter(isStored),
        organizer: fields.organizer?.filter(isStored),
      },
      undefined,
      context,
    );
    const write = await this.withCleaner(input, context);
    const [post, named] = await this.transact(context, async (transaction) => {
      transaction.isNoop = true;
      const { id } = await this.recordWriter.insert(transaction, input, write, storeIdsOnly);
      const taxonomies = EVENT.taxonomies.map(({ taxonomy }) => taxonomy);
      const found = await terms.ofPosts([id], taxonomies, transaction.manager);
      return [await posts.findToWrite(id, transaction), found.get(id) ?? []] as const;
    });
    if (!post) throw new Error('the event of a preview was not written');
    return this.unsaved(post, named, reader);
  }

  protected override loadByIds(ids: readonly number[], context: RequestContext): Promise<PostRecord[]> {
    return this.occurrences.load(ids, context);
  }

  /** Adds how events recur. */
  protected override async extended(
    events: readonly EventJson[],
    { recurrence, _format }: ReadQuery,
    context: RequestContext,
  ): Promise<readonly EventJson[]> {
    const isWanted = recurrence || _format === 'clean';
    return isWanted ? this.recurrences.addedTo(events, context) : events;
  }

  /** Ids of the events hidden from listings that the caller may see with these statuses, ascending. */
  async hiddenIds(
    { status }: Pick<ListEventsQuery, 'status'>,
    { access }: RequestContext,
  ): Promise<number[]> {
    const list = new PostQuery(this.tools.database, EVENT.type)
      .visible(access.visibility(EVENT.type, status))
      .withMeta('_EventHideFromUpcoming');
    return (await list.ids()).sort((a, b) => a - b);
  }

  protected async query(query: ListEventsQuery, context: RequestContext): Promise<ListQuery> {
    const window = eventWindow(query, context);
    const status =
      query.status?.join(',') || (context.access.mayChooseStatus(EVENT.type) ? 'any' : 'publish');
    const places = await this.places.of(query, context);
    const { locale } = context.settings.render;
    const found = query.search === undefined ? undefined : await this.searchFilter.find(query.search, locale);
    const named = await this.occurrences.namedBy(query, context);
    const narrowing = { places, among: found?.few, named };
    const list = eventQuery(this.tools.database, query, window, context, narrowing);
    if (query.include && !named)
      this.included.set(list, (page) => this.occurrences.withNext(page, list, context));
    const question = eventIndexQuery(query, window, context, places);
    const all = question && found && (await this.completeSearch(found, query, context));
    const isKnown = query.search === undefined || all !== undefined;
    return {
      list,
      note: (order) =>
        this.index.note(
          list,
          question && isKnown ? { found: all, ...question, ...requestedOrder(order, places) } : undefined,
        ),
      url: eventListUrl(context.base, query, linkWindow(query, window), status),
      orders: () =>
        eventOrders(this.tools.database, context, query.orderby === 'distance' ? places : undefined),
      defaultOrder: query.include ? 'date' : 'start_date',
      ...(places?.metres && { distanceOf: distancesBy(places.metres) }),
    };
  }

  protected override async page(list: PostQuery) {
    const found = (await this.index.page(list)) ?? (await super.page(list));
    return this.included.get(list)?.(found) ?? found;
  }

  protected override checkReadable(post: PostRecord, query: ReadQuery, context: RequestContext): void {
    if (post.status === 'trash')
      throw new RestException('forbidden_for_all', 'event-no-longer-available', 'The event is in the trash.');
    super.checkReadable(post, query, context);
    if (isLocked(post, readerOf(context, query)))
      throw new RestException(
        'forbidden_for_all',
        'event-password-protected',
        'The event is protected by a password.',
      );
  }

  protected override async filterFields(
    fields: EventFields,
    before: PostRecord | undefined,
    context: RequestContext,
  ): Promise<EventFields> {
    const own = await super.filterFields(fields, before, context);
    await this.checkRecurrence(own, before, context);
    const terms = EVENT.taxonomies.map(async ({ taxonomy, plural }) => {
      const items = own[plural];
      const { locale } = context.settings.render;
      return [plural, items && (await this.terms.known(taxonomy, items, locale, context))] as const;
    });
    return {
      ...own,
      ...Object.fromEntries(await Promise.all(terms)),
      venue: await this.filterInline(VENUE, own.venue, context),
      organizer: await this.filterInline(ORGANIZER, own.organizer, context),
    };
  }

  protected override async writeFailed(
    input: { before: PostRecord | undefined; fields: EventFields; context: RequestContext },
    error: unknown,
  ): Promise<void> {
    await super.writeFailed(input, error);
    const { venue, organizer } = input.fields;
    const inline = [[VENUE, venue] as const, [ORGANIZER, organizer] as const];
    for (const [kind, items = []] of inline)
      for (const item of items)
        if ('fields' in item)
          await this.tools.writes.failed(kind, { fields: item.fields, context: input.context }, error);
  }

  /** The ids that a search finds, with undecided candidates checked by SQL. */
  private async completeSearch(
    { definite, candidates }: SearchResult,
    query: ListEventsQuery,
    context: RequestContext,
  ): Promise<PostIdSet> {
    if (candidates.size > 0) {
      const some = new PostQuery(this.tools.database, EVENT.type).include([...candidates.ids()]);
      for (const id of await searched(some, query, context).ids()) definite.add(id);
    }
    return definite;
  }

  private async filterInline(
    kind: LinkedPostType,
    inputs: readonly LinkedPostInput[] | undefined,
    context: RequestContext,
  ): Promise<LinkedPostInput[] | undefined> {
    const filtered = (inputs ?? []).map(async (input) => {
      if ('id' in input) return input;
      this.tools.fields.checkWritable(kind, input.fields, context);
      return { fields: await this.tools.hooks.apply(postHooks(kind).preInsert, input.fields, { context }) };
    });
    return inputs && Promise.all(filtered);
  }
}

/** The distance of the nearest venue of an event. */
const distancesBy = (metres: ReadonlyMap<number, number>) => (json: object) => {
  const all = venuesOf(json as EventJson).flatMap(({ id }) => metres.get(id) ?? []);
  return all.length > 0 ? Math.min(...all) : undefined;
};

function checkPreviewSize(fields: EventFields): void {
  for (const name of ['categories', 'tags'] as const)
    if ((fields[name]?.length ?? 0) > MAX_PREVIEW_TERMS)
      throw invalidParameter(name, `${name} must have at most ${MAX_PREVIEW_TERMS} items in a preview.`);
}
