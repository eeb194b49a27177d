import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { Database } from '../../database/database.js';
import { containing } from '../posts/post-rows.js';
import { CHUNK } from './chunk-words.js';
import type { IndexedPost } from './text-index.js';

/** Tells whoever looks at the server's statements what these are for. */
const NOTE = raw('/* search filter */');
/** Bytes of texts that are read; of longer ones nothing is. */
const MAX_LENGTH = 32_768;
/** Collations that compare by nothing but weights of single characters, wherever there is no other level. */
const PLAIN = /^utf8mb4_(?!.*_as_)\w+_(ci|bin)$|^utf8mb4_bin$/;

const COLUMNS = ['p.post_title', 'p.post_excerpt', 'p.post_content'] as const;
const BYTES = raw(COLUMNS.map((column) => `LENGTH(${column})`).join(' + '));
/** What a column adds to a post's print: what is no text at all is neither an empty one nor makes the whole print nothing. */
const PRINT_OF = (column: string, at: number) => `${2 * at + 1} * IFNULL(CRC32(${column}), 1)`;
/** Of one post: which text changes with which other, in the same chunk, has next to no chance to leave the sum the same. */
const PRINT = raw(`(${[...COLUMNS, 'p.post_password'].map(PRINT_OF).join(' + ')}) * (p.ID % ${CHUNK} + 1)`);

/** What is compared before texts are read again. */
export interface TextPrints {
  /** By chunk of ids. */
  prints: Map<number, string>;
  posts: number;
  /** Of all texts. */
  bytes: number;
}

/** A post's texts, which are null where they are too long, and its fingerprint. */
export interface PostTexts extends IndexedPost {
  print: number;
}

/** The collation by which title, excerpt and content are compared; undefined where they differ, or it is not known how it compares. */
export async function textCollation(database: Database): Promise<string | undefined> {
  const columns = COLUMNS.map((column, at) => raw(`COLLATION(${column}) AS c${at}`));
  const [row = {}] = await database.query<Record<string, string>>(
    sql`SELECT ${NOTE} ${join(columns)}, @@SESSION.character_set_connection AS session FROM ${database.table('posts')} p LIMIT 1`,
  );
  const { session, ...collations } = row;
  // Where the server takes bytes for characters, its comparisons are of bytes, which nothing here knows of.
  if (session !== 'utf8mb4') return undefined;
  const [collation = '', ...others] = new Set(Object.values(collations));
  return others.length === 0 && PLAIN.test(collation) ? collation : undefined;
}

/** Fingerprints of the texts of all posts of a type. */
export async function textPrints(database: Database, type: string): Promise<TextPrints> {
  const rows = await database.query<Record<'chunk' | 'posts' | 'print' | 'bytes', number | string>>(
    sql`SELECT ${NOTE} p.ID DIV ${CHUNK} AS chunk, COUNT(*) AS posts, SUM(${PRINT}) AS print, SUM(${BYTES}) AS bytes
        FROM ${database.table('posts')} p WHERE p.post_type = ${type} GROUP BY chunk`,
  );
  const read = { prints: new Map<number, string>(), posts: 0, bytes: 0 };
  for (const { chunk, posts, print, bytes } of rows) {
    read.prints.set(Number(chunk), chunkPrint(Number(posts), Number(print)));
    read.posts += Number(posts);
    read.bytes += Number(bytes);
  }
  return read;
}

/** The fingerprint of a chunk: how many posts, and the sum of their prints, which is exact. */
export const chunkPrint = (posts: number, print: number): string => `${posts} ${print}`;

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
    Record<'id' | 'print' | 'open', number> & Record<'t0' | 't1' | 't2', string | null>
  >(
    sql`SELECT ${NOTE} p.ID AS id, ${PRINT} AS print, p.post_password = '' AS open, ${join(texts)} FROM ${database.table('posts')} p
        WHERE p.post_type = ${type} AND (${join(ranges, ' OR ')})`,
  );
  return rows.map(({ id, print, open, t0, t1, t2 }) => ({
    id: Number(id),
    print: Number(print),
    isOpen: Number(open) === 1,
    texts: t0 === null || t1 === null || t2 === null ? null : [t0, t1, t2],
  }));
}

/**
 * The weights of characters: `LIKE` compares texts character by character, and takes none for the same one whose weights differ.
 * Neither several characters that weigh as much as one nor such as weigh nothing are the same to it as others.
 */
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

/** Whether `LIKE` takes characters for the same one as others that weigh as much, by code point: by most collations not those that these do not know. */
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

function each<Row>(
  database: Database,
  codes: readonly number[],
  what: (code: number) => Sql,
): Promise<Row[]> {
  return database.query(
    join(
      codes.map((code) => sql`SELECT ${code} AS code, ${what(code)}`),
      ' UNION ALL ',
    ),
  );
}
