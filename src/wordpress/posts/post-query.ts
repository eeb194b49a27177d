import sql, { type Sql } from 'sql-template-tag';
import { ClientDisconnected } from '../../common/context/abort.js';
import type { Database } from '../../database/database.js';
import type { ListVisibility } from '../users/list-visibility.js';
import {
  all,
  among,
  type Beginning,
  type Condition,
  type CountedRow,
  type Direction,
  firstOf,
  firstPosts,
  firstRows,
  halves,
  hasRow,
  type ListEntry,
  type ListJoin,
  type Place,
  type PlacedRow,
  type Rest,
  type RowsOfPosts,
  restAfter,
  SHARES,
  type Slice,
  type SortKey,
} from './list-order.js';
import { type Entries, joinedTables, pageStatement } from './list-statements.js';
import type { PostEntry } from './post-record.js';
import { hasMeta, hasMetaWhere, hasTerm, inList, metaOwners, postColumns, within } from './post-rows.js';
import { searchConditions } from './search-terms.js';

/** Builds the SQL of lists of posts `p`, as rows: TypeORM's entities take 1.6 times the CPU. */
export class PostQuery {
  private readonly posts = sql`${this.database.table('posts')} p`;
  private readonly conditions: Condition[] = [() => sql`p.post_type = ${this.type}`];
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
    private readonly type: string,
  ) {}

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
    return this.includeEntries(ids.map((id) => ({ id })));
  }

  includeEntries(entries: readonly ListEntry[]): this {
    if (this.way === 'inOrder') this.way = 'sorted';
    this.isNamed = true;
    return this.where(() => among(entries, this.row));
  }

  /** Posts with a meta of the key, and of one of the values where some are given. */
  withMeta(key: string, values?: readonly string[]): this {
    return this.where(() => hasMeta(this.database, 'post', key, values));
  }

  withoutMeta(key: string, values?: readonly string[]): this {
    return this.where(() => sql`NOT ${hasMeta(this.database, 'post', key, values)}`);
  }

  /** Posts with a row `m` of the key, of which a condition holds: with a joined table these are read first. */
  withMetaFirst(key: string, condition?: Sql): this {
    if (!this.joined || this.few) return this.where(hasMetaWhere(this.database, 'post', key, condition));
    this.few = metaOwners(this.database, key, condition);
    this.joined = { ...this.joined, first: false };
    if (this.way === 'inOrder') this.way = 'sorted';
    return this.changed();
  }

  /** Posts with one of the terms, by `term_taxonomy_id`. */
  withTerms(termTaxonomyIds: readonly number[]): this {
    return this.where(() => hasTerm(this.database, termTaxonomyIds));
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

  /** Sorts by this column alone: of the joined table, of `p`, or the first value in rows of another table. */
  orderOnlyBy(key: Sql, direction: Direction, source?: 'joined' | 'indexed' | RowsOfPosts): this {
    this.order = [];
    if (source !== 'joined' && source !== 'indexed' && this.way === 'inOrder') this.way = 'sorted';
    if (source === 'joined') return this.orderBy(key, direction, source);
    return this.orderBy(typeof source === 'object' ? firstOf(key, direction, source) : key, direction);
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
    const { places, limit, offset } = this;
    return { skip: offset, take: limit.perPage, after: places?.after, isPlaced: places !== undefined };
  }

  get subquery(): Sql {
    return sql`SELECT p.ID FROM ${this.from()} WHERE ${all(this.conditions)}`;
  }

  /** The posts of all entries, unordered. */
  async ids(): Promise<number[]> {
    return (await this.entries()).map(({ id }) => id);
  }

  /** All entries, unordered. */
  async entries(): Promise<ListEntry[]> {
    const row = this.joined ? sql`CASE WHEN ${this.joined.hasSeveral} THEN ${this.row} END` : sql`NULL`;
    const rows = await this.database.query<{ id: number; entryRow: number | null }>(
      sql`SELECT p.ID AS id, ${row} AS entryRow FROM ${this.from([])} WHERE ${all(this.conditions)}`,
    );
    return rows.map(({ id, entryRow }) => (entryRow ? { id, row: Number(entryRow) } : { id }));
  }

  /** Reads in the order of the sort key, not much further than the page: most rows match. */
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
  counting(part?: Sql[]): Sql {
    return sql`SELECT COUNT(*) AS total FROM ${this.from(undefined, part)} WHERE ${all(this.conditions)}`;
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
    const counted = parts.map((part) => this.database.query<{ total: number }>(this.counting(part)));
    return (await Promise.all(counted)).reduce((sum, [row]) => sum + Number(row?.total ?? 0), 0);
  }

  async rows(): Promise<PlacedRow[]> {
    if (this.way === 'onePass') return this.counted();
    for (const share of this.way === 'inOrder' ? SHARES : []) {
      const { near, isAll } = await this.beginning(share);
      const rows = await this.select(near);
      if (isAll || rows.length === this.limit.perPage) return rows;
    }
    return (await this.postsAlone()) ?? this.select();
  }

  /** The page where posts are sorted by their own column and none has several entries; undefined otherwise. */
  private async postsAlone(): Promise<PlacedRow[] | undefined> {
    const { joined, offset } = this;
    if (!joined?.first || this.isRowsFirst || this.places || this.way !== 'sorted') return undefined;
    const hasSeveral = offset === 0 ? joined.hasSeveral : joined.anyHasSeveral;
    const rows = await this.select([], hasRow(joined), { row: sql`1`, hasSeveral });
    const isPast = offset > 0 && rows.length === 0;
    return isPast || rows.some(({ entry }) => entry) ? undefined : rows;
  }

  /** The rows of the page, given their posts or entries. */
  rowsOf(entries: readonly ListEntry[]): Promise<PlacedRow[]> {
    const ids = entries.map(({ id }) => id);
    return this.select(this.joined ? [inList(this.joined.post, ids)] : [], among(entries, this.row));
  }

  /** The entry of a row of the joined table. */
  entryOf(row: number): PostEntry {
    return { id: this.joined?.entryId(row) ?? row, row };
  }

  private counted(): Promise<CountedRow[]> {
    this.pass ??= this.select<CountedRow>();
    return this.pass;
  }

  private beginning(share: number): Promise<Beginning> {
    const [sort] = this.order as [SortKey];
    const { table, row, where } = (sort.isJoined && this.joined) || firstPosts(this.posts, this.conditions);
    const reach = Math.ceil((this.offset * 1.25 + this.limit.perPage * 4 + 100) * share);
    return firstRows(this.database, { table, row, where: [...where, ...this.rest.rows] }, sort, reach);
  }

  /** The page among the rows near its beginning, or all, or those named. */
  private async select<Row extends PlacedRow>(near: Sql[] = [], named?: Sql, alone?: Entries) {
    const { joined, order, isRowsFirst, limit } = this;
    const conditions = [...this.conditions, ...this.rest.all, ...(isRowsFirst ? [] : near)];
    const statement = pageStatement({
      columns: postColumns(this.database),
      posts: this.posts,
      from: alone ? this.posts : this.from(near),
      where: named ? [...conditions, named] : conditions,
      order: isRowsFirst ? order.with(0, { ...(order[0] as SortKey), key: sql`j.sort_1` }) : order,
      entries: alone ?? (joined && { row: this.row ?? joined.row, hasSeveral: joined.hasSeveral }),
      isCounted: this.way === 'onePass',
      isPlaced: this.places !== undefined,
      limit: { take: limit.perPage, skip: named && !alone ? 0 : this.offset },
    });
    const found = await this.database.query<Row & { entryRow?: number | null }>(statement);
    if (!joined) return found;
    return found.map(({ entryRow, ...row }) =>
      Object.assign(row as unknown as Row, entryRow && { entry: this.entryOf(Number(entryRow)) }),
    );
  }

  private changed(): this {
    this.steps += 1;
    return this;
  }

  /** Whether rows of the joined table are sorted before posts are read. */
  private get isRowsFirst(): boolean {
    return this.joined?.first === true && this.order[0]?.isJoined === true;
  }

  private get row(): Sql | undefined {
    return this.isRowsFirst ? sql`j.row_id` : this.joined?.row;
  }

  private from(near?: Sql[], part?: Sql[]): Sql {
    const { joined, few, isRowsFirst, order } = this;
    const rows = near && { near: [...this.rest.rows, ...near], key: isRowsFirst ? order[0]?.key : undefined };
    return joined ? joinedTables(this.database, this.posts, joined, { few, part, rows }) : this.posts;
  }

  private get rest(): Rest {
    const key = this.isRowsFirst ? sql`j.sort_1` : undefined;
    return restAfter(this.places?.after, this.order[0], key, this.row);
  }

  private get offset(): number {
    const { page, perPage, offset = (page - 1) * perPage } = this.limit;
    return Math.min(offset, Number.MAX_SAFE_INTEGER);
  }
}
