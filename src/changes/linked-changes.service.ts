import { Injectable } from '@nestjs/common';
import sql, { join, type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import { Transactions } from '../database/transactions.js';
import { type DeclaredValue, recordTypeOf } from '../resources/base/declared-field.js';
import { FieldRegistry } from '../resources/base/field-registry.js';
import type { Resource } from '../resources/base/resource.js';
import { Resources } from '../resources/base/resources.js';
import { inList } from '../wordpress/posts/post-rows.js';
import { JournalWriter } from './journal-writer.service.js';

/** A meta key of posts that holds ids of records of a type. */
interface Link {
  type: string;
  key: string;
  /** Whether the posts name only the ids of the records that the reader may see. */
  isById: boolean;
}

/** Entries that are looked at together. */
const MAX_ENTRIES = 200;
/** Entries that one transaction appends: each holds the write lock for about 50 ms. */
const STEP = 2000;

/**
 * Journals the posts that show or name a changed record, after the entry of that record itself. Its own position in
 * the journal is stored, so that a stopped process leaves nothing out.
 */
@Injectable()
export class LinkedChanges {
  /** The number of the last entry that was looked at; undefined before the first look. */
  private position?: number;

  constructor(
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly resources: Resources,
    private readonly writer: JournalWriter,
    private readonly registry: FieldRegistry,
  ) {}

  /** Forgets the position, which another process may have moved. */
  restart(): void {
    this.position = undefined;
  }

  /** Whether posts may show or name records of one of the types. */
  concerns(types: readonly string[]): boolean {
    const linked = this.linkedTypes();
    return types.some((type) => linked.has(type));
  }

  /** Looks at the next entries; returns whether there may be more. */
  async follow(): Promise<boolean> {
    const after = this.position ?? (await this.storedPosition());
    const head = await this.head();
    const links = this.links();
    const { term } = this.writer.types;
    // Posts may show a record of another program before its first entry.
    const isNew = sql`change_kind = 'created' AND source <> 'foreign'`;
    // What is only named by its id matters where others may see it no longer, or again.
    const isVisibility = sql`change_kind = 'deleted' OR status <> status_before`;
    const entries = await this.database.query<{
      seq: number;
      type: string;
      id: number;
      isVisibility: number;
    }>(
      sql`SELECT seq, record_type AS type, record_id AS id, ${isVisibility} AS isVisibility
          FROM ${this.database.table('almanac_changes')}
          WHERE seq > ${after} AND seq <= ${head} AND source <> 'linked' AND NOT (${isNew})
          AND ${inList(sql`record_type`, [...this.linkedTypes(links)])} ORDER BY seq LIMIT ${MAX_ENTRIES}`,
    );
    const last = entries.at(-1);
    // Entries that link nothing are not read again.
    this.position = entries.length < MAX_ENTRIES ? head : Number(last?.seq);
    if (!last) return false;
    const linked = new Set<number>();
    const idsOf = (types: readonly string[], isById = false) => [
      ...new Set(
        entries
          .filter((one) => types.includes(one.type) && (!isById || Number(one.isVisibility) === 1))
          .map(({ id }) => Number(id)),
      ),
    ];
    for (const { type, key, isById } of links)
      for (const id of await this.postsWithMeta(key, idsOf([type], isById))) linked.add(id);
    for (const id of await this.postsWithTerms(idsOf(term))) linked.add(id);
    const ids = [...linked].sort((a, b) => a - b);
    for (let at = 0; at === 0 || at < ids.length; at += STEP)
      await this.transactions.run(async (transaction) => {
        const step = ids.slice(at, at + STEP);
        if (step.length > 0) await this.writer.appendLinked(transaction, step);
        if (at + STEP >= ids.length) await this.storePosition(transaction.manager, Number(last.seq));
        transaction.keepsCaches = true;
      });
    return true;
  }

  private linkedTypes(links = this.links()): ReadonlySet<string> {
    return new Set([...links.map(({ type }) => type), ...this.writer.types.term]);
  }

  /** How posts link to records of a type: events show their venue and organizers, fields of plugins name ids. */
  private links(): Link[] {
    const all = this.resources.all();
    const visible = all.flatMap((one) =>
      one.kind === 'post' && 'linkKey' in one
        ? [{ type: one.type, key: String(one.linkKey), isById: false }]
        : [],
    );
    const named = all
      .filter(({ kind }) => kind === 'post')
      .flatMap((one) => this.registry.referencesOn(one))
      .flatMap((field) =>
        targetsOf(field).map((to) => ({
          type: recordTypeOf(to),
          key: field.meta,
          isById: true,
        })),
      );
    return [...visible, ...named];
  }

  private async postsWithMeta(key: string, ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    // Old rows hold serialised lists.
    const listed = ids.flatMap((id) => [`a:%"${id}"%`, `a:%i:${id};%`]);
    const isListed = join(
      listed.map((pattern) => sql`m.meta_value LIKE ${pattern}`),
      ' OR ',
    );
    return this.ids(
      sql`SELECT DISTINCT m.post_id AS id FROM ${this.database.table('postmeta')} m
          WHERE m.meta_key = ${key} AND (${inList(sql`m.meta_value`, ids.map(String))} OR ${isListed})`,
    );
  }

  private async postsWithTerms(ids: readonly number[]): Promise<number[]> {
    if (ids.length === 0) return [];
    return this.ids(
      sql`SELECT DISTINCT r.object_id AS id FROM ${this.database.table('term_taxonomy')} x
          JOIN ${this.database.table('term_relationships')} r ON r.term_taxonomy_id = x.term_taxonomy_id
          WHERE ${inList(sql`x.term_id`, ids)} AND ${inList(sql`x.taxonomy`, this.writer.types.term)}`,
    );
  }

  private async ids(statement: Sql): Promise<number[]> {
    return (await this.database.query<{ id: number }>(statement)).map(({ id }) => Number(id));
  }

  private async head(): Promise<number> {
    const [row] = await this.database.query<{ head: number | null }>(
      sql`SELECT MAX(seq) AS head FROM ${this.database.table('almanac_changes')}`,
    );
    return Number(row?.head ?? 0);
  }

  private async storedPosition(): Promise<number> {
    const [row] = await this.database.query<{ position: string }>(
      sql`SELECT dates AS position FROM ${this.database.table('almanac_records')} WHERE record_id = 0 AND record_type = ''`,
    );
    return Number(row?.position ?? 0);
  }

  private async storePosition(manager: EntityManager, position: number): Promise<void> {
    await this.database.query(
      sql`UPDATE ${this.database.table('almanac_records')} SET dates = ${String(position)}
          WHERE record_id = 0 AND record_type = ''`,
      manager,
    );
  }
}

/** The resources that a field refers to, also inside of lists and objects. */
function targetsOf({ type, to, items, properties = {} }: DeclaredValue): Resource[] {
  const inside = [...(items ? [items] : []), ...Object.values(properties)].flatMap(targetsOf);
  return type === 'reference' && to ? [to, ...inside] : inside;
}
