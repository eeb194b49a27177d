import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../../database/database.js';
import { inList } from '../../../wordpress/posts/post-rows.js';
import { ORGANIZER } from '../../organizers/organizer-type.js';
import { VENUE } from '../../venues/venue-type.js';
import type { ComparedColumns } from '../compared-columns.js';
import { EVENT } from '../event-type.js';
import type { SetKind } from './event-sets.js';

/** The parts that are compared each by itself, the slowest first: all rows of a table, or metas of a key. */
export const INDEX_PARTS = [
  'venue',
  'organizer',
  'term_relationships',
  'posts',
  'tec_occurrences',
  'featured',
  'hidden',
] as const satisfies readonly (IndexTable | SetKind)[];
export type IndexPart = (typeof INDEX_PARTS)[number];
/** The parts that every list depends on; links to venues and organizers take as long as all of them. */
export const COMMON_PARTS = INDEX_PARTS.filter((part) => part !== 'venue' && part !== 'organizer');

/** The tables that the index is read from. */
export const INDEX_TABLES = ['posts', 'tec_occurrences', 'term_relationships', 'postmeta'] as const;
export type IndexTable = (typeof INDEX_TABLES)[number];

/** The columns of each table. */
export interface SourceRows {
  posts: { id: number; posted: string };
  tec_occurrences: {
    id: number;
    occurrence: number | string;
    startsAt: string;
    endsAt: string;
    sortsAt: string;
  };
  term_relationships: { id: number; term: number | string };
  postmeta: { id: number; kind: MetaKind; value: string | null };
}

/** A row with its checksum. */
type WithChecksum<Row> = Row & { checksum: number };

/** Reads rows of some posts, occurrences by post and id; `isBulk`: of so many that metas are found sooner by key than by post. */
type ReadRows = <Table extends IndexTable>(
  table: Table,
  ids: readonly Ids[],
  isBulk?: boolean,
) => Promise<WithChecksum<SourceRows[Table]>[]>;

/** A range of ids of posts, both ends included. */
export interface Ids {
  from: number;
  to: number;
}

/** How the rows of a table are read. */
interface Source {
  from: Sql;
  /** The index for reads of all rows. */
  by?: Sql;
  id: Sql;
  columns: Sql;
  where?: Sql;
  /** The columns that the checksum covers: all that `columns` depends on, and the id. */
  compared: readonly Sql[];
}

/** Marks these statements in the server's process list. */
const NOTE = raw('/* index of dates */');

const META_KEYS = {
  venue: VENUE.linkKey,
  organizer: ORGANIZER.linkKey,
  featured: '_tribe_featured',
  hidden: '_EventHideFromUpcoming',
};
type MetaKind = keyof typeof META_KEYS;
const isMeta = (part: IndexPart): part is MetaKind => part in META_KEYS;

/** The table of a part. */
export const tableOf = (part: IndexPart): IndexTable => (isMeta(part) ? 'postmeta' : part);
/** Characters of a value: more than an id has. */
const CHARACTERS = 20;

/** The statements that the index is read by. */
export class EventIndexSources {
  private constructor(
    private readonly database: Database,
    private readonly all: Record<IndexTable, Source>,
    /** Whether the database has an index of keys and values (docs/indexes.md). */
    readonly areValuesIndexed: boolean,
  ) {}

  /** Uses the index of meta keys, where there is one: servers would scan all metas instead. */
  static async of(database: Database, columns: ComparedColumns): Promise<EventIndexSources> {
    const all = sourcesOf(database, columns);
    if (database.dialect === 'sqlite') return new EventIndexSources(database, all, false);
    const found = await database.query<{ name: string; of: string }>(
      sql`SELECT ${NOTE} INDEX_NAME AS name, CONCAT(SEQ_IN_INDEX, ' ', COLUMN_NAME) AS ${database.column('of')}
          FROM information_schema.STATISTICS
          WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ${database.nameOf('postmeta')}
          ORDER BY INDEX_NAME = 'meta_key' DESC`,
    );
    const namesOf = (place: string) => found.filter((one) => one.of === place).map(({ name }) => name);
    const [keys, values] = [namesOf('1 meta_key'), namesOf('2 meta_value')];
    if (keys[0] !== undefined) all.postmeta.by = sql` FORCE INDEX (${database.column(keys[0])})`;
    return new EventIndexSources(
      database,
      all,
      values.some((name) => keys.includes(name)),
    );
  }

