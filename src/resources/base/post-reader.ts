import { invalidParameter, RestException } from '../../common/errors/rest-exception.js';
import { mapYielding } from '../../common/event-loop.js';
import type { RequestContext } from '../../http/request-context.js';
import { withEntityTag } from '../../http/safe-writes/entity-tag.js';
import type { ListEntry } from '../../wordpress/posts/list-order.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';
import { entryId, type PostRecord } from '../../wordpress/posts/post-record.js';
import { openedBy } from '../../wordpress/posts/post-rows.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import { isListed } from '../../wordpress/users/list-visibility.js';
import type { RecordCacheView } from '../record-cache/record-cache.service.js';
import {
  authorConditions,
  completeUrl,
  hasAdditions,
  ListOrder,
  modifiedConditions,
  type Orders,
  postOrderKeys,
} from './list-additions.js';
import { type ListQuery, type PostListQuery, type PostPage, pageAfter } from './list-query.js';
import { membersOf } from './member.js';
import { cursorLinks, type Page, pageLinks } from './page.js';
import { PageReader } from './page-reader.js';
import { rawTextsOf } from './post-json.js';
import type { PostResourceDeps } from './post-resource-deps.js';
import type { RecordReader } from './record-readers.service.js';
import { RecordRenderer } from './record-renderer.js';
import { loadWithRelations, postTag } from './record-tag.js';
import type { LoadedPost, PostResource, RecordLoader } from './resource.js';
import { postHooks } from './resource-hooks.js';
import type { ReadQuery } from './response-context.js';

/** A list with everything that its request says of it. */
type WholeList = Pick<ListQuery, 'list' | 'url' | 'distanceOf'> & { order: ListOrder };

/** Lists and reads the records of one post type. */
export abstract class PostReader<
  Many extends string,
  Fields extends object,
  Json extends object,
  Query extends PostListQuery,
  Loaded extends LoadedPost,
