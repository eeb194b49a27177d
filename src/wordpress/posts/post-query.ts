import sql, { empty, join, type Sql } from 'sql-template-tag';
import { ClientDisconnected } from '../../common/context/abort.js';
import type { Database } from '../../database/database.js';
import { straightJoin } from '../../database/dialect.js';
import type { ListVisibility } from '../users/list-visibility.js';
import {
  all,
  type Beginning,
  type Condition,
  type CountedRow,
  type Direction,
  firstOf,
  firstRows,
  halves,
  hasRow,
  type ListJoin,
  type Place,
  type PlacedRow,
  type Rest,
  restAfter,
  type Slice,
  type SortKey,
  WAYS,
} from './list-order.js';
import { hasMeta, inList, postColumns, within } from './post-rows.js';
import { searchConditions } from './search-terms.js';

/** Builds the SQL of lists of posts `p`, as rows: TypeORM's entities take 1.6 times the CPU. */
export class PostQuery {
  private readonly conditions: Condition[];
  private joined?: ListJoin;
  private few?: Sql;
  private order: SortKey[] = [];
  private limit: { page: number; perPage: number; offset?: number } = { page: 1, perPage: 10 };
  private places?: { after?: Place };
  private way: 'sorted' | 'inOrder' | 'onePass' = 'sorted';
  private pass?: Promise<CountedRow[]>;
  private steps = 0;
  private long = false;
  private isNamed = false;

  constructor(
    private readonly database: Database,
    type: string,
  ) {
    this.conditions = [() => sql`p.post_type = ${type}`];
  }

  /** Changes whenever other posts may be in the list, or in another order. */
  get revision(): number {
    return this.steps;
  }

  /** Whether its time grows with the number of records: it reads another table or texts, and names no ids. */
  get isLong(): boolean {
    return this.long && !this.isNamed;
  }

  where(condition: Condition): this {
    this.conditions.push(condition);
    return this.changed();
  }

  /** Only posts that the reader may see in a list. */
  visible(visibility: ListVisibility): this {
    return this.where(() => within(sql`p`, visibility));
  }

  include(ids: readonly number[]): this {
    if (this.way === 'inOrder') this.way = 'sorted';
    this.isNamed = true;
    return this.where(() => inList(sql`p.ID`, ids));
  }

  /** Posts with a meta of the key, and of one of the values where some are given. */
  withMeta(key: string, values?: readonly string[]): this {
    return this.where(() => hasMeta(this.database, 'post', key, values));
  }

  withoutMeta(key: string, values?: readonly string[]): this {
    return this.where(() => sql`NOT ${hasMeta(this.database, 'post', key, values)}`);
  }

  /** The same where few posts have one: these are read first. */
  withRareMeta(key: string): this {
    if (!this.joined || this.joined.first) return this.withMeta(key);
    this.few = sql`SELECT DISTINCT m.post_id FROM ${this.database.table('postmeta')} m WHERE m.meta_key = ${key}`;
    return this.changed();
  }

  /** Posts with one of the terms, by `term_taxonomy_id`. */
  withTerms(termTaxonomyIds: readonly number[]): this {
    return this.where(
      () => sql`EXISTS (SELECT 1 FROM ${this.database.table('term_relationships')} r
          WHERE r.object_id = p.ID AND ${inList(sql`r.term_taxonomy_id`, termTaxonomyIds)})`,
    );
  }

  /** Searches title, excerpt and content (docs/behaviour/lists.md#search-for-events); `open`: where the latter two count (R14). */
  search(text: string, open: Sql, signedIn: boolean, locale?: string): this {
    const conditions = searchConditions(this.database.dialect, text, open, locale);
    for (const condition of conditions) this.where(condition);
    if (conditions.length === 0) return this;
    this.inOnePass();
    // The words of protected posts find nothing for anonymous readers.
    return signedIn ? this : this.where(sql`p.post_password = ''`);
  }

  join(joined: ListJoin): this {
    this.joined = joined;
    this.long = true;
    return this.changed();
  }

