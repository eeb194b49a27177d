import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { In } from 'typeorm';
import { conflict } from '../../common/errors/rest-exception.js';
import { mapValues } from '../../common/map-values.js';
import { Database } from '../../database/database.js';
import { straightJoin } from '../../database/dialect.js';
import { StartError } from '../../database/start-error.js';
import type { Transaction } from '../../database/transactions.js';
import { listItems } from '../../http/params/fields.js';
import type { RequestContext } from '../../http/request-context.js';
import { restUrl } from '../../http/rest-request.js';
import { PostMeta } from '../../wordpress/posts/post.entity.js';
import { type DeclaredField, listQueryClass } from './declared-field.js';
import { FieldRegistry } from './field-registry.js';
import { RecordReaders } from './record-readers.service.js';
import type { PostResource, Relation, Relations } from './resource.js';

/** Rows per DELETE statement. */
const DELETE_BATCH = 1000;
const ON_TRASH = ['keep', 'clear', 'refuse'];

/** The relations that resources declare: their fields, embedded records, and what the removal of a record does to them. */
@Injectable()
export class RelationsService {
  private readonly relations = new Map<string, Map<string, Relation>>();
  /** Relations with their owners by the type of the records that they name. */
  private readonly uses = new Map<string, (Relation & { owner: PostResource })[]>();

  constructor(
    private readonly registry: FieldRegistry,
    private readonly database: Database,
    private readonly readers: RecordReaders,
  ) {}

  /** Adds relations to a resource; throws `StartError` for invalid ones. */
  add(owner: PostResource, declared: Relations): void {
    const own = this.relations.get(owner.type) ?? new Map<string, Relation>();
    this.relations.set(owner.type, own);
    for (const [name, { to, onTrash = 'keep' }] of Object.entries(declared)) {
      const fault = (why: string) => new StartError(`The relation ${name} cannot be declared: ${why}.`);
      if (to?.kind !== 'post') throw fault('to must be a resource of posts');
      if (!ON_TRASH.includes(onTrash)) throw fault(`onTrash must be one of ${ON_TRASH.join(', ')}`);
    }
    const isListed = listQueryClass(owner) !== undefined;
    this.registry.add(
      owner,
      mapValues(declared, (relation) => relationField(relation, isListed)),
    );
    for (const [name, relation] of Object.entries(declared)) {
      own.set(name, relation);
      this.uses.set(relation.to.type, [...(this.uses.get(relation.to.type) ?? []), { ...relation, owner }]);
    }
  }

  /** Records with the ones that they name and `_embed` asks for, in WordPress's shape. */
  async embedded<Json extends object>(
    owner: PostResource,
    records: readonly Json[],
    embed: unknown,
    context: RequestContext,
  ): Promise<readonly Json[]> {
    const own = this.relations.get(owner.type);
    if (!own || embed === undefined || records.length === 0) return records;
    const requested = listItems(embed);
    const isAll = requested.length === 0 || requested.some((name) => name === '1' || name === 'true');
    const wanted = [...own].filter(([name]) => isAll || requested.includes(name));
    if (wanted.length === 0) return records;
    const idsOf = (json: object, name: string): number[] => {
      const value: unknown = Reflect.get(json, name);
      return (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'number');
    };
    const found = new Map<string, object>();
    for (const to of new Set(wanted.map(([, relation]) => relation.to))) {
      const names = wanted.flatMap(([name, relation]) => (relation.to === to ? name : []));
      const ids = new Set(records.flatMap((json) => names.flatMap((name) => idsOf(json, name))));
      if (ids.size === 0) continue;
      const reader = this.readers.of(to);
      if (!reader) throw new Error(`No service reads the ${to.plural}.`);
      for (const json of await reader.some([...ids], context))
        found.set(`${to.type} ${Reflect.get(json, 'id')}`, json);
    }
    return records.map((json) => {
      const links = Object.fromEntries(
        wanted.map(([name, { to }]) => [
          name,
          idsOf(json, name).map((id) => ({
            href: restUrl(context.base, `/${to.path}/${id}`),
            embeddable: true,
          })),
        ]),
      );
      const inside = Object.fromEntries(
        wanted.map(([name, { to }]) => [
          name,
          idsOf(json, name).flatMap((id) => found.get(`${to.type} ${id}`) ?? []),
        ]),
      );
      return { ...json, _links: links, _embedded: inside };
    });
  }

  /** Throws 409 if others name a record so that it may not be removed. */
  async checkRemoval(transaction: Transaction, type: string, id: number): Promise<void> {
    for (const { owner, to, meta, onTrash } of this.uses.get(type) ?? []) {
      if (onTrash !== 'refuse') continue;
      const users = await this.rowsTo(transaction, owner, meta, id, true);
      if (users.length > 0)
        throw conflict(`The ${to.singular} is in use by ${owner.plural}.`, `${to.singular}-in-use`);
    }
  }

  /** Applies the removal of a record to those that name it. */
  async remove(transaction: Transaction, type: string, id: number, isTrashed: boolean): Promise<void> {
    for (const { owner, meta, onTrash } of this.uses.get(type) ?? []) {
      if (isTrashed && onTrash !== 'clear') continue;
      const rows = await this.rowsTo(transaction, owner, meta, id);
      const owners = rows.map(({ postId }) => postId);
      transaction.touchAll('post', owners);
      for (let at = 0; at < rows.length; at += DELETE_BATCH) {
        const ids = rows.slice(at, at + DELETE_BATCH).map(({ rowId }) => rowId);
        // A row that PHP has changed meanwhile stays.
        await transaction.manager.delete(PostMeta, { id: In(ids), value: String(id) });
      }
    }
  }

  /** The meta rows of a relation with this id; `isInUse`: one of a record that is not in the trash. */
  private async rowsTo(
    { manager }: Transaction,
    { type }: PostResource,
    meta: string,
    id: number,
    isInUse = false,
  ): Promise<{ rowId: number; postId: number }[]> {
    const rows = await this.database.query<{ rowId: number | string; postId: number | string }>(
      sql`SELECT m.meta_id AS rowId, m.post_id AS postId FROM ${this.database.table('postmeta')} m
          ${straightJoin(this.database.dialect)} ${this.database.table('posts')} p ON p.ID = m.post_id
          WHERE m.meta_key = ${meta} AND m.meta_value = ${String(id)} AND p.post_type = ${type}
            ${isInUse ? sql`AND p.post_status NOT IN ('trash', 'auto-draft') LIMIT 1` : sql`ORDER BY m.meta_id`}`,
      manager,
    );
    return rows.map(({ rowId, postId }) => ({ rowId: Number(rowId), postId: Number(postId) }));
  }
}

/** The field that stores a relation. */
function relationField(
  { to, many = false, onTrash: _onTrash, ...options }: Relation,
  filter: boolean,
): DeclaredField {
  return many
    ? { ...options, type: 'list', items: { type: 'reference', to }, filter }
    : { ...options, type: 'reference', to, filter };
}