> implements RecordReader
{
  private readonly pages: PageReader;
  private readonly records: RecordRenderer<Fields, Json, Loaded>;

  constructor(
    readonly resource: PostResource<Fields, Json, Loaded>,
    protected readonly tools: PostResourceDeps,
    loader: RecordLoader<Loaded>,
  ) {
    this.pages = new PageReader(resource, tools);
    this.records = new RecordRenderer(resource, tools, loader);
    tools.readers.add(resource, this);
  }

  protected abstract query(query: Query, context: RequestContext): ListQuery | Promise<ListQuery>;

  /** A page of records; 404 past the last one. */
  async list(query: Query, context: RequestContext): Promise<Page<Many, Json>> {
    const list = await this.narrowed(query, context);
    const isPlain = context.allowSerialized && isBare(query) && !list.distanceOf;
    const cache = isPlain ? await this.tools.records.open(this.resource.type, context) : undefined;
    const found = await this.find(list, query);
    const records = (await this.records.page(found, query, context, cache)) as Json[];
    return this.toPage(list, found, await this.formatted(records, list, query, context), query);
  }

  /** The ids on a page of a list, in its order, and the total; 404 past the last page. */
  async idsOnPage(query: Query, context: RequestContext): Promise<PostPage> {
    return this.find(await this.narrowed(query, context), query);
  }

  /** The entries of all records of a list, by their posts' ids. */
  async entries(query: Query, context: RequestContext): Promise<ListEntry[]> {
    const { list } = await this.narrowed(query, context);
    const sorted = (await list.entries()).sort((a, b) => a.id - b.id || (a.row ?? 0) - (b.row ?? 0));
    return sorted.filter(({ id, row }, at) => sorted[at - 1]?.id !== id || sorted[at - 1]?.row !== row);
  }

  /** Records as lists show them, ordered by id; those that the user may not read are missing. */
  async some(ids: readonly number[], context: RequestContext, query: ReadQuery = {}): Promise<Json[]> {
    const { visibility } = this.tools;
    const found = (await this.loadByIds(ids, context)).filter(
      (post) => post.type === this.resource.type && post.status !== 'trash' && context.access.mayRead(post),
    );
    const visible = await visibility.of(found, context);
    return this.records.rows(
      visible.toSorted((a, b) => entryId(a) - entryId(b)),
      query,
      context,
    );
  }

  async readMany(ids: readonly number[], context: RequestContext): Promise<ReadonlyMap<number, Json>> {
    const { type } = this.resource;
    const listed = context.access.visibility(type);
    const found = (await this.tools.posts.load(ids)).filter(
      (post) => post.type === type && isListed(listed, post) && context.access.mayRead(post),
    );
    const visible = await this.tools.visibility.of(found, context);
    const rendered = await this.records.alone(visible, context);
    const records = await this.extended(rendered, { recurrence: true }, context);
    return new Map(visible.map(({ id }, at) => [id, records[at] as Json]));
  }

  async get(id: number, query: ReadQuery, context: RequestContext): Promise<Json> {
    const cache = await this.cacheOfOne(query, context);
    const cached = await this.cachedOne(id, cache);
    if (cached) return cached;
    const [post = null] = await this.loadByIds([id], context);
    return this.readOne(this.known(`the id ${id}`, post), query, context, cache);
  }

  /** The posts that ids name, or their entries; unordered, without unknown ones. */
  protected loadByIds(ids: readonly number[], { access }: RequestContext): Promise<PostRecord[]> {
    const { posts, database } = this.tools;
    const mayWrite = access.canOfType('edit', this.resource.type);
    return mayWrite ? loadWithRelations(database, posts, ids) : posts.load(ids);
  }

  /** One record by slug; an unknown slug is an invalid parameter, as recorded. */
  async getBySlug(slug: string, query: ReadQuery, context: RequestContext): Promise<Json> {
    const cache = await this.cacheOfOne(query, context);
    const id = cache && (await this.tools.posts.idBySlug(this.resource.type, slug));
    const cached = id ? await this.cachedOne(id, cache) : undefined;
    if (cached) return cached;
    const post = await this.tools.posts.findBySlug(this.resource.type, slug);
    return this.readOne(post ?? this.unknownSlug(), query, context, cache);
  }

  /** The cache of single records; undefined where the response needs more than their JSON. */
  private async cacheOfOne(query: ReadQuery, context: RequestContext): Promise<RecordCacheView | undefined> {
    const isPlain = context.allowSerialized && isBare(query) && !query._raw;
    return isPlain ? this.tools.records.open(`single ${this.resource.type}`, context) : undefined;
  }

  private async cachedOne(id: number, cache?: RecordCacheView): Promise<Json | undefined> {
    const key = String(id);
    return (await cache?.getMany([key]))?.get(key)?.parse<Json>();
  }

  /** The list of a request, narrowed by the fields and filters of plugins. */
  private async narrowed(query: Query, context: RequestContext): Promise<WholeList> {
    const { hooks, fields, database } = this.tools;
    const listed = await this.query(query, context);
    const { list, url, distanceOf, defaultOrder = 'date' } = listed;
    const conditions = [...modifiedConditions(query, context), ...authorConditions(query)];
    for (const condition of conditions) list.where(condition);
    const { json, type } = this.resource;
    const orders = (): Orders => {
      // The order must not tell of a title that a password hides.
      const open = membersOf(json).get('title')?.visibleWhenLocked
        ? undefined
        : openedBy(query.password, context.access.editable(type));
      return { ...postOrderKeys(database, open), ...listed.orders?.() };
    };
    const order = new ListOrder(query, orders, defaultOrder);
    order.sort(list);
    listed.note?.(order);
    fields.narrow(list, this.resource, query, context);
    const narrowed = await hooks.apply(postHooks(this.resource).query, list, { query, context });
    return { list: narrowed, order, url, distanceOf };
  }

  private async find({ list, order }: WholeList, { page, cursor, per_page }: Query): Promise<PostPage> {
    const { singular, plural } = this.resource;
    const read = (wanted: PostQuery) => this.page(wanted);
    const found = cursor === undefined ? await read(list) : await pageAfter(list, order, per_page, read);
    if (found.ids.length === 0 && page > 1)
      throw new RestException(
        'not_found',
        `${singular}-archive-page-not-found`,
        `There is no page ${page} of these ${plural}.`,
      );
    return found;
  }

  protected page(list: PostQuery): Promise<PostPage> {
    return this.pages.page(list);
  }

  private toPage(
    { url: plainUrl }: WholeList,
    { total, next }: PostPage,
    records: readonly Json[],
    query: Query,
  ): Page<Many, Json> {
    const totalPages = Math.ceil(total / query.per_page);
    const filtered = this.tools.fields.withFilters(plainUrl, this.resource, query);
    const url = hasAdditions(query) ? completeUrl(filtered, query) : filtered;
    const links = next === undefined ? pageLinks(url, query.page, totalPages) : cursorLinks(url, next);
    const info = { rest_url: url, ...links, total, total_pages: totalPages };
    return { [this.resource.plural]: records, ...info } as Page<Many, Json>;
  }

  /** Records with their distance, in the requested format. */
  private async formatted(
    records: readonly Json[],
    { distanceOf }: WholeList,
    query: Query,
    context: RequestContext,
  ): Promise<readonly Json[]> {
    if (isBare(query) && !distanceOf) return records;
    const { _format } = query;
    return mapYielding(await this.extended(records, query, context), (json) => {
      const metres = distanceOf?.(json);
      const whole = distanceOf ? { ...json, distance: metres === undefined ? null : metres / 1000 } : json;
      return this.tools.normalizedFormat.of(this.resource, whole, _format, context);
    });
  }

  /** Records with members that the request adds. */
  protected async extended(
    records: readonly Json[],
    { _embed }: ReadQuery,
    context: RequestContext,
  ): Promise<readonly Json[]> {
    return this.tools.relations.embedded(this.resource, records, _embed, context);
  }

  /** A record as its writer sees it after a write; a password hides its content all the same. */
  protected async readBack(id: number, context: RequestContext): Promise<Json> {
    const found = await this.loadByIds([id], context);
    for (const post of found) context.loaded.set(id, post);
    const tag = await this.tagOf(found, context);
    const [json] = await this.records.rows(found, {}, context);
    if (!json) throw new Error(`the ${this.resource.singular} ${id} vanished after it was written`);
    return withEntityTag(json, tag);
  }

  /** A record that is not stored, as the reader would get it. */
  protected unsaved(post: PostRecord, terms: readonly TermRecord[], reader: RequestContext): Promise<Json> {
    return this.records.unsaved(post, terms, reader);
  }

  /** The entity tag for callers who may write; it is read before what is rendered, so that it is never newer. */
  private async tagOf(
    [post]: readonly PostRecord[],
    { access }: RequestContext,
  ): Promise<string | undefined> {
    const mayWrite = post && (access.may('edit', post) || access.may('delete', post));
    return mayWrite ? postTag(this.tools.database, post) : undefined;
  }

  /** The record that a name, such as "the id 5", found; throws where there is none, or one of another type. */
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

  protected async idOf(slug: string): Promise<number> {
    const id = await this.tools.posts.idBySlug(this.resource.type, slug);
    return id ?? this.unknownSlug();
  }

  private unknownSlug(): never {
    throw invalidParameter('slug', `slug names no ${this.resource.singular}.`);
  }

  /** Throws unless the user may read a record in this way. */
  protected checkReadable(post: PostRecord, _query: ReadQuery, { access }: RequestContext): void {
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

  private async readOne(
    post: PostRecord,
    query: ReadQuery,
    context: RequestContext,
    cache?: RecordCacheView,
  ): Promise<Json> {
    this.checkReadable(post, query, context);
    const [visible] = await this.tools.visibility.of([post], context);
    context.loaded.set(post.id, post);
    const tag = await this.tagOf([post], context);
    const isPublic = post.status === 'publish' && post.password === '';
    const rendered =
      visible && (await this.records.one(visible, query, context, isPublic ? cache : undefined));
    if (!rendered) throw this.notAccessible();
    const [whole = rendered] = isBare(query) ? [] : await this.extended([rendered], query, context);
    const json = this.tools.normalizedFormat.of(this.resource, whole, query._format, context);
    const body = query._raw ? { ...json, raw: rawTextsOf(post, this.resource.singular, context) } : json;
    return withEntityTag(body, tag);
  }
}

/** Whether records are requested without anything added to them. */
const isBare = ({ _format, recurrence, _embed }: ReadQuery): boolean =>
  _format === undefined && !recurrence && _embed === undefined;