  /** Sorts by a column of the joined table or of `p`; ties by id (R11). */
  orderBy(key: Sql, direction: Direction, table?: 'joined'): this {
    this.order.push({ key, direction, isJoined: table === 'joined' });
    return this.changed();
  }

  /** Sorts by this column alone: of the joined table, of one that is joined for it, or of `p`. */
  orderOnlyBy(key: Sql, direction: Direction, source?: 'joined' | 'indexed' | ListJoin): this {
    this.order = [];
    if (source !== 'joined' && source !== 'indexed' && this.way === 'inOrder') this.way = 'sorted';
    if (source === 'joined') return this.orderBy(key, direction, source);
    if (this.joined && !this.few) this.where(hasRow(this.joined)).joined = undefined;
    if (typeof source !== 'object') return this.orderBy(key, direction);
    return this.join(source).orderBy(key, direction, 'joined');
  }

  /** Reads the rows after a place, or from the first row on, with their `position`; the list has one sort key. The total is that of all. */
  startAfter(place?: Place): this {
    this.places = { after: place };
    // One pass would count the rest only.
    if (this.way === 'onePass') this.way = 'sorted';
    return this;
  }

  /** `offset`: rows to skip, instead of the pages before. */
  page(page: number, perPage: number, offset?: number): this {
    this.limit = { page, perPage, offset };
    return this;
  }

  get slice(): Slice {
    const { places, limit } = this;
    return { skip: this.offset, take: limit.perPage, after: places?.after, isPlaced: places !== undefined };
  }

  get subquery(): Sql {
    return sql`SELECT p.ID FROM ${this.from()} WHERE ${all(this.conditions)}`;
  }

  async ids(): Promise<number[]> {
    const rows = await this.database.query<{ ID: number }>(this.subquery);
    return rows.map(({ ID }) => ID);
  }

  /** Reads in the order of the sort key, not much further than to the page: most rows match. */
  inOrder(): this {
    this.way = 'inOrder';
    return this;
  }

  /** Finds page and total in one pass, as conditions are expensive. */
  inOnePass(): this {
    this.way = 'onePass';
    this.long = true;
    return this;
  }

  /** The statement of `total`, of all or of a part of the joined table. */
  counting(part: Sql[] = []): Sql {
    const counted = this.isGrouped ? sql`COUNT(DISTINCT p.ID)` : sql`COUNT(*)`;
    return sql`SELECT ${counted} AS total FROM ${this.from(undefined, part)} WHERE ${all(this.conditions)}`;
  }

  /** The number of matches; `inHalves` counts large tables on two connections. */
  async total(inHalves = false): Promise<number> {
    if (this.way === 'onePass') {
      // Other requests may wait for the total.
      const found = await this.counted().catch((error) => {
        if (!(error instanceof ClientDisconnected)) throw error;
      });
      if (found?.[0]) return Number(found[0].total);
      if (found && this.offset === 0) return 0;
    }
    const parts = inHalves ? await halves(this.database, this.joined) : [[]];
    const counted = parts.map((part) => this.database.query<{ total: number | string }>(this.counting(part)));
    return (await Promise.all(counted)).reduce((sum, [row]) => sum + Number(row?.total ?? 0), 0);
  }

  async rows(): Promise<PlacedRow[]> {
    if (this.way === 'onePass') return this.counted();
    for (const share of this.way === 'inOrder' ? SHARES : []) {
      const { near, isAll } = await this.beginning(share);
      const rows = await this.select<PlacedRow>(near);
      if (isAll || rows.length === this.limit.perPage) return rows;
    }
    return this.select();
  }

  rowsOf(ids: readonly number[]): Promise<PlacedRow[]> {
    return this.select(this.joined ? [inList(this.joined.post, ids)] : [], { ids });
  }

  private counted(): Promise<CountedRow[]> {
    this.pass ??= this.select<CountedRow>();
    return this.pass;
  }

