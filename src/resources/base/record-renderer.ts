import { mapYieldingAsync } from '../../common/event-loop.js';
import { serializeJson } from '../../http/php-json.js';
import type { RequestContext } from '../../http/request-context.js';
import { SerializedJson } from '../../http/serialized-json.js';
import { thumbnailId } from '../../wordpress/posts/linked-ids.js';
import { entryId, type PostRecord, type PostRow } from '../../wordpress/posts/post-record.js';
import type { RenderedPosts } from '../../wordpress/rendering/renderer.service.js';
import type { Dependencies, RecordCacheView } from '../record-cache/record-cache.service.js';
import type { PostPage } from './list-query.js';
import type { PostResourceDeps } from './post-resource-deps.js';
import type { LoadedPost, PostResource } from './resource.js';
import { type ResponseContext, responseContext, type UnlockQuery } from './response-context.js';

/** How the service of a resource loads and embeds; the rest is in its definition. */
interface Source<Loaded> {
  /** Loads the records of rows. `isFresh`: nothing may come from a cache, as it will be compared with checksums. */
  load(rows: readonly PostRow[], context: RequestContext, isFresh: boolean): Promise<Loaded[]>;
  embed(loaded: readonly Loaded[], context: ResponseContext, options: { jsonLd: boolean }): Promise<void>;
}

/** Renders the records of one resource, and takes those of lists from the record cache. */
export class RecordRenderer<Fields extends object, Json extends object, Loaded extends LoadedPost> {
  constructor(
    private readonly resource: PostResource<Fields, Json, Loaded>,
    private readonly deps: Pick<PostResourceDeps, 'posts' | 'renderer' | 'presenter'>,
    private readonly source: Source<Loaded>,
  ) {}

  /** The records of a page: cached ones, and the others rendered; with a cache all of them serialized. */
  async page(
    { ids, rows, rowsLoaded = false }: PostPage,
    unlock: UnlockQuery,
    context: RequestContext,
    cache?: RecordCacheView,
  ): Promise<(Json | SerializedJson)[]> {
    if (!cache) return this.rows(await rows(), unlock, context);
    const cached = await cache.getMany(ids);
    const known = ids.flatMap((id) => cached.get(id) ?? []);
    if (known.length === ids.length) return known;
    const read = await rows();
    const loaded = await this.source.load(read, context, true);
    const isCached = (row: PostRow) => cached.has(entryId(row));
    const missing = read.filter((row) => !isCached(row));
    const changed = rowsLoaded && cache.hasChecksums ? await this.changed(missing) : new Set<number>();
    const others = loaded.filter(({ post }) => !isCached(post));
    const rendered = await this.render(others, unlock, context, { cache, changed });
    // A record that depends on its position needs those before it.
    const areAlone = cached.size === 0 || rendered.every((one) => one instanceof SerializedJson);
    const rest = (areAlone ? rendered : await this.render(loaded, unlock, context)).values();
    const records = read.flatMap(
      (row) => (areAlone && cached.get(entryId(row))) || (rest.next().value ?? []),
    );
    // All are serialized, so that ETags do not depend on the state of the cache.
    return Promise.all(records.map(serializeJson));
  }

  /** One record as its own route returns it; its row was read after the cache was opened. */
  async one(
    row: PostRow,
    unlock: UnlockQuery,
    context: RequestContext,
    cache?: RecordCacheView,
  ): Promise<Json | undefined> {
    const loaded = await this.source.load([row], context, cache !== undefined);
    const [record] = await this.render(loaded, unlock, context, { jsonLd: true, cache });
    return record instanceof SerializedJson ? record.parse<Json>() : record;
  }

  /** The records of rows. */
  async rows(rows: readonly PostRow[], unlock: UnlockQuery, context: RequestContext): Promise<Json[]> {
    const loaded = await this.source.load(rows, context, false);
    return (await this.render(loaded, unlock, context)) as Json[];
  }

  /** `changed`: records whose rows are older than their checksums. */
  private async render(
    loaded: readonly Loaded[],
    unlock: UnlockQuery,
    context: RequestContext,
    options: { jsonLd?: boolean; cache?: RecordCacheView; changed?: ReadonlySet<number> } = {},
  ): Promise<(Json | SerializedJson)[]> {
    const { jsonLd = false, cache, changed } = options;
    const { renderer, presenter } = this.deps;
    const rendered = await renderer.render(
      loaded.flatMap((one) => this.recordsOf(one)),
      context,
      { jsonLd },
    );
    const response = responseContext(context, rendered, unlock);
    await this.source.embed(loaded, response, { jsonLd });
    return mapYieldingAsync(loaded, async (one) => {
      const record = await presenter.present(this.resource, one, response, { jsonLd });
      if (!cache) return record.value;
      const { posts, position } = this.dependencies(one, rendered);
      const isChanged = changed?.has(one.post.id);
      return cache.add(entryId(one.post), record, { posts: isChanged ? undefined : posts, position });
    });
  }

  private recordsOf(loaded: Loaded): readonly PostRecord[] {
    return this.resource.records?.(loaded) ?? [loaded.post];
  }

  private dependencies(loaded: Loaded, { render, dependent, namesAttachments }: RenderedPosts): Dependencies {
    const records = this.recordsOf(loaded);
    const position = !records.every(({ id }) => dependent?.has(id) === false);
    const linked = this.resource.linkedIds?.(loaded);
    if (!linked || namesAttachments !== false) return { posts: undefined, position };
    const images = records.flatMap((post) => {
      const id = thumbnailId(post);
      return [id, render.attachments.get(id)?.parentId ?? 0];
    });
    const posts = [...new Set([loaded.post.id, ...linked, ...images])].filter((id) => id > 0);
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
