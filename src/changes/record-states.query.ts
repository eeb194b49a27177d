import { hash } from 'node:crypto';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../database/database.js';
import type { TouchedKind } from '../database/transactions.js';
import { SERIES_META } from '../resources/events/recurrence/stored-lines.js';
import { inList } from '../wordpress/posts/post-rows.js';

/** What the journal knows of a record. */
export interface RecordState {
  type: string;
  id: number;
  slug: string;
  status: string;
  author: number;
  modified: string;
  /** The checksum of the dates of an event. */
  dates: string;
  /** The checksum of all other rows that its JSON is made of, its image included, without those of other records. */
  checksum: string;
}

/** The present state of a record beside the last journaled one. */
export interface ComparedState extends RecordState {
  /** Null for an unknown record. */
  knownChecksum: string | null;
  knownDates: string | null;
  knownStatus: string | null;
  /** Whether all records of the type are known. */
  isFilled: number;
  /** The number of the last entry. */
  head: number;
}

/** Meta that programs write without changing the record. */
const VOLATILE_META = [
  '_edit_lock',
  '_edit_last',
  '_encloseme',
  '_pingme',
  SERIES_META.due,
  SERIES_META.until,
];

/** Meta of attachments that records render with their featured image. */
export const IMAGE_META = ['_wp_attached_file', '_wp_attachment_metadata', '_wp_attachment_image_alt'];

export const POST_COLUMNS = [
  ...[
    'post_author',
    'post_date',
    'post_date_gmt',
    'post_content',
    'post_title',
    'post_excerpt',
    'post_status',
  ],
  ...[
    'post_password',
    'post_name',
    'post_modified',
    'post_modified_gmt',
    'post_parent',
    'menu_order',
    'guid',
  ],
].map((name) => `p.${name}`);
export const TERM_COLUMNS = ['t.name', 't.slug', 't.term_group', 'x.description', 'x.parent'];
/** Only metas may be NULL, which `CONCAT_WS` would leave out. */
export const META_COLUMNS = ['m.meta_id', "COALESCE(m.meta_key, '')", "COALESCE(m.meta_value, '')"];
export const DATE_COLUMNS = [
  'o.occurrence_id',
  'o.start_date',
  'o.end_date',
  'o.start_date_utc',
  'o.end_date_utc',
];

/** More than any statement reads. */
const MAX_ROWS = 1_000_000;

interface ReadOptions {
  manager?: EntityManager;
  changedOnly?: boolean;
  /** Whether the condition holds for one id: such a statement is prepared. */
  isSingle?: boolean;
}

/** The journaled types of both kinds. */
export type JournaledTypes = Readonly<Record<TouchedKind, readonly string[]>>;

/** Reads and compares the states of posts and terms; MySQL computes the checksums itself. */
export class RecordStates {
  private readonly isMysql: boolean;
  private readonly records: Sql;

  constructor(
    private readonly database: Database,
    private readonly types: JournaledTypes,
  ) {
    this.isMysql = database.dialect === 'mysql';
    this.records = database.table('almanac_records');
  }

  /** The states of records by the condition on their id; `changedOnly` leaves out those that are as known. */
  async read(
    kind: TouchedKind,
    among: (id: Sql) => Sql,
    { manager, changedOnly = false, isSingle = false }: ReadOptions = {},
  ): Promise<ComparedState[]> {
    if (this.types[kind].length === 0) return [];
    const states = kind === 'post' ? this.posts(among(sql`p.ID`)) : this.terms(among(sql`t.term_id`));
    const statement =
      changedOnly && this.isMysql
        ? // The limit makes the server compute each checksum once.
          sql`SELECT * FROM (${states} LIMIT ${MAX_ROWS}) s WHERE knownChecksum IS NULL OR checksum <> knownChecksum OR dates <> knownDates`
        : states;
    const rows = await this.database.query<ComparedState>(statement, manager, { isPrepared: isSingle });
    if (this.isMysql) return rows;
    for (const row of rows) {
      row.checksum = hash('sha256', row.checksum).slice(0, 32);
      row.dates = row.dates && hash('sha256', row.dates).slice(0, 32);
    }
    return changedOnly ? rows.filter(isChanged) : rows;
  }

  /** Known records of a kind that no longer exist. */
  gone(kind: TouchedKind, among: (id: Sql) => Sql, manager?: EntityManager): Promise<RecordState[]> {
    const { database } = this;
    const isThere =
      kind === 'post'
        ? sql`SELECT 1 FROM ${database.table('posts')} p WHERE p.ID = r.record_id
              AND ${this.name('p.post_type')} = r.record_type AND p.post_status <> 'auto-draft'`
        : sql`SELECT 1 FROM ${database.table('term_taxonomy')} x WHERE x.term_id = r.record_id
              AND ${this.name('x.taxonomy')} = r.record_type`;
    return database.query(
      sql`SELECT r.record_type AS type, r.record_id AS id, r.slug, r.status, r.author, r.modified, r.dates, r.checksum
          FROM ${this.records} r WHERE ${inList(sql`r.record_type`, this.types[kind])} AND r.record_id > 0
          AND ${among(sql`r.record_id`)} AND NOT EXISTS (${isThere})`,
      manager,
    );
  }