  /** The number of rows of each chunk of ids and the sum of their checksums; a chunk is an id without its last bits. */
  digests(part: IndexPart, bits: number) {
    const table = tableOf(part);
    const { from, by = empty, id, where: whole } = this.all[table];
    const where = isMeta(part) ? sql`m.meta_key = ${META_KEYS[part]}` : whole;
    const chunk = sql`${id} >> ${bits}`;
    return this.database.query<{ chunk: number | string; count: number | string; sum: number | string }>(
      sql`SELECT ${NOTE} ${chunk} AS chunk, COUNT(*) AS count, SUM(${this.checksum(table)}) AS sum
          FROM ${from}${by}${where ? sql` WHERE ${where}` : empty} GROUP BY ${chunk}`,
    );
  }

  /** Runs reads that all see the same moment. */
  atOneMoment<T>(read: (rows: ReadRows) => Promise<T>): Promise<T> {
    return this.database.readSnapshot((manager) =>
      read((table, ids, isBulk = false) => this.rowsOf(table, ids, isBulk, manager)),
    );
  }

  private rowsOf<Table extends IndexTable>(
    table: Table,
    ids: readonly Ids[],
    isBulk: boolean,
    manager?: EntityManager,
  ): Promise<WithChecksum<SourceRows[Table]>[]> {
    const { from, by = empty, id, columns, where } = this.all[table];
    const ranges = ids.map((range) => sql`${id} BETWEEN ${range.from} AND ${range.to}`);
    return this.database.query(
      sql`SELECT ${NOTE} ${id} AS id, ${columns}, ${this.checksum(table)} AS checksum
          FROM ${from}${isBulk ? by : empty} WHERE ${where ? sql`${where} AND ` : empty}(${join(ranges, ' OR ')})
          ${table === 'tec_occurrences' ? sql`ORDER BY ${id}, o.occurrence_id` : empty}`,
      manager,
    );
  }

  /** The highest id of a post, and the numbers of published events and of occurrences. */
  async size(): Promise<{ highest: number; events: number; occurrences: number }> {
    const { from, where = sql`1 = 1` } = this.all.posts;
    const [row] = await this.database.query<
      Record<'highest' | 'events' | 'occurrences', number | string | null>
    >(
      sql`SELECT ${NOTE} (SELECT MAX(ID) FROM ${this.database.table('posts')}) AS highest,
          (SELECT COUNT(*) FROM ${from} WHERE ${where}) AS events,
          (SELECT COUNT(*) FROM ${this.all.tec_occurrences.from}) AS occurrences`,
    );
    const number = (name: 'highest' | 'events' | 'occurrences') => Number(row?.[name] ?? 0);
    return { highest: number('highest'), events: number('events'), occurrences: number('occurrences') };
  }

  /**
   * CRC32 of CRC32's decimals is not linear: sums of a single CRC32 may stay the same where two rows exchange values. SQLite has no
   * such function.
   */
  private checksum(table: IndexTable): Sql {
    if (this.database.dialect === 'sqlite') return sql`0`;
    return sql`CRC32(CRC32(CONCAT_WS(',', ${join(this.all[table].compared)})))`;
  }
}

function sourcesOf(database: Database, { start, end, order }: ComparedColumns): Record<IndexTable, Source> {
  const kinds = Object.entries(META_KEYS).map(([kind, key]) => sql`WHEN m.meta_key = ${key} THEN ${kind}`);
  const value = sql`SUBSTR(m.meta_value, 1, ${CHARACTERS})`;
  const dates = new Map([start, end, order].map((column) => [column.sql, column]));
  return {
    posts: {
      from: sql`${database.table('posts')} p`,
      id: sql`p.ID`,
      columns: sql`p.post_date AS posted`,
      where: sql`p.post_type = ${EVENT.type} AND p.post_status = 'publish'`,
      compared: [sql`p.ID`, sql`p.post_date`],
    },
    tec_occurrences: {
      from: sql`${database.table('tec_occurrences')} o`,
      id: sql`o.post_id`,
      columns: sql`o.occurrence_id AS occurrence, ${start} AS startsAt, ${end} AS endsAt, ${order} AS sortsAt`,
      compared: [sql`o.post_id`, sql`o.occurrence_id`, ...dates.values()],
    },
    term_relationships: {
      from: sql`${database.table('term_relationships')} r`,
      id: sql`r.object_id`,
      columns: sql`r.term_taxonomy_id AS term`,
      compared: [sql`r.object_id`, sql`r.term_taxonomy_id`],
    },
    postmeta: {
      from: sql`${database.table('postmeta')} m`,
      id: sql`m.post_id`,
      columns: sql`CASE ${join(kinds, ' ')} END AS kind, ${value} AS value`,
      where: inList(sql`m.meta_key`, Object.values(META_KEYS)),
      compared: [sql`m.post_id`, sql`m.meta_key`, value],
    },
  };
}
