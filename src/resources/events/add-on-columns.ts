import sql from 'sql-template-tag';
import type { EntityManager } from 'typeorm';
import type { Database } from '../../database/database.js';
import { inList } from '../../wordpress/posts/post-rows.js';

const TABLES = ['tec_events', 'tec_occurrences', 'tec_series_relationships'] as const;
const COLUMNS = ['rset', 'has_recurrence', 'sequence', 'is_rdate', 'series_post_id'];

/** What each transaction has found. */
const found = new WeakMap<EntityManager, Promise<ReadonlySet<string>>>();

/** What the premium add-on has added to the calendar's tables, such as `tec_events.rset`; read once per transaction. */
export function addOnColumns(database: Database, manager?: EntityManager): Promise<ReadonlySet<string>> {
  if (!manager) return readColumns(database);
  const known = found.get(manager) ?? readColumns(database, manager);
  found.set(manager, known);
  return known;
}

async function readColumns(database: Database, manager?: EntityManager): Promise<ReadonlySet<string>> {
  const nameOf = new Map(TABLES.map((name) => [database.nameOf(name).toLowerCase(), name]));
  const names = TABLES.map((name) => database.nameOf(name));
  const rows = await database.query<{ place: string; name: string }>(
    database.dialect === 'mysql'
      ? sql`SELECT TABLE_NAME AS place, COLUMN_NAME AS name FROM information_schema.COLUMNS
          WHERE TABLE_SCHEMA = DATABASE() AND ${inList(sql`TABLE_NAME`, names)}`
      : sql`SELECT m.name AS place, c.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) c
          WHERE m.type = 'table' AND ${inList(sql`m.name`, names)}`,
    manager,
  );
  const added = rows.filter(({ name }) => COLUMNS.includes(name.toLowerCase()));
  return new Set(added.map(({ place, name }) => `${nameOf.get(place.toLowerCase())}.${name.toLowerCase()}`));
}
