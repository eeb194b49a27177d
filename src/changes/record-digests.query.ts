import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../database/database.js';
import type { TableSnapshot } from '../database/table-versions.service.js';
import { inList } from '../wordpress/posts/post-rows.js';
import {
  DATE_COLUMNS,
  IMAGE_META,
  type JournaledTypes,
  META_COLUMNS,
  POST_COLUMNS,
  TERM_COLUMNS,
} from './record-states.query.js';

/** Rows that are compared together: those of posts, of terms, and of the images of posts. */
export type DigestKind = 'post' | 'term' | 'image';

/** A chunk is an id without its last bits. */
const CHUNK_BITS = 6;
/** Keys of a table that one statement reads, and the maximum of statements for a table. */
const SLICE = 200_000;
const MAX_SLICES = 64;

/** Rows by chunk: their number, and the exclusive or of their checksums. */
type Digests = Map<number, { count: number; digest: number }>;

/** How the rows of a table are read. */
interface Source {
  /** The tables that the rows depend on; none where each pass reads them. */
  tables: readonly string[];
  from: Sql;
  where?: Sql;
  /** The column that slices are made by, the first one of an index. */
  key: Sql;
  id: Sql;
  columns: readonly string[];
}

export const chunkOf = (id: number): number => Math.floor(id / 2 ** CHUNK_BITS);

/** Whether an id is in one of these chunks. */
export function isInChunks(id: Sql, chunks: readonly number[]): Sql {
  const size = 2 ** CHUNK_BITS;
  const ranges = chunks.map((chunk) => sql`${id} BETWEEN ${chunk * size} AND ${chunk * size + size - 1}`);
  return sql`(${join(ranges, ' OR ')})`;
}

/** Reads cheap checksums of all rows that records are made of, and of their known states, by chunks of ids. */
export class RecordDigests {
  /** Whether the database computes checksums; SQLite has no such function. */
  readonly areComparable: boolean;
  private readonly sources: Record<DigestKind, readonly Source[]>;
  private readonly lastRead = new Map<Source, { version?: number; digests: Digests }>();

  constructor(
    private readonly database: Database,
    types: JournaledTypes,
  ) {
    this.areComparable = database.dialect === 'mysql';
    this.sources = sourcesOf(database, types);
  }

  /** Reads the tables that have changed since the last time, slice by slice; returns the digest of each chunk. */
  async *all(kind: DigestKind, versions?: TableSnapshot): AsyncGenerator<void, Map<number, string>> {
    const found: Digests[] = [];
    for (const source of this.sources[kind]) {
      const version = source.tables.length > 0 ? versions?.version(...source.tables) : undefined;
      const last = this.lastRead.get(source);
      let digests = last?.digests;
      if (!digests || version === undefined || last?.version !== version) {
        digests = yield* this.slices(source);
        this.lastRead.set(source, { version, digests });
      }
      found.push(digests);
    }
    return textOf(kind, found);
  }

  /** The digests of some chunks. */
  async ofChunks(
    kind: DigestKind,
    chunks: readonly number[],
    manager?: EntityManager,
  ): Promise<Map<number, string>> {
    const sources = this.sources[kind];
    const rows = await this.query(
      sources.map((source) => ({ source, where: isInChunks(source.id, chunks) })),
      manager,
    );
    const found = sources.map((): Digests => new Map());
    for (const { source, chunk, ...digest } of rows) found[source]?.set(chunk, digest);
    return textOf(kind, found);
  }

  private async *slices(source: Source): AsyncGenerator<void, Digests> {
    const { from, key } = source;
    const [row] = await this.database.query<{ least: number | null; most: number | null }>(
      sql`SELECT MIN(${key}) AS least, MAX(${key}) AS most FROM ${from}`,
    );
    const [least, most] = [Number(row?.least ?? 0), Number(row?.most ?? 0)];
    const size = Math.max(SLICE, Math.ceil((most - least + 1) / MAX_SLICES));
    const all: Digests = new Map();
    for (let at = least; at <= most; at += size) {
      // Rows that are added meanwhile belong to the last slice.
      const where = at + size > most ? sql`${key} >= ${at}` : sql`${key} >= ${at} AND ${key} < ${at + size}`;
      for (const { chunk, count, digest } of await this.query([{ source, where }])) {
        const before = all.get(chunk);
        all.set(chunk, {
          count: count + (before?.count ?? 0),
          digest: (digest ^ (before?.digest ?? 0)) >>> 0,
        });
      }
      yield;
    }
    return all;
  }

