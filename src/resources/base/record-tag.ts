import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../database/database.js';
import type { RequestContext } from '../../http/request-context.js';
import { entityTagOf, withEntityTag } from '../../http/safe-writes/entity-tag.js';
import type { PostRecord } from '../../wordpress/posts/post-record.js';
import { inList, metaIn, metaOf } from '../../wordpress/posts/post-rows.js';
import type { PostsService } from '../../wordpress/posts/posts.service.js';
import type { TermRecord } from '../../wordpress/terms/term-record.js';

/** Meta that WordPress's own editor writes when somebody only opens a record. */
const BOOKKEEPING = new Set(['_edit_lock', '_edit_last']);

/** A row of meta, or a term or date of a post. */
interface RelatedRow {
  owner: number | string;
  kind: 'meta' | 'term' | 'date';
  id: number | string;
  name: string | null;
  value: string | null;
}

/** The meta, the ids of the terms and the dates of posts; values of dates are in hexadecimal, whose collation fits all. */
const RELATED = {
  meta: (database: Database, ids: readonly number[]) =>
    sql`SELECT m.post_id AS owner, 'meta' AS kind, m.meta_id AS id, m.meta_key AS name, m.meta_value AS value
        FROM ${database.table('postmeta')} m WHERE ${inList(sql`m.post_id`, ids)}`,
  others: (database: Database, ids: readonly number[]) =>
    sql`SELECT r.object_id AS owner, 'term' AS kind, r.term_taxonomy_id AS id, '' AS name, '' AS value
        FROM ${database.table('term_relationships')} r WHERE ${inList(sql`r.object_id`, ids)}
        UNION ALL SELECT o.post_id, 'date', o.occurrence_id, HEX(o.start_date), HEX(o.end_date)
        FROM ${database.table('tec_occurrences')} o WHERE ${inList(sql`o.post_id`, ids)}`,
};

/** Loads posts for a caller who may write, with what their tags need, by as many statements as without. */
export async function loadWithRelations(
  database: Database,
  posts: PostsService,
  ids: readonly number[],
): Promise<PostRecord[]> {
  if (ids.length === 0) return [];
  const [rows, related] = await Promise.all([
    posts.rows(ids),
    database.query<RelatedRow>(
      sql`${RELATED.meta(database, ids)} UNION ALL ${RELATED.others(database, ids)}`,
    ),
  ]);
  const byOwner = new Map(rows.map((row): [number, RelatedRow[]] => [row.id, []]));
  for (const one of related.toSorted(byId)) byOwner.get(Number(one.owner))?.push(one);
  return rows.map((row) => {
    const own = byOwner.get(row.id) ?? [];
    const meta = own.flatMap(({ kind, name: key, value }) => (kind === 'meta' ? { key, value } : []));
    return { meta: metaIn(meta), relations: relationsOf(own), ...row };
  });
}

/**
 * The entity tag of a post, for any reader: of its row, its meta, the ids of its terms, and the dates of an event. Linked
 * records and the names of terms do not count.
 */
export async function postTag(
  database: Database,
  { meta, metaRows: _metaRows, entry: _entry, relations, ...row }: PostRecord,
  manager?: EntityManager,
): Promise<string> {
  const others =
    relations ??
    relationsOf(
      (await database.query<RelatedRow>(RELATED.others(database, [row.id]), manager)).toSorted(byId),
    );
  return entityTagOf([row, [...meta].filter(([key]) => !BOOKKEEPING.has(key)), others]);
}

const byId = (a: RelatedRow, b: RelatedRow) => Number(a.id) - Number(b.id);

const relationsOf = (rows: readonly RelatedRow[]): readonly string[] =>
  rows
    .flatMap(({ kind, id, name, value }) => (kind === 'meta' ? [] : `${kind} ${Number(id)} ${name} ${value}`))
    .toSorted();

/** The entity tag of a term: of its row and its meta. How many posts have it does not count. */
export async function termTag(
  database: Database,
  { id, taxonomy }: Pick<TermRecord, 'id' | 'taxonomy'>,
  manager?: EntityManager,
): Promise<string> {
  const rows = await database.query<object>(
    sql`SELECT t.name, t.slug, x.description, x.parent FROM ${database.table('terms')} t
        JOIN ${database.table('term_taxonomy')} x ON x.term_id = t.term_id
        WHERE t.term_id = ${id} AND x.taxonomy = ${taxonomy}`,
    manager,
  );
  const meta = (await metaOf(database, 'term', [id], { manager })).get(id) ?? [];
  return entityTagOf([rows, [...meta]]);
}

/** Adds the tag to the JSON of a term for callers who may write; it is read before the term, so that it is never newer. */
export async function withTermTag<T extends object>(
  database: Database,
  term: Pick<TermRecord, 'id' | 'taxonomy'>,
  { access }: RequestContext,
  show: () => Promise<T>,
): Promise<T> {
  const tag = access.mayManageTerms(term.taxonomy) ? await termTag(database, term) : undefined;
  return withEntityTag(await show(), tag);
}
