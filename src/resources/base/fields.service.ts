import { Injectable } from '@nestjs/common';
import type { Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { forbidden, invalidParameter, invalidParameters } from '../../common/errors/rest-exception.js';
import { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transactions.js';
import { missingParameters } from '../../http/params/read-parameters.js';
import { type RequestContext, toWriteContext } from '../../http/request-context.js';
import { addQueryArg, phpUrlencode } from '../../lib/wordpress-text/formatting/add-query-arg.js';
import type { PostQuery } from '../../wordpress/posts/post-query.js';
import type { MetaMap, PostRecord } from '../../wordpress/posts/post-record.js';
import { hasMetaWhere, metaOf, openedBy } from '../../wordpress/posts/post-rows.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';
import type { ContentKind, DeclaredField } from './declared-field.js';
import { type FieldFilter, filterCondition, sentFilters } from './field-filters.js';
import { FieldReferences, referenceKey, type VisibleReferences } from './field-references.service.js';
import { FieldRegistry } from './field-registry.js';
import { checkUnique, type FieldRows, isSameValue, writeFieldRows } from './field-rows.js';
import { decodeField, encodeField, plainLine, withReferences } from './field-values.js';
import type { ReadQuery } from './response-context.js';

type Values = Readonly<Record<string, unknown>>;
type Reader = Pick<RequestContext, 'access' | 'settings'>;
type Declared = [name: string, field: DeclaredField];

/** The record whose fields are written. */
interface FieldOwner {
  kind: ContentKind;
  id: number;
  isNew: boolean;
}

/** Declared field values of terms, by `term_taxonomy_id`. */
export type TermFields = ReadonlyMap<number, object>;

/** Renders, stores and filters by the fields that plugins declare on posts and terms. */
@Injectable()
export class FieldsService {
  constructor(
    private readonly registry: FieldRegistry,
    private readonly database: Database,
    readonly references: FieldReferences,
  ) {}

  /**
   * Declared field values of a record that this reader may see, undefined if there are none; null means unset or locked
   * by a password.
   */
  valuesOf(
    kind: ContentKind,
    meta: MetaMap | undefined,
    context: Reader,
    visible: VisibleReferences,
    isLocked = false,
  ): object | undefined {
    const fields = this.readable(kind, context);
    if (fields.length === 0) return undefined;
    return Object.fromEntries(
      fields.map(([name, field]) => {
        if (isLocked && !field.visibleWhenLocked) return [name, null];
        const value = decodeField(field, meta?.get(field.meta), context.settings.zone);
        return [name, withReferences(field, value, (to, id) => visible.has(referenceKey(to, id)))];
      }),
    );
  }

  /** Declared field values of terms, loaded with one statement, or none if nothing is declared. */
  async valuesOfTerms(terms: readonly TermRecord[], context: RequestContext): Promise<TermFields> {
    const readable = new Map(terms.map((term) => [term, this.readable(term, context)]));
    const declared = terms.filter((term) => readable.get(term)?.length);
    const ids = new Set(declared.map(({ id }) => id));
    const keys = new Set([...readable.values()].flatMap((fields) => fields.map(([, { meta }]) => meta)));
    const meta = await metaOf(this.database, 'term', [...ids], { keys: [...keys] });
    const records = declared.map((term) => ({ kind: term, meta: meta.get(term.id) }));
    const visible = await this.references.visible(records, context);
    return new Map(
      records.map(({ kind, meta: own }) => [
        kind.termTaxonomyId,
        this.valuesOf(kind, own, context, visible) ?? {},
      ]),
    );
  }

  /** Throws if the input holds fields that the caller may not write. */
  checkWritable(kind: ContentKind, values: object, { access }: RequestContext): void {
    for (const [name, { writableBy }] of this.sent(kind, values))
      if (writableBy !== undefined && !access.can(writableBy)) throw forbidden(`You may not write ${name}.`);
  }

  /**
   * Stores the declared fields of the input, in the transaction of their record; an empty text removes a field. Throws
   * for required fields that are missing, and 409 for values of unique fields that another record has.
   */
  async store(
    transaction: Transaction,
    owner: FieldOwner,
    values: object,
    context: RequestContext,
  ): Promise<void> {
    const { manager } = transaction;
    const { settings } = context;
    const sent = this.rowsOf(owner.kind, values, context);
    await this.checkRequired(manager, owner, sent);
    if (sent.length === 0) return;
    for (const one of sent.filter(({ field }) => field.unique))
      await checkUnique(this.database, manager, owner, one, settings.zone);
    await writeFieldRows(manager, owner, sent);
    transaction.touch('taxonomy' in owner.kind ? 'term' : 'post', owner.id);
  }

  /**
   * The first record whose unique fields do not differ from the sent ones, in preference one that has their values; the
   * first of all if none is sent.
   */
  async matching<Found extends { id: number }>(
    { manager }: Transaction,
    kind: ContentKind,
    records: readonly Found[],
    values: object,
    context: RequestContext,
  ): Promise<Found | undefined> {
    const sent = this.rowsOf(kind, values, context).filter(({ field }) => field.unique);
    if (sent.length === 0 || records.length === 0) return records[0];
    const keys = sent.map(({ field }) => field.meta);
    const ids = records.map(({ id }) => id);
    const stored = await metaOf(this.database, metaKindOf(kind), ids, { keys, manager });
    const compared = records.map((record) => {
      const same = sent.flatMap(({ field, texts: [text] }) => {
        const own = stored.get(record.id)?.get(field.meta)?.[0];
        return own ? [text !== undefined && isSameValue(field, own, text)] : [];
      });
      return { record, same };
    });
    const possible = compared.filter(({ same }) => !same.includes(false));
    return (possible.find(({ same }) => same.includes(true)) ?? possible[0])?.record;
  }

  /** The meta rows of the declared fields in the input; throws for texts of unique fields that would be changed. */
  private rowsOf(kind: ContentKind, values: object, context: RequestContext): FieldRows[] {
    const { cleaner, settings } = context;
    const now = Math.floor(toWriteContext(context).now / 1000);
    const encoding = { cleaner, zone: settings.zone, now };
    return this.sent(kind, values).map(([name, field]) => {
      const value = (values as Values)[name];
      const isText = field.unique && (field.type ?? 'string') === 'string' && value !== null;
      if (isText && plainLine(String(value), cleaner) !== String(value))
        throw invalidParameter(name, `${name} ${NOT_STORED}`);
      return { name, field, texts: encodeField(field, value, encoding) };
    });
  }

  /** Throws 409 if a record that leaves the trash keeps a value that another one has taken since. */
  async checkRestored(
    { manager }: Transaction,
    kind: ContentKind,
    { id, meta }: Pick<PostRecord, 'id' | 'meta'>,
    values: object,
    { settings }: Reader,
  ): Promise<void> {
    for (const [name, field] of this.registry.declaredOn(kind))
      if (field.unique && (values as Values)[name] === undefined) {
        const texts = meta.get(field.meta) ?? [];
        await checkUnique(this.database, manager, { kind, id }, { name, field, texts }, settings.zone);
      }
  }

  private async checkRequired(
    manager: EntityManager,
    { kind, id, isNew }: FieldOwner,
    sent: readonly FieldRows[],
  ): Promise<void> {
    const required = [...this.registry.declaredOn(kind)].filter(([, field]) => field.required);
    const given = new Map(sent.map(({ name, texts }) => [name, texts.length > 0]));
    const absent = required.filter(([name]) => isNew && !given.get(name));
    // A part of a series has the rows of the whole.
    const keys = absent.map(([, { meta }]) => meta);
    const stored =
      keys.length > 0 ? await metaOf(this.database, metaKindOf(kind), [id], { keys, manager }) : undefined;
    const missing = absent.flatMap(([name, { meta }]) => (stored?.get(id)?.has(meta) ? [] : name));
    if (missing.length > 0) throw missingParameters(missing);
    const removed = required.flatMap(([name]) => (given.get(name) === false ? name : []));
    if (removed.length > 0)
      throw invalidParameters(removed.map((name) => ({ name, message: `${name} must not be empty.` })));
  }

  /**
   * Narrows a list of posts by the declared filters of a query; throws for filters that the caller may not see. Posts
   * that the caller may not open match only by fields that are visible when locked.
   */
  narrow(list: PostQuery, kind: { type: string }, query: ReadQuery, context: Reader): void {
    for (const filter of this.usable(kind, query, context)) {
      const { meta, visibleWhenLocked } = filter.field;
      if (!visibleWhenLocked) list.where(openedBy(query.password, context.access.editable(kind.type)));
      const matches = filterCondition(this.database, 'post', filter, context.settings.zone);
      if ('record' in matches) list.where(matches.record);
      else list.withMetaFirst(meta, matches.row);
    }
  }

  /** SQL conditions on `terms t` for the declared filters of a query; throws for filters that the caller may not see. */
  termConditions(kind: { taxonomy: string }, query: object, context: Reader): Sql[] {
    return this.usable(kind, query, context).map((filter) => {
      const matches = filterCondition(this.database, 'term', filter, context.settings.zone);
      if ('record' in matches) return matches.record;
      return hasMetaWhere(this.database, 'term', filter.field.meta, matches.row);
    });
  }

  private usable(kind: ContentKind, query: object, context: Reader): FieldFilter[] {
    const filters = this.filters(kind, query);
    for (const { name, field } of filters)
      if (!canSee(field, context)) throw forbidden(`You may not filter by ${name}.`);
    return filters;
  }

  /** Adds the declared filters to the URL of a list; without any the URL stays byte for byte. */
  withFilters(url: string, kind: ContentKind, query: object): string {
    const filters = this.filters(kind, query);
    if (filters.length === 0) return url;
    const texts = filters.map(({ name, value }) => [name, phpUrlencode(String(value))]);
    return addQueryArg(url, Object.fromEntries(texts));
  }

  private filters(kind: ContentKind, query: object): FieldFilter[] {
    return [...this.registry.declaredOn(kind)].flatMap(([name, field]) => sentFilters(name, field, query));
  }

  private sent(kind: ContentKind, values: object): Declared[] {
    return [...this.registry.declaredOn(kind)].filter(([name]) => (values as Values)[name] !== undefined);
  }

  private readable(kind: ContentKind, context: Reader): Declared[] {
    return [...this.registry.declaredOn(kind)].filter(([, field]) => canSee(field, context));
  }
}

const NOT_STORED =
  'holds characters that are not stored: backslashes, tags, percent escapes, line breaks, or blanks that are repeated or at its ends.';

const metaKindOf = (kind: ContentKind) => ('taxonomy' in kind ? 'term' : 'post');

function canSee({ readableBy }: DeclaredField, { access }: Reader): boolean {
  return readableBy === undefined || access.can(readableBy);
}
