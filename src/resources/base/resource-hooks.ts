import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ClientDisconnected } from '../../common/context/abort.js';
import { getStore, runWith } from '../../common/context/request-store.js';
import { RestException } from '../../common/errors/rest-exception.js';
import { type ActionHook, type FilterHook, type HookKind, Hooks } from '../../common/hooks/hooks.js';
import { nearest } from '../../config/lookalike.js';
import { isDatabaseUnavailable } from '../../database/database-errors.js';
import { StartError } from '../../database/start-error.js';
import type { Transaction } from '../../database/transactions.js';
import type { RequestContext, WriteContext } from '../../http/request-context.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';
import type { PostRecord } from '../../wordpress/posts/post-record.js';
import { queryHook } from '../../wordpress/posts/post-visibility.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import type { TermListQuery } from '../../wordpress/terms/terms.service.js';
import { ContentTypes } from '../../wordpress/types/content-types.js';
import { type ContentKind, recordTypeOf } from './declared-field.js';
import type { LoadedPost, PostResource, TermResource } from './resource.js';
import { Resources } from './resources.js';

/** What actions inside the transaction of a write receive. */
export interface WithinTransaction {
  /** Statements of its `manager` belong to the write; other ones would wait for its end. */
  transaction: Transaction;
  /** Aborted when the time limit of the hook has passed. */
  signal: AbortSignal;
  context: WriteContext;
}

/** A record whose rows a write has stored, but not yet committed. */
export interface WrittenRecord<Fields, Row> {
  id: number;
  change: 'create' | 'update' | 'trash' | 'delete';
  /** The record before the write; undefined if it is new. */
  before?: Row;
  /** The fields of a create or an update. */
  fields?: Fields;
}

/** A write that failed, and was rolled back. */
export interface FailedWrite<Fields, Row> {
  error: unknown;
  /** Whether the write may be stored nevertheless, as the database did not confirm the commit. */
  isUnconfirmed: boolean;
  before?: Row;
  /** The fields of a create or an update, as filters left them. */
  fields?: Fields;
  context: RequestContext;
}

/** The hooks of a resource: filters on its lists, its input and its JSON, and actions within and after writes. */
export interface ResourceHooks<List, Fields, Json, Loaded, Row, Values = object> {
  /** `rest_<type>_query`: a list before it is read; `query` holds the parameters, none for checks of single ids. */
  query: FilterHook<List, { query: object; context: RequestContext }>;
  /** `rest_pre_insert_<type>`: the validated fields before anything is written; `before` is undefined for a new record. */
  preInsert: FilterHook<Fields, { before?: Row; context: RequestContext }>;
  /** `rest_prepare_<type>`: the JSON of a record, alone, in lists and inside other records. */
  prepare: FilterHook<Json, { record: Loaded; context: RequestContext }>;
  /**
   * `rest_validate_insert_<type>`: a create or an update, inside the transaction, before its rows are written; an error
   * rejects it. `values` are those that the record will have.
   */
  validateInsert: ActionHook<{ fields: Fields; values: Values; before?: Row } & WithinTransaction>;
  /** `rest_validate_delete_<type>`: a removal, as `validateInsert`. */
  validateDelete: ActionHook<{ before: Row; isTrashed: boolean } & WithinTransaction>;
  /** `rest_before_commit_<type>`: the rows of a record are written; an error rolls all of them back. */
  beforeCommit: ActionHook<WrittenRecord<Fields, Row> & WithinTransaction>;
  /** `rest_write_failed_<type>`: a write whose fields had passed to `preInsert` was not stored. */
  writeFailed: ActionHook<FailedWrite<Fields, Row>>;
  /** `rest_after_insert_<type>`: a record was created or changed. */
  afterInsert: ActionHook<{ id: number; fields: Fields; isNew: boolean; context: RequestContext }>;
  /** `rest_delete_<type>`: a record was trashed, or deleted for good. */
  delete: ActionHook<{ before: Row; isTrashed: boolean; context: RequestContext }>;
}

/** The hooks of a post type or taxonomy, without types. */
export function namedHooks(kind: ContentKind) {
  const type = recordTypeOf(kind);
  return {
    query: { name: queryHook(type).name },
    preInsert: { name: `rest_pre_insert_${type}` },
    prepare: { name: `rest_prepare_${type}` },
    validateInsert: { name: `rest_validate_insert_${type}` },
    validateDelete: { name: `rest_validate_delete_${type}` },
    beforeCommit: { name: `rest_before_commit_${type}` },
    writeFailed: { name: `rest_write_failed_${type}` },
    afterInsert: { name: `rest_after_insert_${type}` },
    delete: { name: `rest_delete_${type}` },
  };
}

/**
 * The hooks of a post type. A record excluded by a `query` filter does not exist for that reader: not in lists, by id,
 * inside other records or as a filter value.
 */
export function postHooks<Fields extends object, Json extends object, Loaded extends LoadedPost, Values>({
  type,
}: PostResource<Fields, Json, Loaded, Values>): ResourceHooks<
  PostQuery,
  Fields,
  Json,
  Loaded,
  PostRecord,
  Values
> {
  return namedHooks({ type });
}

/** The hooks of a taxonomy. */
export function termHooks<Fields, Json extends object>({
  taxonomy,
}: TermResource): ResourceHooks<TermListQuery, Fields, Json, TermRecord, TermRecord> {
  return namedHooks({ taxonomy });
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
      const { query: _query, preInsert, prepare, ...actions } = namedHooks(resource);
      this.hooks.define('filter', preInsert.name, prepare.name);
      this.hooks.define('action', ...Object.values(actions).map(({ name }) => name));
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
