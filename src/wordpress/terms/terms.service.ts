import { Injectable } from '@nestjs/common';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import { Database } from '../../database/database.js';
import { compareTexts, straightJoin } from '../../database/dialect.js';
import { sanitizeTitle } from '../../lib/wordpress-text/formatting/sanitize-title.js';
import { containing, inList } from '../posts/post-rows.js';
import { type TermRecord, termIdOf } from './term-record.js';

const shortColumns = ({ count = COUNT, parent = PARENT }: TermReading = {}) =>
  sql`t.term_id AS id, t.name AS name, t.slug AS slug, t.term_group AS termGroup, x.term_taxonomy_id AS termTaxonomyId,
      x.taxonomy AS taxonomy, ${parent} AS parent, ${count} AS count`;

const COUNT = sql`x.count`;
const PARENT = sql`x.parent`;

/** Overrides for reading terms: expressions of count and parent, and the transaction. */
export interface TermReading {
  count?: Sql;
  parent?: Sql;
  manager?: EntityManager;
}

export interface TermListQuery {
  reading?: TermReading;
  taxonomy: string;
  search?: string;
  slug?: string;
  slugs?: readonly string[];
  include?: readonly number[];
  exclude?: readonly number[];
  parent?: number;
  postId?: number;
  /** Only terms with published posts, without descendants. */
  inhabited?: boolean;
  /** Further conditions on `terms t` and `term_taxonomy x`. */
  where?: readonly Sql[];
  limit?: number;
  offset?: number;
  orderBy: TermOrder;
  direction: 'ASC' | 'DESC';
}

/** The orders of a list; `include` keeps the order of the ids. */
export type TermOrder =
  | 'id'
  | 'name'
  | 'slug'
  | 'term_group'
  | 'description'
  | 'count'
  | 'parent'
  | 'taxonomy'
  | 'term_taxonomy_id'
  | 'include';

const ORDER_COLUMNS: Record<Exclude<TermOrder, 'include' | 'count' | 'parent'>, string> = {
  id: 't.term_id',
  name: 't.name',
  slug: 't.slug',
  term_group: 't.term_group',
  description: 'x.description',
  taxonomy: 'x.taxonomy',
  term_taxonomy_id: 'x.term_taxonomy_id',
};

const TEXT_ORDERS = ['name', 'slug', 'description'] as const;

/** Reads terms with their taxonomy rows. */
@Injectable()
export class TermsService {
  constructor(private readonly database: Database) {}

  /** The matching terms, sorted; all without a limit. */
  async list(query: TermListQuery): Promise<TermRecord[]> {
    const { limit, offset = 0, reading } = query;
    const matching = sql`WHERE ${this.matchingList(query)} ORDER BY`;
    const key = TEXT_ORDERS.find((order) => order === query.orderBy);
    // SQLite sorts accented letters last, so it sorts and pages here.
    if (this.database.dialect === 'sqlite' && key) {
      const way = query.direction === 'ASC' ? 1 : -1;
      const terms = await this.rows(sql`${matching} t.term_id`, reading);
      terms.sort((a, b) => way * compareTexts(a[key], b[key]));
      return terms.slice(offset, limit && offset + limit);
    }
    const page = limit === undefined ? empty : sql` LIMIT ${limit} OFFSET ${offset}`;
    return this.rows(sql`${matching} ${this.order(query)}${page}`, reading);
  }

  async total(query: TermListQuery): Promise<number> {
    const [row] = await this.database.query<{ total: number }>(
      sql`SELECT COUNT(*) AS total FROM ${this.database.table('terms')} t
          JOIN ${this.database.table('term_taxonomy')} x ON x.term_id = t.term_id WHERE ${this.matchingList(query)}`,
    );
    return Number(row?.total ?? 0);
  }

  private matchingList(query: TermListQuery): Sql {
    const conditions = [sql`x.taxonomy = ${query.taxonomy}`, ...(query.where ?? [])];
    if (query.search !== undefined) {
      const pattern = sql`LIKE ${containing(query.search)} ESCAPE '|'`;
      conditions.push(sql`(t.name ${pattern} OR t.slug ${pattern})`);
    }
    if (query.slug !== undefined) conditions.push(sql`t.slug = ${query.slug}`);
    if (query.slugs) conditions.push(inList(sql`t.slug`, query.slugs));
    if (query.include) conditions.push(inList(sql`t.term_id`, query.include));
    if (query.exclude) conditions.push(sql`NOT (${inList(sql`t.term_id`, query.exclude)})`);
    if (query.parent !== undefined) conditions.push(sql`x.parent = ${query.parent}`);
    if (query.postId !== undefined)
      conditions.push(
        sql`EXISTS (SELECT 1 FROM ${this.database.table('term_relationships')} r
            WHERE r.term_taxonomy_id = x.term_taxonomy_id AND r.object_id = ${query.postId})`,
      );
    if (query.inhabited) conditions.push(sql`${query.reading?.count ?? COUNT} > 0`);
    return join(conditions, ' AND ');
  }

  async all(taxonomy: string, reading?: TermReading): Promise<Map<number, TermRecord>> {
    const rows = await this.rows(sql`WHERE x.taxonomy = ${taxonomy}`, reading);
    return new Map(rows.map((term) => [term.id, term]));
  }

