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
const META = ['m.meta_id', 'm.meta_key', 'm.meta_value'];
// Two taxonomies may share a term: the same row twice would leave no trace in a fingerprint.
const TERM_META = ['r.term_taxonomy_id', ...META];

/**
 * Fingerprints of posts by id: of what is read of the row, its meta, its terms and their meta. Equal ones mean equal rows;
 * what does not exist has an empty one, and what is too long for one is missing. One statement; on MySQL and MariaDB only.
 */
export async function rowChecksums(database: Database, ids: readonly number[]): Promise<Map<number, string>> {
  const table = (name: string) => database.table(name);
  const taxonomy = sql`${table('term_relationships')} r
    JOIN ${table('term_taxonomy')} x ON x.term_taxonomy_id = r.term_taxonomy_id`;
  const rows = await database.query<{ id: number; print: string | null }>(
    sql`SELECT p.ID AS id, CONCAT(LEFT(SHA2(${quoted(columnsOf(database))}, 256), 32), ' ',
        (SELECT ${rowsPrint(META)} FROM ${table('postmeta')} m WHERE m.post_id = p.ID), ' ',
        (SELECT ${rowsPrint(TERM)} FROM ${taxonomy} JOIN ${table('terms')} t ON t.term_id = x.term_id WHERE r.object_id = p.ID), ' ',
        (SELECT ${rowsPrint(TERM_META)} FROM ${taxonomy} JOIN ${table('termmeta')} m ON m.term_id = x.term_id WHERE r.object_id = p.ID)
        ) AS print FROM ${table('posts')} p WHERE ${inList(sql`p.ID`, ids)}`,
  );
  const prints = new Map(ids.map((id) => [id, '']));
  for (const { id, print } of rows)
    if (print === null) prints.delete(id);
    else prints.set(id, print);
  return prints;
}

function columnsOf(database: Database): string[] {
  const unread: readonly string[] = UNREAD;
  return database.source
    .getMetadata(Post)
    .columns.filter(({ propertyName }) => !unread.includes(propertyName))
    .map(({ databaseName }) => `p.${databaseName}`);
}

/** Of a set of rows, whose order their values say; null when one is too long. */
function rowsPrint(columns: readonly string[]): Sql {
  const row = quoted(columns);
  const hash = sql`CAST(CONV(LEFT(SHA2(${row}, 256), 16), 16, 10) AS UNSIGNED)`;
  // The server makes each anew: the row itself is cheaper to count than its hash.
  return sql`IF(COUNT(*) = COUNT(${row}), CONCAT(COUNT(*), ' ', BIT_XOR(${hash})), NULL)`;
}

/** Values in one text that no other values make; null when that is longer than the server allows. */
function quoted(columns: readonly string[]): Sql {
  return raw(`CONCAT(${columns.map((column) => `QUOTE(${column})`).join(", ',', ")})`);
}
