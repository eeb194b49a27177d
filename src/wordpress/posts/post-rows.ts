import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../database/database.js';
import { dialectOf, forUpdate } from '../../database/dialect.js';
import { executeStatement } from '../../database/execute-statement.js';
import { textOf } from '../../lib/wordpress-text/php-serialize.js';
import type { ListVisibility, StatusSet } from '../users/list-visibility.js';
import { Post, PostMeta } from './post.entity.js';
import { type MetaMap, UNREAD } from './post-record.js';

type MetaKind = 'post' | 'term';

/** The columns of a `PostRow`, from `posts p`. */
export function postColumns(database: Database): Sql {
  return database.columns(Post, 'p', UNREAD);
}

/** The meta of posts or terms by id and key, in row order, optionally of some keys only; at most one statement. */
export async function metaOf(
  database: Database,
  kind: MetaKind,
  ids: readonly number[],
  { keys, manager }: { keys?: readonly string[]; manager?: EntityManager } = {},
): Promise<Map<number, Map<string, string[]>>> {
  const all = new Map<number, Map<string, string[]>>();
  if (ids.length === 0) return all;
  const [table, id] = metaTable(database, kind);
  const among = keys ? sql` AND ${inList(sql`m.meta_key`, keys)}` : empty;
  const rows = await database.query<{ id: number; name: string | null; value: string | null }>(
    sql`SELECT m.${id} AS id, m.meta_key AS name, m.meta_value AS value
        FROM ${table} m WHERE ${inList(sql`m.${id}`, ids)}${among} ORDER BY m.${id}, m.meta_id`,
    manager,
  );
  for (const { id: owner, name, value } of rows) {
    if (name === null) continue;
    const own = all.get(owner) ?? new Map<string, string[]>();
    all.set(owner, own);
    addTo(own, name, value);
  }
  return all;
}

/** Reads and locks the meta rows of a post, in order, before a change. */
export function metaRowsOf({ connection, queryRunner }: EntityManager, postId: number): Promise<PostMeta[]> {
  const { tablePath } = connection.getMetadata(PostMeta);
  const [key, table] = ['key', tablePath].map((name) => raw(connection.driver.escape(name)));
  const rows = sql`SELECT meta_id AS id, post_id AS postId, meta_key AS ${key}, meta_value AS value
      FROM ${table} WHERE post_id = ${postId} ORDER BY meta_id${forUpdate(dialectOf(connection))}`;
  return executeStatement(connection, rows, queryRunner);
}

export function metaIn(rows: readonly PostMeta[]): MetaMap {
  const all = new Map<string, string[]>();
  for (const { key, value } of rows) if (key !== null) addTo(all, key, value);
  return all;
}

function addTo(all: Map<string, string[]>, key: string, value: string | null): void {
  const values = all.get(key);
  const text = textOf(value ?? '');
  if (values) values.push(text);
  else all.set(key, [text]);
}

/** The condition that a post `p` or a term `t` has a row of the meta key, optionally with one of the values. */
export function hasMeta(database: Database, kind: MetaKind, key: string, values?: readonly string[]): Sql {
  return hasMetaWhere(database, kind, key, values && inList(sql`m.meta_value`, values));
}

/** The same for a row `m` of which a condition holds. */
export function hasMetaWhere(database: Database, kind: MetaKind, key: string, condition?: Sql): Sql {
  const [table, id] = metaTable(database, kind);
  const owner = kind === 'term' ? sql`t.term_id` : sql`p.ID`;
  const holds = condition ? sql` AND ${condition}` : empty;
  return sql`EXISTS (SELECT 1 FROM ${table} m WHERE m.${id} = ${owner} AND m.meta_key = ${key}${holds})`;
}

/** Selects the posts that have a row `m` of the meta key of which a condition holds. */
export function metaOwners(database: Database, key: string, condition?: Sql): Sql {
  const holds = condition ? sql` AND ${condition}` : empty;
  // MariaDB would read a plain column in the order of its index, through all metas.
  return sql`SELECT DISTINCT m.post_id + 0 AS post_id FROM ${database.table('postmeta')} m WHERE m.meta_key = ${key}${holds}`;
}

/** The condition that a post `p` has one of the terms, by `term_taxonomy_id`. */
export const hasTerm = (database: Database, termTaxonomyIds: readonly number[]): Sql =>
  sql`EXISTS (SELECT 1 FROM ${database.table('term_relationships')} r
    WHERE r.object_id = p.ID AND ${inList(sql`r.term_taxonomy_id`, termTaxonomyIds)})`;

/** The condition that a post `p` lacks a rare meta key; the hint makes MySQL read the few ids once. */
export function lacksRareMeta(database: Database, key: string): Sql {
  return sql`p.ID NOT IN (SELECT /*+ SUBQUERY(MATERIALIZATION) */ m.post_id
    FROM ${database.table('postmeta')} m WHERE m.meta_key = ${key})`;
}

const metaTable = (database: Database, kind: MetaKind) =>
  [database.table(`${kind}meta`), database.column(`${kind}_id`)] as const;

/** `column IN (…)`, false for an empty list. */
export function inList(column: Sql, values: readonly (string | number)[]): Sql {
  return values.length === 0 ? sql`1 = 0` : sql`${column} IN (${join([...values])})`;
}

/** A `LIKE` pattern for texts that contain this one literally; requires `ESCAPE '|'`. */
export function containing(text: string): string {
  return `%${text.replace(/[|%_]/g, '|$&')}%`;
}

/** The condition that posts of an alias are visible. */
export function within(posts: Sql, { anyAuthor, own }: ListVisibility): Sql {
  const status = sql`${posts}.post_status`;
  const ofAnyAuthor = withStatus(status, anyAuthor);
  if (!own) return ofAnyAuthor;
  return sql`(${ofAnyAuthor} OR (${posts}.post_author = ${own.authorId} AND ${withStatus(status, own.statuses)}))`;
}

/** The condition that content is accessible: no password (`0` is none), the sent one, or editable. */
export function openedBy(password: unknown, editable: ListVisibility): Sql {
  const matches =
    typeof password === 'string'
      ? sql` OR HEX(p.post_password) = ${Buffer.from(password).toString('hex').toUpperCase()}`
      : empty;
  return sql`(p.post_password IN ('', '0')${matches} OR ${within(sql`p`, editable)})`;
}

function withStatus(column: Sql, set: StatusSet): Sql {
  return 'only' in set ? inList(column, set.only) : sql`NOT (${inList(column, set.allBut)})`;
}