  async firstByName(taxonomies: readonly string[], limit: number): Promise<TermRecord[]> {
    const among = inList(sql`x.taxonomy`, taxonomies);
    const terms = await this.rows(sql`WHERE ${among} ORDER BY t.name, t.term_id LIMIT ${limit}`);
    if (this.database.dialect === 'sqlite') terms.sort((a, b) => compareTexts(a.name, b.name));
    return terms;
  }

  async named(taxonomy: string, items: readonly string[], locale: string): Promise<TermRecord[]> {
    if (items.length === 0) return [];
    const ids = items.flatMap((item) => termIdOf(item) ?? []).map(Math.abs);
    const slugs = items.map((item) => sanitizeTitle(item, { locale })).filter((slug) => slug !== '');
    return this.rows(
      sql`WHERE x.taxonomy = ${taxonomy} AND (${inList(sql`t.term_id`, ids)}
          OR ${inList(sql`t.slug`, slugs)} OR ${inList(sql`t.name`, items)}) ORDER BY t.term_id`,
    );
  }

  async find(taxonomy: string, id: number, reading?: TermReading): Promise<TermRecord | null> {
    const rows = await this.rows(sql`WHERE x.taxonomy = ${taxonomy} AND t.term_id = ${id}`, reading);
    return rows[0] ?? null;
  }

  /** The terms of posts by post id, sorted by name; in the transaction of the manager if given. */
  async ofPosts(
    postIds: readonly number[],
    taxonomies: readonly string[],
    manager?: EntityManager,
  ): Promise<Map<number, TermRecord[]>> {
    const byPost = new Map<number, TermRecord[]>();
    if (postIds.length === 0) return byPost;
    const taxonomyTable = this.database.table('term_taxonomy');
    // Sorted without the descriptions, as long texts make the database sort on disk.
    const rows = await this.database.query<TermRecord & { postId: number }>(
      sql`SELECT k.*, x.description AS description FROM
          (SELECT DISTINCT r.object_id AS postId, ${shortColumns()} FROM ${this.database.table('term_relationships')} r
          JOIN ${taxonomyTable} x ON x.term_taxonomy_id = r.term_taxonomy_id
          JOIN ${this.database.table('terms')} t ON t.term_id = x.term_id
          WHERE ${inList(sql`r.object_id`, postIds)} AND ${inList(sql`x.taxonomy`, taxonomies)}) k
          ${straightJoin(this.database.dialect)} ${taxonomyTable} x ON x.term_taxonomy_id = k.termTaxonomyId
          ORDER BY k.name, k.id`,
      manager,
    );
    if (this.database.dialect === 'sqlite') rows.sort((a, b) => compareTexts(a.name, b.name));
    for (const { postId, ...term } of rows) {
      const terms = byPost.get(postId);
      if (terms) terms.push(term);
      else byPost.set(postId, [term]);
    }
    return byPost;
  }

  private rows(rest: Sql, reading: TermReading = {}): Promise<TermRecord[]> {
    return this.database.query<TermRecord>(
      sql`SELECT ${shortColumns(reading)}, x.description AS description FROM ${this.database.table('terms')} t
          JOIN ${this.database.table('term_taxonomy')} x ON x.term_id = t.term_id ${rest}`,
      reading.manager,
    );
  }

  private order({ orderBy, direction, include, reading = {} }: TermListQuery): Sql {
    const way = direction === 'ASC' ? sql`ASC` : sql`DESC`;
    if (orderBy === 'count') return sql`${reading.count ?? COUNT} ${way}, t.term_id`;
    if (orderBy === 'parent') return sql`${reading.parent ?? PARENT} ${way}, t.term_id`;
    if (orderBy !== 'include') return sql`${raw(ORDER_COLUMNS[orderBy])} ${way}, t.term_id`;
    if (!include || include.length === 0) return sql`t.term_id ${way}`;
    const places = include.map((id, place) => sql`WHEN ${id} THEN ${place}`);
    return sql`CASE t.term_id ${join(places, ' ')} END ${way}, t.term_id`;
  }
}

/** The `term_taxonomy_id`s of terms and their descendants. */
export function withDescendants(all: ReadonlyMap<number, TermRecord>, ids: readonly number[]): number[] {
  const found = new Set<number>(ids);
  const children = new Map<number, TermRecord[]>();
  for (const term of all.values()) children.set(term.parent, [...(children.get(term.parent) ?? []), term]);
  const open = [...ids];
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const child of children.get(id) ?? [])
      if (!found.has(child.id)) {
        found.add(child.id);
        open.push(child.id);
      }
  return [...found].flatMap((id) => all.get(id)?.termTaxonomyId ?? []);
}

/** The terms with published posts, own or of descendants. */
export function keepInhabited(
  terms: readonly TermRecord[],
  all: ReadonlyMap<number, TermRecord>,
): TermRecord[] {
  const inhabited = new Set<number>();
  for (const term of all.values())
    if (term.count > 0)
      for (let at: TermRecord | undefined = term; at && !inhabited.has(at.id); at = all.get(at.parent))
        inhabited.add(at.id);
  return terms.filter(({ id }) => inhabited.has(id));
}

/** The slugs from the root ancestor to the term; stops at a cycle. */
export function slugPath(all: ReadonlyMap<number, TermRecord>, term: TermRecord): string[] {
  const path: string[] = [];
  const seen = new Set<number>();
  for (let at: TermRecord | undefined = term; at && !seen.has(at.id); at = all.get(at.parent)) {
    seen.add(at.id);
    path.unshift(at.slug);
  }
  return path;
}
