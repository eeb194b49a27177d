import { invalidParameter, RestException } from '../../common/errors/rest-exception.js';
import { SerializedJson } from '../../http/serialized-json.js';
import { serializeJson } from '../../http/php-json.js';
import { limitCacheUntil, type RequestContext } from '../../http/request-context.js';
import { thumbnailId } from '../../wordpress/posts/linked-ids.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';
import type { PostRecord, PostRow } from '../../wordpress/posts/post-record.js';
import { openedBy } from '../../wordpress/posts/visible-posts.js';
import { mapYielding, mapYieldingAsync } from '../../common/event-loop.js';
import type { RenderedPosts } from '../../wordpress/rendering/renderer.service.js';
import { type ListQuery, type PostPage, type PostListQuery, pageAfter } from './list-query.js';
import {
  completeUrl,
  hasAdditions,
  ListOrder,
  modifiedConditions,
  type Orders,
  postOrderKeys,
} from './list-additions.js';
import { membersOf } from './member.js';
import { cursorLinks, type Page, pageLinks } from './page.js';
import { PageReader } from './page-reader.js';
import { rawTextsOf } from './post-json.js';
import type { PostResourceDeps } from './post-resource-deps.js';
import {
  MAX_LENGTH,
  type RecordCacheView,
  type RenderedRecord,
} from '../record-cache/record-cache.service.js';
import type { PostResource, LoadedPost } from './resource.js';
import { postHooks } from './resource-hooks.js';
import { type ResponseContext, responseContext, type UnlockQuery } from './response-context.js';

/** All that a list is, as it is read. */
type WholeList = Pick<ListQuery, 'list' | 'url' | 'distanceOf'> & { order: ListOrder };

/** Lists and reads the records of one post type; a resource says what its list is and what is shown of a record. */
export abstract class PostReader<
  Many extends string,
  Fields extends object,
  Json extends object,
  Query extends PostListQuery,
  Shown extends LoadedPost,
