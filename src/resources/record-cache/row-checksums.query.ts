import sql, { raw, type Sql } from 'sql-template-tag';
import type { Database } from '../../database/database.js';
import { Post } from '../../wordpress/posts/post.entity.js';
import { UNREAD } from '../../wordpress/posts/post-record.js';
import { inList } from '../../wordpress/posts/post-rows.js';

const TERM = [
  'r.term_taxonomy_id',
  'x.taxonomy',
  'x.description',
  'x.parent',
  'x.count',
  't.term_id',
  't.name',
  't.slug',
  't.term_group',
];
const OCCURRENCE = ['o.occurrence_id', 'o.start_date', 'o.end_date', 'o.start_date_utc', 'o.end_date_utc'];
const META = ['m.meta_id', 'm.meta_key', 'm.meta_value'];
// Two taxonomies may share a term: the same row twice would cancel itself out of the checksum.
const TERM_META = ['r.term_taxonomy_id', ...META];

/**
 * Checksums of posts by id: of the columns that are read, the meta, the terms with their meta, and the dates of events. Equal checksums mean equal rows;
 * a post that does not exist has an empty one, one that is too long has none. One statement, on MySQL and MariaDB only.
 */
export async function rowChecksums(database: Database, ids: readonly number[]): Promise<Map<number, string>> {
  const table = (name: string) => database.table(name);
  const taxonomy = sql`${table('term_relationships')} r
    JOIN ${table('term_taxonomy')} x ON x.term_taxonomy_id = r.term_taxonomy_id`;
  const rows = await database.query<{ id: number; checksum: string | null }>(
    sql`SELECT p.ID AS id, CONCAT(LEFT(SHA2(${quoted(columnsOf(database))}, 256), 32), ' ',
        (SELECT ${rowsChecksum(META)} FROM ${table('postmeta')} m WHERE m.post_id = p.ID), ' ',
        (SELECT ${rowsChecksum(TERM)} FROM ${taxonomy} JOIN ${table('terms')} t ON t.term_id = x.term_id WHERE r.object_id = p.ID), ' ',
        (SELECT ${rowsChecksum(TERM_META)} FROM ${taxonomy} JOIN ${table('termmeta')} m ON m.term_id = x.term_id WHERE r.object_id = p.ID), ' ',
        (SELECT ${rowsChecksum(OCCURRENCE)} FROM ${table('tec_occurrences')} o WHERE o.post_id = p.ID)
        ) AS checksum FROM ${table('posts')} p WHERE ${inList(sql`p.ID`, ids)}`,
  );
  const checksums = new Map(ids.map((id) => [id, '']));
  for (const { id, checksum } of rows)
    if (checksum === null) checksums.delete(id);
    else checksums.set(id, checksum);
  return checksums;
}

function columnsOf(database: Database): string[] {
  const unread: readonly string[] = UNREAD;
  return database.source
    .getMetadata(Post)
    .columns.filter(({ propertyName }) => !unread.includes(propertyName))
    .map(({ databaseName }) => `p.${databaseName}`);
}

/** The checksum of a set of rows in any order; null when one is too long. */
function rowsChecksum(columns: readonly string[]): Sql {
  const row = quoted(columns);
  const hash = sql`CAST(CONV(LEFT(SHA2(${row}, 256), 16), 16, 10) AS UNSIGNED)`;
  // The server evaluates each expression anew: the row is cheaper to count than its hash.
  return sql`IF(COUNT(*) = COUNT(${row}), CONCAT(COUNT(*), ' ', BIT_XOR(${hash})), NULL)`;
}

/** An unambiguous text of some values; null when it is longer than the server allows. */
function quoted(columns: readonly string[]): Sql {
  return raw(`CONCAT(${columns.map((column) => `QUOTE(${column})`).join(", ',', ")})`);
}