  private posts(condition: Sql): Sql {
    const { database } = this;
    const table = (name: string) => database.table(name);
    const meta = this.rows(
      META_COLUMNS,
      sql`${table('postmeta')} m WHERE m.post_id = p.ID AND NOT ${inList(key('m'), VOLATILE_META)}`,
    );
    const image = this.rows(
      META_COLUMNS,
      sql`${table('postmeta')} f JOIN ${table('postmeta')} m ON m.post_id = CAST(f.meta_value AS UNSIGNED)
          WHERE f.post_id = p.ID AND ${key('f')} = '_thumbnail_id' AND ${inList(key('m'), IMAGE_META)}`,
    );
    const terms = this.rows(
      ['x.term_id', 'x.taxonomy'],
      sql`${table('term_relationships')} g JOIN ${table('term_taxonomy')} x ON x.term_taxonomy_id = g.term_taxonomy_id
          WHERE g.object_id = p.ID AND ${inList(sql`x.taxonomy`, this.types.term)}`,
    );
    const dates = this.rows(DATE_COLUMNS, sql`${table('tec_occurrences')} o WHERE o.post_id = p.ID`);
    return sql`SELECT p.ID AS id, p.post_type AS type, p.post_name AS slug, p.post_status AS status, p.post_author AS author,
        p.post_modified_gmt AS modified, ${dates} AS dates, ${this.checksum(POST_COLUMNS, meta, image, terms)} AS checksum,
        ${this.known('p.post_type')} FROM ${table('posts')} p ${this.join('p.ID', 'p.post_type')}
        WHERE ${inList(sql`p.post_type`, this.types.post)} AND p.post_status <> 'auto-draft' AND ${condition}`;
  }

  private terms(condition: Sql): Sql {
    const table = (name: string) => this.database.table(name);
    const meta = this.rows(META_COLUMNS, sql`${table('termmeta')} m WHERE m.term_id = t.term_id`);
    return sql`SELECT t.term_id AS id, x.taxonomy AS type, t.slug, '' AS status, 0 AS author, '' AS modified, '' AS dates,
        ${this.checksum(TERM_COLUMNS, meta)} AS checksum, ${this.known('x.taxonomy')}
        FROM ${table('terms')} t JOIN ${table('term_taxonomy')} x ON x.term_id = t.term_id
        ${this.join('t.term_id', 'x.taxonomy')}
        WHERE ${inList(sql`x.taxonomy`, this.types.term)} AND ${condition}`;
  }

  private join(id: string, type: string): Sql {
    return sql`LEFT JOIN ${this.records} r ON r.record_id = ${raw(id)} AND r.record_type = ${this.name(type)}`;
  }

  private known(type: string): Sql {
    return sql`r.checksum AS knownChecksum, r.dates AS knownDates, r.status AS knownStatus,
        (SELECT COUNT(*) FROM ${this.records} f WHERE f.record_id = 0 AND f.record_type = ${this.name(type)}) AS isFilled,
        (${lastEntry(this.database)}) AS head`;
  }

  /** A type's name as the journal stores it: sites have different collations. */
  private name(column: string): Sql {
    return raw(this.isMysql ? `CONVERT(${column} USING ascii) COLLATE ascii_bin` : column);
  }

  /** The checksum of columns and of texts; on SQLite their text, which is hashed later. */
  private checksum(columns: readonly string[], ...texts: Sql[]): Sql {
    const own = columns.map((column) => raw(this.isMysql ? column : `quote(${column})`));
    const parts = join([...own, ...texts], this.isMysql ? ', ' : " || ',' || ");
    // A text longer than the server allows has no checksum; the time of its change stands for it.
    return this.isMysql
      ? sql`CONVERT(COALESCE(LEFT(SHA2(CONCAT_WS(CHAR(0), ${parts}), 256), 32), '') USING ascii)`
      : parts;
  }

  /** The checksum of a set of rows in any order; on SQLite their text. */
  private rows(columns: readonly string[], from: Sql): Sql {
    if (this.isMysql) {
      const row = raw(columns.join(', '));
      const number = sql`CAST(CONV(LEFT(SHA2(CONCAT_WS(CHAR(0), ${row}), 256), 16), 16, 10) AS UNSIGNED)`;
      return sql`(SELECT CONVERT(CONCAT(COUNT(*), ' ', BIT_XOR(${number})) USING ascii) FROM ${from})`;
    }
    const row = raw(columns.map((column) => `quote(${column})`).join(" || ',' || "));
    return sql`(SELECT COALESCE(group_concat(line), '') FROM (SELECT ${row} AS line FROM ${from} ORDER BY 1))`;
  }
}

/** The key of a meta row; without `COALESCE` MariaDB would intersect two indexes for a few rows. */
const key = (alias: string): Sql => raw(`COALESCE(${alias}.meta_key, '')`);

/** The number of the last entry as `head`; within a transaction the write lock keeps it until the commit. */
export function lastEntry(database: Database): Sql {
  return sql`SELECT COALESCE(MAX(seq), 0) AS head FROM ${database.table('almanac_changes')}`;
}

export function isChanged({ checksum, dates, knownChecksum, knownDates }: ComparedState): boolean {
  return checksum !== knownChecksum || dates !== knownDates;
}
