import { Expiring } from '../../cache/expiring.js';
import { mapYieldingAsync } from '../../common/event-loop.js';
import { serializeJson } from '../../http/php-json.js';
import type { RequestContext } from '../../http/request-context.js';
import { SerializedJson } from '../../http/serialized-response.js';
import {
  entryId,
  entryKey,
  type PostRecord,
  type PostRow,
  thumbnailId,
} from '../../wordpress/posts/post-record.js';
import type { RenderedPosts } from '../../wordpress/rendering/renderer.service.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import type { Dependencies, RecordCacheView } from '../record-cache/record-cache.service.js';
import type { PostPage } from './list-query.js';
import { maskProtected } from './member.js';
import type { PostResourceDeps } from './post-resource-deps.js';
import type { LinkedRecord, LoadedPost, PostResource, RecordLoader } from './resource.js';
import { postHooks } from './resource-hooks.js';
import { isLocked, type ReadQuery, type ResponseContext, responseContext } from './response-context.js';

interface RenderedRecord<Json extends object> {
  post: PostRecord;
  json: Expiring<Json>;
  dependencies: Dependencies;
}

/** Renders the records of one resource, and takes those of lists from the record cache. */
export class RecordRenderer<Fields extends object, Json extends object, Loaded extends LoadedPost> {
  constructor(
    private readonly resource: PostResource<Fields, Json, Loaded>,
    private readonly deps: PostResourceDeps,
    private readonly loader: RecordLoader<Loaded>,
  ) {}

  /** The records of a page: cached ones, and the others rendered; with a cache all of them serialized. */
  async page(
    { keys, rows, rowsLoaded = false }: PostPage,
    query: ReadQuery,
    context: RequestContext,
    cache?: RecordCacheView,
  ): Promise<(Json | SerializedJson)[]> {
    if (!cache) return this.rows(await rows(), query, context);
    const cached = await cache.getMany(keys);
    const known = keys.flatMap((key) => cached.get(key) ?? []);
    if (known.length === keys.length) return known;
    const read = await rows();
    const loaded = await this.loader.load(read, context, this.deps.sources.fresh);
    const isCached = (row: PostRow) => cached.has(entryKey(row));
    const missing = read.filter((row) => !isCached(row));
    // Rows that are older than their checksums must not be compared by them.
    const changed = rowsLoaded && cache.hasChecksums ? await this.changed(missing) : new Set<number>();
    const others = await this.render(
      loaded.filter(({ post }) => !isCached(post)),
      query,
      context,
    );
    const added = await mapYieldingAsync(others, ({ post, json, dependencies: { posts, position } }) =>
      cache.add(entryKey(post), json, { posts: changed.has(post.id) ? undefined : posts, position }),
    );
    // A record that depends on its position needs those before it.
    const areAlone = cached.size === 0 || added.every((one) => one instanceof SerializedJson);
    const rest = (areAlone ? added : values(await this.render(loaded, query, context))).values();
    const records = read.flatMap(
      (row) => (areAlone && cached.get(entryKey(row))) || (rest.next().value ?? []),
    );
    // All are serialized, so that ETags do not depend on the state of the cache.
    return Promise.all(records.map(serializeJson));
  }

  /** One record as its own route returns it; its row was read after the cache was opened. */
  async one(
    row: PostRow,
    query: ReadQuery,
    context: RequestContext,
    cache?: RecordCacheView,
  ): Promise<Json | undefined> {
    const { fresh, cached } = this.deps.sources;
    const loaded = await this.loader.load([row], context, cache ? fresh : cached);
    const [record] = await this.render(loaded, query, context, true);
    if (record) await cache?.add(String(entryId(record.post)), record.json, record.dependencies);
    return record?.json.value;
  }

  /** A record that is not stored, with its terms, as its own route would return it. */
  async unsaved(post: PostRecord, terms: readonly TermRecord[], context: RequestContext): Promise<Json> {
    const ofPosts = async () => new Map([[post.id, [...terms]]]);
    const source = { ...this.deps.sources.fresh, terms: { ofPosts } };
    const [record] = await this.render(await this.loader.load([post], context, source), {}, context, true);
    if (!record) throw new Error(`the ${this.resource.singular} ${post.id} was not loaded`);
    return record.json.value;
  }

  async rows(rows: readonly PostRow[], query: ReadQuery, context: RequestContext): Promise<Json[]> {
    const loaded = await this.loader.load(rows, context, this.deps.sources.cached);
    return values(await this.render(loaded, query, context));
  }

  /** Records as their own routes return them, in the order of their rows, read from the database. */
  async alone(rows: readonly PostRow[], context: RequestContext): Promise<Json[]> {
    const loaded = await this.loader.load(rows, context, this.deps.sources.fresh);
    const rendered = await this.render(loaded, {}, context, true);
    return mapYieldingAsync([...rendered.entries()], async ([at, { json, dependencies }]) => {
      const own = loaded.slice(at, at + 1);
      const [single] = dependencies.position ? await this.render(own, {}, context, true) : [];
      return (single?.json ?? json).value;
    });
  }

