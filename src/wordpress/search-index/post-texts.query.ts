import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Database } from '../../database/database.js';
import { containing } from '../posts/post-rows.js';
import { CHUNK } from './chunk-words.js';
import type { IndexedPost } from './text-index.js';

/** Marks these statements in the server's process list. */
const NOTE = raw('/* search filter */');
/** Longer texts of a post, in bytes, are not indexed. */
const MAX_LENGTH = 32_768;
/** Collations that compare by nothing but weights of single characters, wherever there is no other level. */
const PLAIN = /^utf8mb4_(?!.*_as_)\w+_(ci|bin)$|^utf8mb4_bin$/;

const COLUMNS = ['p.post_title', 'p.post_excerpt', 'p.post_content'] as const;
const BYTES = raw(COLUMNS.map((column) => `LENGTH(${column})`).join(' + '));
/** What a column adds to a post's checksum: what is no text at all is neither an empty one nor makes the whole print nothing. */
const CHECKSUM_OF = (column: string, at: number) => `${2 * at + 1} * IFNULL(CRC32(${column}), 1)`;
/** The checksum of one post: by its factor the sum of a chunk changes even where posts exchange texts. */
const CHECKSUM = raw(
  `(${[...COLUMNS, 'p.post_password'].map(CHECKSUM_OF).join(' + ')}) * (p.ID % ${CHUNK} + 1)`,
);

interface TextChecksums {
  /** By chunk of ids. */
  checksums: Map<number, string>;
  posts: number;
  /** Of all texts. */
  bytes: number;
}

/** A post's texts, which are null where they are too long, with their checksum. */
export interface PostTexts extends IndexedPost {
  checksum: number;
}

/** The collation of title, excerpt and content; undefined where they differ, or its comparison is unknown. */
export async function textCollation(database: Database): Promise<string | undefined> {
  const columns = COLUMNS.map((column, at) => raw(`COLLATION(${column}) AS c${at}`));
  const [row = {}] = await database.query<Record<string, string>>(
    sql`SELECT ${NOTE} ${join(columns)}, @@SESSION.character_set_connection AS session FROM ${database.table('posts')} p LIMIT 1`,
  );
  const { session, ...collations } = row;
  // Otherwise the server compares bytes instead of characters.
  if (session !== 'utf8mb4') return undefined;
  const [collation = '', ...others] = new Set(Object.values(collations));
  return others.length === 0 && PLAIN.test(collation) ? collation : undefined;
}

/** The checksums of the texts of all posts of a type. */
export async function textChecksums(database: Database, type: string): Promise<TextChecksums> {
  const rows = await database.query<Record<'chunk' | 'posts' | 'checksum' | 'bytes', number | string>>(
    sql`SELECT ${NOTE} p.ID DIV ${CHUNK} AS chunk, COUNT(*) AS posts, SUM(${CHECKSUM}) AS checksum, SUM(${BYTES}) AS bytes
        FROM ${database.table('posts')} p WHERE p.post_type = ${type} GROUP BY chunk`,
  );
  const read = { checksums: new Map<number, string>(), posts: 0, bytes: 0 };
  for (const { chunk, posts, checksum, bytes } of rows) {
    read.checksums.set(Number(chunk), chunkChecksum(Number(posts), Number(checksum)));
    read.posts += Number(posts);
    read.bytes += Number(bytes);
  }
  return read;
}

/** The checksum of a chunk: the number of posts, and the exact sum of their checksums. */
export const chunkChecksum = (posts: number, checksum: number): string => `${posts} ${checksum}`;

/** The texts of all posts in some chunks, by id. */
export async function readTexts(
  database: Database,
  type: string,
  chunks: readonly number[],
): Promise<PostTexts[]> {
  const ranges = chunks.map((chunk) => sql`p.ID BETWEEN ${chunk * CHUNK} AND ${chunk * CHUNK + CHUNK - 1}`);
  const texts = COLUMNS.map((column, at) =>
    raw(`IF(${BYTES.sql} > ${MAX_LENGTH}, NULL, ${column}) AS t${at}`),
  );
  const rows = await database.query<
    Record<'id' | 'checksum' | 'open', number> & Record<'t0' | 't1' | 't2', string | null>
  >(
    sql`SELECT ${NOTE} p.ID AS id, ${CHECKSUM} AS checksum, p.post_password = '' AS open, ${join(texts)} FROM ${database.table('posts')} p
        WHERE p.post_type = ${type} AND (${join(ranges, ' OR ')})`,
  );
  return rows.map(({ id, checksum, open, t0, t1, t2 }) => ({
    id: Number(id),
    checksum: Number(checksum),
    isOpen: Number(open) === 1,
    texts: t0 === null || t1 === null || t2 === null ? null : [t0, t1, t2],
  }));
}

/** The weights of characters; `LIKE` compares one by one and never equates different weights. */
export function characterWeights(
  database: Database,
  collation: string,
  codes: readonly number[],
): Promise<{ code: number; weight: string | null }[]> {
  return each(
    database,
    codes,
    (code) => sql`HEX(WEIGHT_STRING(${character(code)} COLLATE ${raw(collation)})) AS weight`,
  );
}

/** Whether `LIKE` treats characters, by code point, as equal to others of the same weight: by most collations not those that these do not define. */
export function sameCharacters(
  database: Database,
  collation: string,
  others: ReadonlyMap<number, number>,
): Promise<{ code: number; same: number | string }[]> {
  return each(database, [...others.keys()], (code) => {
    const other = character(others.get(code) ?? code);
    return sql`${character(code)} COLLATE ${raw(collation)} LIKE ${containing(other)} ESCAPE '|' AS same`;
  });
}

const character = (code: number): string => String.fromCodePoint(code);

function each<Row>(database: Database, codes: readonly number[], what: (code: number) => Sql) {
  const selects = codes.map((code) => sql`SELECT ${code} AS code, ${what(code)}`);
  return database.query<Row>(join(selects, ' UNION ALL '));
}