> {
  private readonly pages: PageReader;

  constructor(
    readonly resource: PostResource<Fields, Json, Shown>,
    protected readonly tools: PostResourceDeps,
  ) {
    this.pages = new PageReader(resource, tools);
  }

  /** The list that a request asks for. */
  protected abstract query(query: Query, context: RequestContext): ListQuery | Promise<ListQuery>;

  /**
   * What is shown of the rows, in their order; a resource that shows more than its posts loads that too. `isFresh`: all of it is
   * read now, as it will be compared with fingerprints that were read before.
   */
  protected async load(
    rows: readonly PostRow[],
    _context: RequestContext,
    _isFresh: boolean,
  ): Promise<Shown[]> {
    return (await this.tools.posts.withMeta(rows)).map((post) => ({ post }) as Shown);
  }

  /** Every record whose texts are shown, in the order in which they are rendered. */
  protected recordsOf({ post }: Shown): readonly PostRecord[] {
    return [post];
  }

  /** Ids of the posts that are shown inside it where they exist, and the reader may see them; undefined where it may be made of more. */
  protected linksOf(_shown: Shown): readonly number[] | undefined {
    return undefined;
  }

  /** Makes what is shown of other records inside these, for `context.embedded`. */
  protected async embed(
    _shown: readonly Shown[],
    _context: ResponseContext,
    _options: { jsonLd: boolean },
  ): Promise<void> {}

  /** A page of records; past the last one it is missing. */
  async list(query: Query, context: RequestContext): Promise<Page<Many, Json>> {
    const { plural } = this.resource;
    // Records hold longer than a list that follows from the present.
    const records = { ...context, present: { ...context.present } };
    const asked = await this.asked(query, context);
    const { url: plainUrl, distanceOf } = asked;
    const isPlain = context.allowSerialized && query._format === undefined && !distanceOf;
    const kept = isPlain ? await this.tools.texts.ofList(this.resource.type, records) : undefined;
    const found = await this.found(asked, query);
    const { total, next } = found;
    const made = await this.shown(found, query, records, kept);
    const formed = (json: unknown) => this.formed(json as Json, query, context, distanceOf);
    // Without a form each is as it is, at once.
    const shown = query._format === undefined ? made.map(formed) : await mapYielding(made, formed);
    limitCacheUntil(context, records.present.until);
    const totalPages = Math.ceil(total / query.per_page);
    const filtered = this.tools.fields.withFilters(plainUrl, this.resource, query);
    const url = hasAdditions(query) ? completeUrl(filtered, query) : filtered;
    const links = next === undefined ? pageLinks(url, query.page, totalPages) : cursorLinks(url, next);
    const page = { [plural]: shown, rest_url: url, ...links, total, total_pages: totalPages };
    return page as Page<Many, Json>;
  }

  /** The ids of what is on a page of a list, in its order, and how many match in all; past the last page it is missing. */
  async idsOnPage(query: Query, context: RequestContext): Promise<PostPage> {
    return this.found(await this.asked(query, context), query);
  }

  /** The ids of all that is on any page of a list, ascending. */
  async ids(query: Query, context: RequestContext): Promise<number[]> {
    const { list } = await this.asked(query, context);
    return [...new Set(await list.ids())].sort((a, b) => a - b);
  }

  /** Records as a list shows them, in the order of their ids; what the caller may not see, by now, is missing. */
  async some(ids: readonly number[], context: RequestContext, unlock: UnlockQuery = {}): Promise<Json[]> {
    const { posts, visibility } = this.tools;
    const found = (await posts.load(ids)).filter(
      (post) => post.type === this.resource.type && post.status !== 'trash' && context.access.mayRead(post),
    );
    const visible = await visibility.of(found, context);
    return this.show(
      visible.toSorted((a, b) => a.id - b.id),
      unlock,
      context,
    );
  }

  /** The list of a request, narrowed down by what plugins declare and filter. */
  private async asked(query: Query, context: RequestContext): Promise<WholeList> {
    const { hooks, fields, database } = this.tools;
    const asked = await this.query(query, context);
    const { list, defaultOrder: standing = 'date' } = asked;
    for (const condition of modifiedConditions(query, context)) list.where(condition);
    const { json, type } = this.resource;
    const orders = (): Orders => {
      // A name that a password hides tells of itself by no order either.
      const open = membersOf(json).get('title')?.visibleWhenLocked
        ? undefined
        : openedBy(query.password, context.access.editable(type));
      return { ...postOrderKeys(database, open), ...asked.orders?.() };
    };
    const order = new ListOrder(query, orders, standing);
    order.sort(list);
    asked.note?.(order);
    for (const condition of fields.conditions(this.resource, query, context)) list.where(condition);
    const narrowed = await hooks.apply(postHooks(this.resource).query, list, { query, context });
    return { list: narrowed, order, url: asked.url, distanceOf: asked.distanceOf };
  }

  /** A record with what was asked for besides, in the form that was asked for. */
  private formed(
    json: Json,
    { _format }: Pick<Query, '_format'>,
    context: RequestContext,
    distanceOf?: ListQuery['distanceOf'],
  ): Json {
    const metres = distanceOf?.(json);
    const whole = distanceOf ? { ...json, distance: metres === undefined ? null : metres / 1000 } : json;
    return this.tools.normalizedFormat.of(this.resource, whole, _format, context);
  }

  private async found(
    { list, order }: { list: PostQuery; order: ListOrder },
    { page, cursor, per_page }: Query,
  ): Promise<PostPage> {
    const { singular, plural } = this.resource;
    const read = (asked: PostQuery) => this.page(asked);
    const found = cursor === undefined ? await read(list) : await pageAfter(list, order, per_page, read);
    if (found.ids.length === 0 && page > 1)
      throw new RestException(
        'not_found',
        `${singular}-archive-page-not-found`,
        `There is no page ${page} of these ${plural}.`,
      );
    return found;
  }

  /** What is on a list's page, and how many match in all. */
  protected page(list: PostQuery): Promise<PostPage> {
    return this.pages.page(list);
  }

  /** One record by id. */
  async get(id: number, query: UnlockQuery, context: RequestContext): Promise<Json> {
    return this.showOne(this.known(`the id ${id}`, await this.tools.posts.find(id)), query, context);
  }

  /** One record by slug; an unknown slug is a parameter that is not valid, as recorded. */
  async getBySlug(slug: string, query: UnlockQuery, context: RequestContext): Promise<Json> {
    const post = await this.tools.posts.findBySlug(this.resource.type, slug);
    return this.showOne(post ?? this.unknownSlug(), query, context);
  }

  /** The same as `get`, at once as the text that was prepared, where there is one and nobody sees it before it is sent. */
  async answer(id: number, query: UnlockQuery, context: RequestContext): Promise<Json | SerializedJson> {
    const text = isWhole(query, context) ? await this.tools.texts.alone(id, context) : undefined;
    return text ?? this.get(id, query, context);
  }

  async answerBySlug(
    slug: string,
    query: UnlockQuery,
    context: RequestContext,
  ): Promise<Json | SerializedJson> {
    const { posts, texts } = this.tools;
    const mayBe = isWhole(query, context) && texts.arePrepared;
    const id = mayBe ? await posts.idBySlug(this.resource.type, slug) : null;
    const text = id === null ? undefined : await texts.alone(id, context);
    return text ?? this.getBySlug(slug, query, context);
  }

  /**
   * Keeps on disk how these records are shown to anybody, for who asks first; says whether there is room for more. Those for which
   * the present makes a difference are left out.
   */
  async prepare(ids: readonly number[], context: RequestContext): Promise<boolean> {
    const { posts, texts } = this.tools;
    const own = { ...context, present: { until: Number.POSITIVE_INFINITY } };
    const hasRoom = await texts.prepare(own, async (jsonLd) => {
      const made = new Map<number, RenderedRecord>();
      const rows = (await posts.rows(ids)).filter(
        ({ type, status, password, content }) =>
          type === this.resource.type &&
          status === 'publish' &&
          password === '' &&
          content.length <= MAX_LENGTH,
      );
      const set = async (id: number, record: unknown, dependencies: RenderedRecord['posts']) => {
        made.set(id, { record, posts: dependencies });
        return record as SerializedJson;
      };
      const kept = { set, markUncacheable: () => undefined };
      await this.renderAll(await this.load(rows, own, true), {}, own, { jsonLd, kept });
      return made;
    });
    if (own.present.until === Number.POSITIVE_INFINITY || ids.length === 1) return hasRoom;
    // One of them says something of the present.
    const middle = Math.ceil(ids.length / 2);
    const halves = [ids.slice(0, middle), ids.slice(middle)];
    return (await this.prepare(halves[0] ?? [], context)) && this.prepare(halves[1] ?? [], context);
  }

  /** A record as its writer sees it after a write; a password keeps its content hidden all the same. */
  protected async readBack(id: number, context: RequestContext): Promise<Json> {
    const post = await this.tools.posts.find(id);
    context.loadedRecord = post ?? undefined;
    const [shown] = await this.show(post ? [post] : [], {}, context);
    if (!shown) throw new Error(`the ${this.resource.singular} ${id} vanished after it was written`);
    return shown;
  }

  /** The record that a name, such as "the id 5", found; refused where it found none, or one of another type. */
  protected known(name: string, post: PostRecord | null): PostRecord {
    const { singular, type } = this.resource;
    if (!post)
      throw new RestException(
        'not_found',
        `rest-${singular}-not-found`,
        `There is no ${singular} with ${name}.`,
      );
    if (post.type !== type)
      throw new RestException(
        'invalid',
        `rest-invalid-${singular}-id`,
        `The record with ${name} is no ${singular}.`,
      );
    return post;
  }

  /** The id of the record with a slug. */
  protected async idOf(slug: string): Promise<number> {
    const id = await this.tools.posts.idBySlug(this.resource.type, slug);
    return id ?? this.unknownSlug();
  }

  private unknownSlug(): never {
    throw invalidParameter('slug', `slug names no ${this.resource.singular}.`);
  }

  /** Throws unless this caller may read a record in this way. */
  protected checkReadable(post: PostRecord, _query: UnlockQuery, { access }: RequestContext): void {
    if (!access.mayRead(post)) throw this.notAccessible();
  }

  protected notAccessible(): RestException {
    const { singular } = this.resource;
    return new RestException(
      'forbidden_for_all',
      `${singular}-not-accessible`,
      `You may not read this ${singular}.`,
    );
  }

  private async showOne(post: PostRecord, query: UnlockQuery, context: RequestContext): Promise<Json> {
    this.checkReadable(post, query, context);
    const visible = await this.tools.visibility.of([post], context);
    context.loadedRecord = post;
    const [shown] = await this.show(visible, query, context, { jsonLd: true });
    if (!shown) throw this.notAccessible();
    const json = this.tools.normalizedFormat.of(this.resource, shown, query._format, context);
    return query._raw ? { ...json, raw: rawTextsOf(post, this.resource.singular, context) } : json;
  }

  /** A page's records, of which the texts of some may be known. */
  private async shown(
    { ids, rows, rowsLoaded: areRead = false }: PostPage,
    unlock: UnlockQuery,
    context: RequestContext,
    kept: RecordCacheView | undefined,
  ): Promise<unknown[]> {
    const known = (await kept?.getMany(ids)) ?? new Map<number, unknown>();
    if (known.size === ids.length) return ids.map((id) => known.get(id));
    const read = await rows();
    const loaded = await this.load(read, context, kept !== undefined);
    const isKnown = ({ id }: PostRow) => known.has(id);
    const old =
      areRead && kept?.hasCompared() ? await this.changed(read.filter((row) => !isKnown(row))) : undefined;
    const unknown = loaded.filter(({ post }) => !isKnown(post));
    const made = await this.renderAll(unknown, unlock, context, { kept, old });
    // One that depends on what is rendered before it needs the others before it.
    const areAlone = known.size === 0 || made.every((one) => (one as unknown) instanceof SerializedJson);
    const rest = (areAlone ? made : await this.renderAll(loaded, unlock, context)).values();
    const records = read.map(({ id }) => (areAlone && known.get(id)) || rest.next().value);
    // Each a text of its own, whoever has asked for what before: the ETag goes by them.
    return kept ? Promise.all(records.map(serializeJson)) : records;
  }

  /** Ids of those rows that are not any more what they were when they were read. */
  private async changed(rows: readonly PostRow[]): Promise<Set<number>> {
    const now = await this.tools.posts.rows(rows.map(({ id }) => id));
    const same = new Set(now.map((row) => JSON.stringify(row)));
    return new Set(rows.filter((row) => !same.has(JSON.stringify(row))).map(({ id }) => id));
  }

  private async show(
    rows: readonly PostRow[],
    unlock: UnlockQuery,
    context: RequestContext,
    options: { jsonLd?: boolean } = {},
  ): Promise<Json[]> {
    return this.renderAll(await this.load(rows, context, false), unlock, context, options);
  }

  /** `old`: those that are no newer than their fingerprints, which they can not be compared with. */
  private async renderAll(
    shown: readonly Shown[],
    unlock: UnlockQuery,
    context: RequestContext,
    {
      jsonLd = false,
      kept,
      old,
    }: {
      jsonLd?: boolean;
      kept?: Pick<RecordCacheView, 'set' | 'markUncacheable'>;
      old?: ReadonlySet<number>;
    } = {},
  ): Promise<Json[]> {
    const { renderer, presenter } = this.tools;
    const renderAll = await renderer.render(
      shown.flatMap((one) => this.recordsOf(one)),
      context,
      { jsonLd },
    );
    const response = responseContext(context, renderAll, unlock);
    await this.embed(shown, response, { jsonLd });
    return mapYieldingAsync(shown, async (one) => {
      const json = await presenter.present(this.resource, one, response, { jsonLd });
      const isAlone = this.recordsOf(one).every(({ id }) => renderAll.dependent?.has(id) === false);
      // Where there is `kept`, the page goes into an answer as it is.
      if (!isAlone) kept?.markUncacheable(one.post.id);
      if (!kept || !isAlone) return json;
      const posts = old?.has(one.post.id) ? undefined : this.dependencies(one, renderAll);
      return (await kept.set(one.post.id, json, posts)) as unknown as Json;
    });
  }

  /** Ids of all posts that a record was made of; undefined where there may be others. */
  private dependencies(shown: Shown, { render, namesAttachments }: RenderedPosts): number[] | undefined {
    const links = this.linksOf(shown);
    if (!links || namesAttachments !== false) return undefined;
    const images = this.recordsOf(shown).flatMap((post) => {
      const id = thumbnailId(post);
      return [id, render.attachments.get(id)?.parentId ?? 0];
    });
    return [...new Set([shown.post.id, ...links, ...images])].filter((id) => id > 0);
  }
}

/** Whether a record goes out as it is, to anybody. */
function isWhole(
  { _format, _raw }: UnlockQuery,
  { allowSerializedSingle: asTextAlone }: RequestContext,
): boolean {
  return asTextAlone === true && _format === undefined && !_raw;
}
