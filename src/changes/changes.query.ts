import sql, { join, type Sql } from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../database/database.js';
import { inList, isVisible } from '../wordpress/posts/post-rows.js';
import type { ListVisibility } from '../wordpress/users/list-visibility.js';
import type { Change } from './change.js';
import { lastEntry } from './record-states.query.js';

/** The entries of one record that have the same states, as one. */
export interface ChangeGroup
  extends Pick<Change, 'type' | 'id' | 'change' | 'status' | 'statusBefore' | 'author'> {
  /** The first and the last of them. */
  first: number;
  last: number;
}

type RecordKey = Pick<Change, 'type' | 'id'>;
export type KnownRecord = Pick<Change, 'id' | 'slug' | 'modified'>;
export type Tombstone = Pick<Change, 'seq' | 'slug' | 'modified'>;

/** The last entry of each record of these types that was changed after an entry, in the order of the journal. */
export async function lastEntries(
  database: Database,
  { after, types, limit }: { after: number; types: readonly string[]; limit: number },
): Promise<Change[]> {
  const isLast = sql`NOT EXISTS (SELECT 1 FROM ${changes(database)} n
      WHERE n.record_type = c.record_type AND n.record_id = c.record_id AND n.seq > c.seq)`;
  return entries(database, {
    where: sql`c.seq > ${after} AND ${inList(sql`c.record_type`, types)} AND ${isLast}`,
    limit,
  });
}

/** Entries `c` by a condition, oldest first. */
export async function entries(
  database: Database,
  { where, limit }: { where: Sql; limit: number },
): Promise<Change[]> {
  const rows = await database.query<Change>(
    sql`SELECT c.seq, c.record_type AS ${database.column('type')}, c.record_id AS id, c.change_kind AS ${database.column('change')},
          c.slug, c.status, c.status_before AS statusBefore, c.author, c.modified, c.changed_at AS changedAt, c.source
        FROM ${changes(database)} c WHERE ${where} ORDER BY c.seq LIMIT ${limit}`,
  );
  return rows.map((row) => ({ ...row, ...numbers(row, 'seq', 'id', 'author', 'changedAt') }));
}

/** The number of the last entry; 0 while there is none. Within a transaction the write lock keeps it until the commit. */
export async function headOf(database: Database, manager?: EntityManager): Promise<number> {
  const [row] = await database.query<{ head: number }>(lastEntry(database), manager);
  return Number(row?.head ?? 0);
}

/** The states that these records had in the entries after one, up to another. */
export async function statesOf(
  database: Database,
  records: readonly RecordKey[],
  { after, to }: { after: number; to: number },
): Promise<ChangeGroup[]> {
  if (records.length === 0) return [];
  const types = [...new Set(records.map(({ type }) => type))];
  const named = types.map((type) => {
    const ids = records.flatMap((one) => (one.type === type ? one.id : []));
    return sql`(c.record_type = ${type} AND ${inList(sql`c.record_id`, ids)})`;
  });
  const rows = await database.query<ChangeGroup>(
    sql`SELECT c.record_type AS ${database.column('type')}, c.record_id AS id, c.change_kind AS ${database.column('change')},
          c.status, c.status_before AS statusBefore, c.author,
          MIN(c.seq) AS ${database.column('first')}, MAX(c.seq) AS ${database.column('last')}
        FROM ${changes(database)} c WHERE c.seq > ${after} AND c.seq <= ${to} AND (${join(named, ' OR ')})
        GROUP BY c.record_type, c.record_id, c.change_kind, c.status, c.status_before, c.author`,
  );
  return rows.map((row) => ({ ...row, ...numbers(row, 'id', 'author', 'first', 'last') }));
}

/** What entries tell of their records. */
export async function tombstones(database: Database, seqs: readonly number[]): Promise<Tombstone[]> {
  if (seqs.length === 0) return [];
  const rows = await database.query<Tombstone>(
    sql`SELECT c.seq, c.slug, c.modified FROM ${changes(database)} c WHERE ${inList(sql`c.seq`, seqs)}`,
  );
  return rows.map((row) => ({ ...row, ...numbers(row, 'seq') }));
}

/** The records of a type that the journal knows, after an id; of posts those that are visible. */
export async function knownRecords(
  database: Database,
  { type, after, limit }: { type: string; after: number; limit: number },
  visibility?: ListVisibility,
): Promise<KnownRecord[]> {
  const visible = visibility && isVisible({ status: sql`r.status`, author: sql`r.author` }, visibility);
  const rows = await database.query<KnownRecord>(
    sql`SELECT r.record_id AS id, r.slug, r.modified FROM ${known(database)} r
        WHERE r.record_type = ${type} AND r.record_id > ${after} AND ${visible ?? sql`1 = 1`}
        ORDER BY r.record_id LIMIT ${limit}`,
  );
  return rows.map((row) => ({ ...row, ...numbers(row, 'id') }));
}

const changes = (database: Database): Sql => database.table('almanac_changes');
const known = (database: Database): Sql => database.table('almanac_records');

/** Numbers of columns that drivers may return as texts. */
function numbers<Row, Name extends keyof Row>(row: Row, ...names: Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, Number(row[name])])) as Record<Name, number>;
}
