import type { ActionHook, FilterHook } from '../../common/hooks/hooks.js';
import type { RequestContext } from '../../http/request-context.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';
import type { PostRecord } from '../../wordpress/posts/post-record.js';
import { queryHook } from '../../wordpress/posts/post-visibility.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import type { TermListQuery } from '../../wordpress/terms/terms.service.js';
import type { LoadedPost, PostResource, TermResource } from './resource.js';

/** The hooks of a resource: filters on its lists, its input and its JSON, and actions after writes. */
export interface ResourceHooks<List, Fields, Json, Shown, Row> {
  /** `rest_<type>_query`: a list before it is read; `query` holds the parameters, none for checks of single ids. */
  query: FilterHook<List, { query: object; context: RequestContext }>;
  /** `rest_pre_insert_<type>`: the validated fields before anything is written; `before` is undefined for a new record. */
  preInsert: FilterHook<Fields, { before?: Row; context: RequestContext }>;
  /** `rest_prepare_<type>`: the JSON of a record, alone, in lists and inside other records. */
  prepare: FilterHook<Json, { shown: Shown; context: RequestContext }>;
  /** `rest_after_insert_<type>`: a record was created or changed. */
  afterInsert: ActionHook<{ id: number; fields: Fields; isNew: boolean; context: RequestContext }>;
  /** `rest_delete_<type>`: a record was trashed, or deleted for good. */
  delete: ActionHook<{ before: Row; isTrashed: boolean; context: RequestContext }>;
}

/** The hooks of a post type or taxonomy by its name. */
export function namedHooks(type: string) {
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
export function postHooks<Fields extends object, Json extends object, Shown extends LoadedPost>({
  type,
}: PostResource<Fields, Json, Shown>): ResourceHooks<PostQuery, Fields, Json, Shown, PostRecord> {
  return namedHooks(type);
}

/** The hooks of a taxonomy. */
export function termHooks<Fields, Json extends object>({
  taxonomy,
}: TermResource): ResourceHooks<TermListQuery, Fields, Json, TermRecord, TermRecord> {
  return namedHooks(taxonomy);
}