  private async render(
    loaded: readonly Loaded[],
    query: ReadQuery,
    context: RequestContext,
    jsonLd = false,
  ): Promise<RenderedRecord<Json>[]> {
    const posts = loaded.flatMap((one) => this.recordsOf(one));
    const rendered = await this.deps.renderer.render(posts, context, { jsonLd });
    const references = await this.deps.fields.references.visible(
      loaded.flatMap((one) => this.referrers(one)),
      context,
    );
    const response = await this.withEmbedded(
      loaded,
      responseContext(context, rendered, references, query),
      jsonLd,
    );
    return mapYieldingAsync(loaded, async (one) => ({
      post: one.post,
      json: await this.present(this.resource, one, response, { jsonLd }),
      dependencies: this.dependencies(one, rendered),
    }));
  }

  /** Adds the JSON of linked records, each once. */
  private async withEmbedded(
    loaded: readonly Loaded[],
    context: ResponseContext,
    jsonLd: boolean,
  ): Promise<ResponseContext> {
    const linked = loaded.flatMap((one) => this.linkedRecords(one));
    const distinct = [...new Map(linked.map((one) => [one.post.id, one])).values()];
    const embedded = await mapYieldingAsync(distinct, async ({ resource, post }) => {
      const json = await this.present(resource, { post }, context, { jsonLd });
      return [post.id, json] as const;
    });
    return { ...context, embedded: new Map(embedded) };
  }

  /** The JSON of a record by its resource's function, masked if locked, with declared fields and the changes of plugin filters. */
  private async present<F extends object, J extends object, L extends LoadedPost>(
    resource: PostResource<F, J, L>,
    loaded: L,
    context: ResponseContext,
    options: { jsonLd: boolean },
  ): Promise<Expiring<J>> {
    const { fields, hooks } = this.deps;
    const { value: whole, expiresAt } = Expiring.of(resource.toJson(loaded, context, options));
    const locked = isLocked(loaded.post, context);
    const own = locked ? maskProtected(resource.json, whole) : whole;
    const declared = fields.valuesOf(resource, loaded.post.meta, context, context.references, locked);
    const json = declared ? { ...own, ...declared } : own;
    const { prepare } = postHooks(resource);
    const filtered = hooks.has(prepare)
      ? await hooks.applyRendered(prepare, json, { record: loaded, context })
      : json;
    return new Expiring(filtered, expiresAt);
  }

  private linkedRecords(loaded: Loaded): readonly LinkedRecord[] {
    return this.resource.linkedRecords?.(loaded) ?? [];
  }

  /** All records whose texts are rendered: linked ones first, as their shortcodes know nothing of blocks in the record's own text. */
  private recordsOf(loaded: Loaded): readonly PostRecord[] {
    return [...this.linkedRecords(loaded).map(({ post }) => post), loaded.post];
  }

  /** All records whose fields are shown, with what they may refer to. */
  private referrers(loaded: Loaded) {
    const linked = this.linkedRecords(loaded).map(({ resource, post: { meta } }) => ({
      kind: resource,
      meta,
    }));
    return [{ kind: this.resource, meta: loaded.post.meta }, ...linked];
  }

  private dependencies(loaded: Loaded, { render, dependent, namesAttachments }: RenderedPosts): Dependencies {
    const records = this.recordsOf(loaded);
    const position = !records.every(({ id }) => dependent?.has(id) === false);
    const linked = this.resource.linkedIds?.(loaded);
    const referenced = this.deps.fields.references.postIds(this.referrers(loaded), this.resource.taxonomies);
    if (!linked || !referenced || namesAttachments !== false) return { posts: undefined, position };
    const images = records.flatMap((post) => {
      const id = thumbnailId(post);
      return [id, render.attachments.get(id)?.parentId ?? 0];
    });
    const posts = [...new Set([loaded.post.id, ...linked, ...referenced, ...images])].filter((id) => id > 0);
    return { posts, position };
  }

  /** Ids of those rows that have changed since they were read. */
  private async changed(rows: readonly PostRow[]): Promise<ReadonlySet<number>> {
    const now = await this.deps.posts.rows(rows.map(({ id }) => id));
    const same = new Set(now.map((row) => JSON.stringify(row)));
    const changed = rows.filter(({ entry: _entry, ...row }) => !same.has(JSON.stringify(row)));
    return new Set(changed.map(({ id }) => id));
  }
}

const values = <Json extends object>(records: readonly RenderedRecord<Json>[]): Json[] =>
  records.map(({ json }) => json.value);
