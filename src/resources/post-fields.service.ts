import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import type { Transaction } from '../database/transactions.js';
import { notAllowed } from '../errors/refusal.js';
import type { RequestContext } from '../http/request-context.js';
import { MetaWriter } from '../wordpress/posts/meta-writer.js';
import { openedBy, type PostQuery } from '../wordpress/posts/post-query.js';
import { firstMeta, type PostRecord } from '../wordpress/posts/post-record.js';
import type { DeclaredField } from './declared-field.js';
import { FieldRegistry } from './field-registry.js';
import type { PostResource } from './resource.js';
import { isLocked, type ResponseContext, type UnlockQuery } from './response-context.js';

type OfType = Pick<PostResource, 'type'>;
type Values = Readonly<Record<string, unknown>>;

/** Shows, stores and filters by the fields that plugins declare on posts. */
@Injectable()
export class PostFields {
  constructor(private readonly registry: FieldRegistry) {}

  /** The fields of a record that this reader may see, undefined when there are none; null where nothing is stored, or a password hides it. */
  shown(resource: OfType, post: PostRecord, context: ResponseContext): Record<string, unknown> | undefined {
    const fields = [...this.registry.declaredOn(resource)].filter(([, field]) => maySee(field, context));
    if (fields.length === 0) return undefined;
    const locked = isLocked(post, context);
    return Object.fromEntries(
      fields.map(([name, field]) => [
        name,
        locked && !field.kept ? null : parsed(field, firstMeta(post, field.meta)),
      ]),
    );
  }

  /** Refuses what was sent of fields that the caller may not write. */
  checkWritable(resource: OfType, values: object, { access }: RequestContext): void {
    for (const [name, { writableBy }] of this.sent(resource, values as Values))
      if (writableBy !== undefined && !access.can(writableBy)) throw notAllowed(`You may not write ${name}.`);
  }

  /** Stores what was sent of a record's fields; an empty text removes what is stored. */
  async store(
    { manager }: Transaction,
    resource: OfType,
    id: number,
    values: object,
    { cleaner }: RequestContext,
  ): Promise<void> {
    const sent = this.sent(resource, values as Values);
    if (sent.length === 0) return;
    const meta = await MetaWriter.forExisting(manager, id);
    for (const [name, { meta: key }] of sent) {
      const value = (values as Values)[name];
      const text = typeof value === 'boolean' ? (value ? '1' : '') : cleaner.clean('line', String(value));
      if (text === '' && typeof value !== 'boolean') meta.remove(key);
      else meta.set(key, text);
    }
    await meta.save();
  }

  /**
   * Narrows a list down by the fields that it was asked with; records that the caller may not open match by kept fields
   * only. Refuses filters by what the caller may not see.
   */
  filter(
    list: PostQuery,
    resource: OfType,
    query: UnlockQuery,
    { access }: Pick<RequestContext, 'access'>,
  ): void {
    for (const [name, field] of this.asked(resource, query)) {
      if (!maySee(field, { access })) throw notAllowed(`You may not filter by ${name}.`);
      const value = (query as Values)[name];
      const holds = list.hasMeta(field.meta, [typeof value === 'boolean' ? '1' : String(value)]);
      if (!field.kept) list.where(openedBy(query.password, access.editable(resource.type)));
      // A flag that was never set is no row at all.
      list.where(value === false ? sql`NOT ${holds}` : holds);
    }
  }

  /** The filters that a list was asked with, for its links. */
  asked(resource: OfType, query: object): [name: string, field: DeclaredField][] {
    return this.sent(resource, query as Values).filter(([, { filter }]) => filter);
  }

  private sent(resource: OfType, values: Values): [name: string, field: DeclaredField][] {
    return [...this.registry.declaredOn(resource)].filter(([name]) => values[name] !== undefined);
  }
}

function maySee({ readableBy }: DeclaredField, { access }: Pick<RequestContext, 'access'>): boolean {
  return readableBy === undefined || access.can(readableBy);
}

function parsed({ type }: DeclaredField, stored: string | undefined): unknown {
  if (type === 'boolean') return stored === '1';
  if (stored === undefined) return null;
  return type === 'integer' ? Number(stored) : stored;
}