  private beginning(share: number): Promise<Beginning> {
    const [sort] = this.order as [SortKey];
    // Type and status, the first conditions, are in an index with the date.
    const { table, post, where } = this.joined ?? {
      table: this.posts,
      post: sql`p.ID`,
      where: [...this.conditions.slice(0, 2), ...this.rest.posts],
    };
    const reach = Math.ceil((this.offset * 1.25 + this.limit.perPage * 4 + 100) * share);
    return firstRows(this.database, { table, post, where: [...where, ...this.rest.rows] }, sort, reach);
  }

  /** The page among the rows near its beginning, or all; it is chosen by ids first, so that long texts are not sorted. */
  private select<Row>(near: Sql[] = [], named?: { ids: readonly number[] }): Promise<Row[]> {
    const keys = this.order.map((sort, at) => {
      const ofRows = at === 0 && sort.isJoined && this.joined?.first ? sql`j.sort_1` : sort.key;
      return sql`, ${this.isGrouped ? firstOf(sort) : ofRows} AS ${SORT_KEYS[at]}`;
    });
    const sorted = (id: Sql) =>
      join([...this.order.map(({ direction }, at) => sql`${SORT_KEYS[at]} ${WAYS[direction]}`), id]);
    const grouped = this.isGrouped ? sql` GROUP BY p.ID` : empty;
    const [total, rows] =
      this.way === 'onePass' ? [sql`, COUNT(*) OVER () AS total`, sql`, x.total`] : [empty, empty];
    const place = this.places ? sql`, x.sort_1 AS position` : empty;
    const conditions = [...this.conditions, ...this.rest.posts, ...(this.joined ? [] : near)];
    if (named) conditions.push(inList(sql`p.ID`, named.ids));
    const offset = named ? 0 : this.offset;
    return this.database.query<Row>(
      sql`SELECT ${postColumns(this.database)}${rows}${place} FROM (SELECT p.ID AS id${join(keys, '', '', '')}${total} FROM ${this.from(near)}
          WHERE ${all(conditions)}${grouped}
          ORDER BY ${sorted(sql`p.ID`)} LIMIT ${this.limit.perPage} OFFSET ${offset}) x
          JOIN ${this.posts} ON p.ID = x.id ORDER BY ${sorted(sql`x.id`)}`,
    );
  }

  private changed(): this {
    this.steps += 1;
    return this;
  }

  /** Whether a post may have several rows before they are grouped. */
  private get isGrouped(): boolean {
    return this.joined !== undefined && !this.joined.first;
  }

  /** The tables; with the sort key of each post, and limited to `near`, for statements that sort. */
  private from(near?: Sql[], part: Sql[] = []): Sql {
    const straight = straightJoin(this.database.dialect);
    if (!this.joined) return this.posts;
    const { table, post, where, first } = this.joined;
    const on = all([sql`p.ID = ${post}`, ...where, ...(near ? this.rest.rows : [])]);
    if (this.few)
      return sql`(${this.few}) f ${straight} ${this.posts} ON p.ID = f.post_id ${straight} ${table} ON ${on}`;
    if (!first) return sql`${this.posts} JOIN ${table} ON ${on}`;
    // One row per post first: posts are then looked up in the order of their ids.
    const [sort] = this.order;
    const once =
      near && sort?.isJoined
        ? sql`${post} AS post_id, ${firstOf(sort)} AS sort_1 FROM ${table} WHERE ${all([...where, ...this.rest.rows, ...near])} GROUP BY ${post}`
        : sql`DISTINCT ${post} AS post_id FROM ${table} WHERE ${all([...where, ...part])}`;
    return sql`(SELECT ${once}) j ${straight} ${this.posts} ON p.ID = j.post_id`;
  }

  private get rest(): Rest {
    return restAfter(this.places?.after, this.order[0], this.joined);
  }

  private get posts(): Sql {
    return sql`${this.database.table('posts')} p`;
  }

  private get offset(): number {
    const { page, perPage, offset = (page - 1) * perPage } = this.limit;
    return Math.min(offset, Number.MAX_SAFE_INTEGER);
  }
}

const SORT_KEYS = [sql`sort_1`, sql`sort_2`];

/** How far each attempt to fill a page reads, as a multiple of the usual, before all rows are sorted. */
const SHARES = [1, 16];