  private async query(parts: readonly { source: Source; where: Sql }[], manager?: EntityManager) {
    const statements = parts.map(({ source: { from, where: whole, id, columns }, where }, at) => {
      // A checksum of a checksum's decimals: those of rows that change alike do not cancel each other.
      const digest = this.areComparable
        ? raw(`BIT_XOR(CRC32(CRC32(CONCAT_WS(CHAR(0), ${columns.join(', ')}))))`)
        : raw('0');
      return sql`SELECT ${at} AS source, ${id} >> ${CHUNK_BITS} AS chunk, COUNT(*) AS count, ${digest} AS digest
          FROM ${from} WHERE ${whole ? sql`${whole} AND ${where}` : where} GROUP BY chunk`;
    });
    const rows = await this.database.query<Record<'source' | 'chunk' | 'count' | 'digest', number | string>>(
      join(statements, ' UNION ALL '),
      manager,
    );
    return rows.map(({ source, chunk, count, digest }) => ({
      source: Number(source),
      chunk: Number(chunk),
      count: Number(count),
      digest: Number(digest),
    }));
  }
}

/** Digests of several tables as one text for each chunk with records, present or known ones. */
function textOf(kind: DigestKind, found: readonly Digests[]): Map<number, string> {
  const [records = new Map(), known = new Map()] = found;
  const chunks = kind === 'image' ? records.keys() : new Set([...records.keys(), ...known.keys()]);
  return new Map(
    [...chunks].map((chunk): [number, string] => [
      chunk,
      found
        .map((digests) => digests.get(chunk))
        .map((one) => `${one?.count} ${one?.digest}`)
        .join(),
    ]),
  );
}

/** The tables of each kind: first those that hold its records, then their known states. */
function sourcesOf(database: Database, types: JournaledTypes): Record<DigestKind, readonly Source[]> {
  const table = (name: string, alias: string) => sql`${database.table(name)} ${raw(alias)}`;
  const known = (kind: 'post' | 'term'): Source => ({
    tables: [],
    from: table('almanac_records', 'r'),
    where: inList(sql`r.record_type`, types[kind]),
    key: sql`r.record_id`,
    id: sql`r.record_id`,
    columns: ['r.record_id', 'r.record_type', 'r.dates', 'r.checksum'],
  });
  const meta = (name: 'postmeta' | 'termmeta', id: string): Source => ({
    tables: [name],
    from: table(name, 'm'),
    key: sql`m.meta_id`,
    id: raw(id),
    columns: [id, ...META_COLUMNS],
  });
  const postMeta = meta('postmeta', 'm.post_id');
  return {
    post: [
      {
        tables: ['posts'],
        from: table('posts', 'p'),
        where: inList(sql`p.post_type`, types.post),
        key: sql`p.ID`,
        id: sql`p.ID`,
        columns: ['p.ID', 'p.post_type', ...POST_COLUMNS],
      },
      known('post'),
      postMeta,
      {
        tables: ['tec_occurrences'],
        from: table('tec_occurrences', 'o'),
        key: sql`o.occurrence_id`,
        id: sql`o.post_id`,
        columns: ['o.post_id', ...DATE_COLUMNS],
      },
      {
        tables: ['term_relationships', 'term_taxonomy'],
        from: sql`${table('term_relationships', 'g')} JOIN ${table('term_taxonomy', 'x')} ON x.term_taxonomy_id = g.term_taxonomy_id`,
        key: sql`g.object_id`,
        id: sql`g.object_id`,
        columns: ['g.object_id', 'x.term_id', 'x.taxonomy'],
      },
    ],
    term: [
      {
        tables: ['terms', 'term_taxonomy'],
        from: sql`${table('terms', 't')} JOIN ${table('term_taxonomy', 'x')} ON x.term_id = t.term_id`,
        where: inList(sql`x.taxonomy`, types.term),
        key: sql`t.term_id`,
        id: sql`t.term_id`,
        columns: ['t.term_id', 'x.taxonomy', ...TERM_COLUMNS],
      },
      known('term'),
      meta('termmeta', 'm.term_id'),
    ],
    image: [{ ...postMeta, where: inList(sql`m.meta_key`, IMAGE_META) }],
  };
}
