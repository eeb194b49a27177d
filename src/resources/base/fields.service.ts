import { Injectable } from '@nestjs/common';
import sql, { type Sql } from 'sql-template-tag';
import { type EntityManager, type EntityTarget, In } from 'typeorm';
import { forbidden } from '../../common/errors/rest-exception.js';
import { Database } from '../../database/database.js';
import { insertRows } from '../../database/insert-rows.js';
import type { Transaction } from '../../database/transactions.js';
import { updateRow } from '../../database/update-row.js';
import type { RequestContext } from '../../http/request-context.js';
import { addQueryArg, phpUrlencode } from '../../lib/wordpress-text/formatting/add-query-arg.js';
import { storedText } from '../../lib/wordpress-text/php-serialize.js';
import { PostMeta } from '../../wordpress/posts/post.entity.js';
import type { MetaMap } from '../../wordpress/posts/post-record.js';
import { hasMeta, metaOf, openedBy } from '../../wordpress/posts/post-rows.js';
import { TermMeta } from '../../wordpress/terms/term.entity.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import type { ContentKind, DeclaredField } from './declared-field.js';
import { FieldRegistry } from './field-registry.js';
import type { ReadQuery } from './response-context.js';

type Values = Readonly<Record<string, unknown>>;
type Reader = Pick<RequestContext, 'access'>;
type Declared = [name: string, field: DeclaredField];

/** The columns that `postmeta` and `termmeta` share. */
interface MetaRow {
  id: number;
  key: string | null;
  value: string | null;
}

/** Declared field values of terms, by `term_taxonomy_id`. */
export type TermFields = ReadonlyMap<number, object>;

/** Renders, stores and filters by the fields that plugins declare on posts and terms. */
@Injectable()
export class FieldsService {
  constructor(
    private readonly registry: FieldRegistry,
    private readonly database: Database,
  ) {}

  /**
   * Declared field values of a record that this reader may see, undefined if there are none; null means unset or locked
   * by a password.
   */
  valuesOf(
    kind: ContentKind,
    meta: MetaMap | undefined,
    context: Reader,
    isLocked = false,
  ): object | undefined {
    const fields = this.readable(kind, context);
    if (fields.length === 0) return undefined;
    return Object.fromEntries(
      fields.map(([name, field]) => [
        name,
        isLocked && !field.visibleWhenLocked ? null : parseStored(field, meta?.get(field.meta)?.[0]),
      ]),
    );
  }

  /** Declared field values of terms, loaded with one statement, or none if nothing is declared. */
  async valuesOfTerms(
    terms: readonly TermRecord[],
    context: Reader,
    manager?: EntityManager,
  ): Promise<TermFields> {
    const readable = new Map(terms.map((term) => [term, this.readable(term, context)]));
    const declared = terms.filter((term) => readable.get(term)?.length);
    const ids = new Set(declared.map(({ id }) => id));
    const keys = new Set([...readable.values()].flatMap((fields) => fields.map(([, { meta }]) => meta)));
    const meta = await metaOf(this.database, 'term', [...ids], { keys: [...keys], manager });
    return new Map(
      declared.map((term) => [term.termTaxonomyId, this.valuesOf(term, meta.get(term.id), context) ?? {}]),
    );
  }

  /** Throws if the input holds fields that the caller may not write. */
  checkWritable(kind: ContentKind, values: object, { access }: RequestContext): void {
    for (const [name, { writableBy }] of this.sent(kind, values))
      if (writableBy !== undefined && !access.can(writableBy)) throw forbidden(`You may not write ${name}.`);
  }

  /** Stores the declared fields of the input in every row of their keys; an empty text deletes the rows. */
  async store(
    { manager }: Transaction,
    kind: ContentKind,
    id: number,
    values: object,
    { cleaner }: RequestContext,
  ): Promise<void> {
    const sent = this.sent(kind, values);
    if (sent.length === 0) return;
    const isTerm = 'taxonomy' in kind;
    const entity: EntityTarget<MetaRow> = isTerm ? TermMeta : PostMeta;
    const owner = { [isTerm ? 'termId' : 'postId']: id };
    const stored = await manager.findBy(entity, { ...owner, key: In(sent.map(([, { meta }]) => meta)) });
    for (const [name, { meta: key }] of sent) {
      const rows = stored.filter((row) => row.key === key).map((row) => row.id);
      const value = (values as Values)[name];
      const text =
        typeof value === 'boolean'
          ? value
            ? '1'
            : ''
          : storedText(cleaner.clean('line', String(value ?? '')));
      if (rows.length === 0) {
        if (text !== '' || value === false) await insertRows(manager, entity, { ...owner, key, value: text });
      } else if (text === '' && value !== false) await manager.delete(entity, rows);
      else for (const row of rows) await updateRow(manager, entity, row, { value: text });
    }
  }

  /**
   * SQL conditions on `posts p` or `terms t` for the declared filters of a query; throws for filters that the caller
   * may not see. Posts that the caller may not open match only by fields that are visible when locked.
   */
  conditions(kind: ContentKind, query: ReadQuery, { access }: Reader): Sql[] {
    return this.sentFilters(kind, query).map(([name, field]) => {
      if (!canSee(field, { access })) throw forbidden(`You may not filter by ${name}.`);
      const value = (query as Values)[name];
      const values = [typeof value === 'boolean' ? '1' : storedText(String(value))];
      const holds = hasMeta(this.database, 'taxonomy' in kind ? 'term' : 'post', field.meta, values);
      // An unset flag has no row.
      const matches = value === false ? sql`NOT ${holds}` : holds;
      if ('taxonomy' in kind || field.visibleWhenLocked) return matches;
      return sql`${openedBy(query.password, access.editable(kind.type))} AND ${matches}`;
    });
  }

  /** Adds the declared filters to the URL of a list; without any the URL stays byte for byte. */
  withFilters(url: string, kind: ContentKind, query: object): string {
    const sentFilters = this.sentFilters(kind, query);
    if (sentFilters.length === 0) return url;
    const text = (name: string) => phpUrlencode(String((query as Values)[name]));
    return addQueryArg(url, Object.fromEntries(sentFilters.map(([name]) => [name, text(name)])));
  }

  private sentFilters(kind: ContentKind, query: object): Declared[] {
    return this.sent(kind, query).filter(([, { filter }]) => filter);
  }

  private sent(kind: ContentKind, values: object): Declared[] {
    return [...this.registry.declaredOn(kind)].filter(([name]) => (values as Values)[name] !== undefined);
  }

  private readable(kind: ContentKind, context: Reader): Declared[] {
    return [...this.registry.declaredOn(kind)].filter(([, field]) => canSee(field, context));
  }
}

function canSee({ readableBy }: DeclaredField, { access }: Reader): boolean {
  return readableBy === undefined || access.can(readableBy);
}

function parseStored({ type }: DeclaredField, stored: string | undefined): unknown {
  if (type === 'boolean') return stored === '1';
  if (stored === undefined) return null;
  return type === 'integer' ? Number(stored) : stored;
}
