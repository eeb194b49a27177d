import { Injectable } from '@nestjs/common';
import sql, { join, type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { Database } from '../database/database.js';
import { Transactions } from '../database/transactions.js';
import { Resources } from '../resources/base/resources.js';
import { inList } from '../wordpress/posts/post-rows.js';
import { JournalWriter } from './journal-writer.service.js';

/** Entries that are looked at together. */
const MAX_ENTRIES = 200;
/** Entries that one transaction appends: each holds the write lock for about 50 ms. */
const STEP = 2000;

/**
 * Journals the posts that show a changed venue, organizer or term, after the entry of that record itself. Its own position in
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
  ) {}

  /** Forgets the position, which another process may have moved. */
  restart(): void {
    this.position = undefined;
  }

  /** Looks at the next entries; returns whether there may be more. */
  async follow(): Promise<boolean> {
    const after = this.position ?? (await this.storedPosition());
    const keys = this.linkKeys();
    const { term } = this.writer.types;
    const entries = await this.database.query<{ seq: number; type: string; id: number }>(
      sql`SELECT seq, record_type AS type, record_id AS id FROM ${this.database.table('almanac_changes')}
          WHERE seq > ${after} AND source <> 'linked' AND change_kind <> 'created'
          AND ${inList(sql`record_type`, [...keys.keys(), ...term])} ORDER BY seq LIMIT ${MAX_ENTRIES}`,
    );
    const last = entries.at(-1);
    this.position = last ? Number(last.seq) : after;
    if (!last) return false;
    const linked = new Set<number>();
    const idsOf = (types: readonly string[]) => [
      ...new Set(entries.filter(({ type }) => types.includes(type)).map(({ id }) => Number(id))),
    ];
    for (const [type, key] of keys)
      for (const id of await this.postsWithMeta(key, idsOf([type]))) linked.add(id);
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

  /** The meta keys with which posts link to posts, by the type of the latter. */
  private linkKeys(): Map<string, string> {
    return new Map(
      this.resources
        .all()
        .flatMap((one) =>
          one.kind === 'post' && 'linkKey' in one ? [[one.type, String(one.linkKey)] as const] : [],
        ),
    );
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
