import type { ActionHook, FilterHook } from '../../common/hooks/hooks.js';
import type { RequestContext } from '../../http/request-context.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';
import type { PostRecord } from '../../wordpress/posts/post-record.js';
import { queryHook } from '../../wordpress/posts/post-visibility.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import type { TermListQuery } from '../../wordpress/terms/terms.service.js';
import type { PostResource, LoadedPost, TermResource } from './resource.js';

/** The hooks of a resource: of what it lists, what it is written with, what is shown of it, and how it is called. */
export interface ResourceHooks<List, Fields, Json, Shown, Row> {
  /** `rest_<type>_query`: a list before it is read; `query` holds the parameters, none where ids are looked at. */
  query: FilterHook<List, { query: object; context: RequestContext }>;
  /** `rest_pre_insert_<type>`: the checked fields before anything is written; `before` unless the record is new. */
  preInsert: FilterHook<Fields, { before?: Row; context: RequestContext }>;
  /** `rest_prepare_<type>`: a record as it will be shown, alone, in lists and inside other records. */
  prepare: FilterHook<Json, { shown: Shown; context: RequestContext }>;
  /** `rest_after_insert_<type>`: a record was created or changed. */
  afterInsert: ActionHook<{ id: number; fields: Fields; isNew: boolean; context: RequestContext }>;
  /** `rest_delete_<type>`: a record was trashed, or deleted for good. */
  delete: ActionHook<{ before: Row; isTrashed: boolean; context: RequestContext }>;
}

/** The hooks of what a post type or taxonomy names. */
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
 * The hooks of a post type. What a `query` filter leaves out does not exist for that reader: not in lists, not by its id, not
 * inside other records, not as the value of another list's filter.
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
