import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ClientDisconnected } from '../../common/context/abort.js';
import { getStore, runWith } from '../../common/context/request-store.js';
import { RestException } from '../../common/errors/rest-exception.js';
import { type ActionHook, type FilterHook, type HookKind, Hooks } from '../../common/hooks/hooks.js';
import { nearest } from '../../config/lookalike.js';
import { isDatabaseUnavailable } from '../../database/database-errors.js';
import { StartError } from '../../database/start-error.js';
import type { RequestContext } from '../../http/request-context.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';
import type { PostRecord } from '../../wordpress/posts/post-record.js';
import { queryHook } from '../../wordpress/posts/post-visibility.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import type { TermListQuery } from '../../wordpress/terms/terms.service.js';
import { ContentTypes } from '../../wordpress/types/content-types.js';
import type { LoadedPost, PostResource, TermResource } from './resource.js';
import { Resources } from './resources.js';

/** The hooks of a resource: filters on its lists, its input and its JSON, and actions after writes. */
export interface ResourceHooks<List, Fields, Json, Loaded, Row> {
  /** `rest_<type>_query`: a list before it is read; `query` holds the parameters, none for checks of single ids. */
  query: FilterHook<List, { query: object; context: RequestContext }>;
  /** `rest_pre_insert_<type>`: the validated fields before anything is written; `before` is undefined for a new record. */
  preInsert: FilterHook<Fields, { before?: Row; context: RequestContext }>;
  /** `rest_prepare_<type>`: the JSON of a record, alone, in lists and inside other records. */
  prepare: FilterHook<Json, { record: Loaded; context: RequestContext }>;
  /** `rest_after_insert_<type>`: a record was created or changed. */
  afterInsert: ActionHook<{ id: number; fields: Fields; isNew: boolean; context: RequestContext }>;
  /** `rest_delete_<type>`: a record was trashed, or deleted for good. */
  delete: ActionHook<{ before: Row; isTrashed: boolean; context: RequestContext }>;
}

function namedHooks(type: string) {
  return {
    query: { name: queryHook(type).name },
    preInsert: { name: `rest_pre_insert_${type}` },
    prepare: { name: `rest_prepare_${type}` },
    afterInsert: { name: `rest_after_insert_${type}` },
    delete: { name: `rest_delete_${type}` },
  };
}

/**
 * The hooks of a post type. A record excluded by a `query` filter does not exist for that reader: not in lists, by id,
 * inside other records or as a filter value.
 */
export function postHooks<Fields extends object, Json extends object, Loaded extends LoadedPost>({
  type,
}: PostResource<Fields, Json, Loaded>): ResourceHooks<PostQuery, Fields, Json, Loaded, PostRecord> {
  return namedHooks(type);
}

/** The hooks of a taxonomy. */
export function termHooks<Fields, Json extends object>({
  taxonomy,
}: TermResource): ResourceHooks<TermListQuery, Fields, Json, TermRecord, TermRecord> {
  return namedHooks(taxonomy);
}

/** Defines all hook names once the resources are known, and throws `StartError` for a plugin hook that nothing calls. */
@Injectable()
export class HookNames implements OnApplicationBootstrap {
  constructor(
    private readonly hooks: Hooks,
    private readonly types: ContentTypes,
    private readonly resources: Resources,
  ) {}

  onApplicationBootstrap(): void {
    const types = [...this.types.postTypes.keys(), ...this.types.taxonomies.keys()];
    this.hooks.define('filter', ...types.map((type) => queryHook(type).name));
    for (const resource of this.resources.all()) {
      const own = namedHooks('taxonomy' in resource ? resource.taxonomy : resource.type);
      this.hooks.define('filter', own.preInsert.name, own.prepare.name);
      this.hooks.define('action', own.afterInsert.name, own.delete.name);
    }
    this.hooks.checkNames((name, kind) => this.check(name, kind));
  }

  private check(name: string, kind: HookKind): void {
    const { defined } = this.hooks;
    const known = defined.get(name);
    if (known === kind) return;
    if (known !== undefined)
      throw new StartError(`${name} is no ${kind} but ${known === 'filter' ? 'a filter' : 'an action'}.`);
    const names = [...defined].flatMap(([one, own]) => (own === kind ? [one] : [])).sort();
    const near = nearest(name, names);
    throw new StartError(
      `Nothing calls the ${kind} ${name}${near ? `: is it ${near}?` : `. There are ${names.join(', ')}.`}`,
    );
  }
}

/**
 * Builds the response after a committed write. A failure must not look like a rejected write: failing `prepare` filters
 * are logged and ignored, other errors become `write_not_shown`.
 */
export async function respondAfterWrite<T>(show: () => Promise<T>): Promise<T> {
  const { request, caller } = getStore() ?? {};
  try {
    return await runWith({ request, caller, isWritten: true }, show);
  } catch (error) {
    // These errors describe themselves.
    if (error instanceof ClientDisconnected || isDatabaseUnavailable(error)) throw error;
    const message = 'The write was stored, but it cannot be shown.';
    throw new RestException('unconfirmed', 'write_not_shown', message, {}, { cause: error });
  }
}
