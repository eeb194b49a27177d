import sql, { join, raw } from 'sql-template-tag';
import type { Database } from './database.js';

/** Where open transactions are shown, one that was not seen is looked for so many seconds after the last time. */
const LONG = 16;

/** Whether transactions, whose times are the server's own, are shown to us; a list of all users' rights, where that is shown, has ours in its midst. */
const SEES_TRANSACTIONS =
  raw(`EXISTS (SELECT 1 FROM information_schema.USER_PRIVILEGES WHERE PRIVILEGE_TYPE = 'PROCESS'
  AND GRANTEE = CONCAT('''', REPLACE(CURRENT_USER(), '@', '''@'''), ''''))`);

/** When a table last changed, as the server says. */
export interface TableTime {
  name: string;
  engine: string | null;
  /** Epoch seconds; null when the server has not seen it change since it started. */
  changedAt: number | null;
  /** Moves with what leaves no time: a table that was emptied, or put in the place of another. */
  shape?: string;
  recent: number;
  /** The server's clock, in epoch seconds. */
  now: number;
  /** What the server calls itself. */
  server?: string;
  /** On MariaDB another one after each commit of whatever database. */
  writes?: string | null;
  /** On MariaDB the open transactions that began in the second of the last change; null when they are not shown to us. */
  open?: string | null;
}

/** Of all tables that are known by name and there. */
export async function tableTimes(database: Database): Promise<TableTime[]> {
  const { entityMetadatas } = database.source;
  const names = [...new Set(entityMetadatas.map((table) => String(table.tableNameWithoutPrefix)))];
  if (database.dialect === 'sqlite') return sqliteTimes(database, names);
  // Some servers do not tell letter case in names of tables.
  const full = new Map(names.map((name) => [database.nameOf(name).toLowerCase(), name]));
  const rows = await database.query<TableTime>(
    sql`SELECT TABLE_NAME AS name, COALESCE(ENGINE, TABLE_TYPE) AS engine, UNIX_TIMESTAMP(UPDATE_TIME) AS changedAt,
        CONCAT(CREATE_TIME, ' ', TABLE_ROWS) AS shape, UNIX_TIMESTAMP() AS now, VERSION() AS server,
        /*M! (SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'INNODB_LSN_CURRENT') AS writes,
          IF(${SEES_TRANSACTIONS}, (SELECT COALESCE(GROUP_CONCAT(trx_mysql_thread_id), '') FROM information_schema.INNODB_TRX
            WHERE CONVERT_TZ(trx_started, 'SYSTEM', @@time_zone) = UPDATE_TIME), NULL) AS open, */
        COALESCE(GREATEST(CREATE_TIME, COALESCE(UPDATE_TIME, CREATE_TIME)) >= NOW() - INTERVAL 2 SECOND, 0) AS recent
        FROM information_schema.TABLES
        WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (${join(names.map((name) => database.nameOf(name)))})`,
  );
  return rows.map((row) => ({ ...row, name: full.get(row.name.toLowerCase()) ?? row.name }));
}

/** SQLite counts the commits of others and the rows of ours, for all tables together. */
async function sqliteTimes(database: Database, names: readonly string[]): Promise<TableTime[]> {
  const [row] = await database.query<{ count: number }>(
    sql`SELECT data_version + total_changes() AS count FROM pragma_data_version`,
  );
  return names.map((name) => ({ name, engine: null, changedAt: row?.count ?? null, recent: 0, now: 0 }));
}

/** What `hiddenChange` said, and when, in epoch seconds of the server. */
export interface UntimedChange {
  mark: string;
  at: number;
}

/**
 * Another mark than before when a table may have changed and bear the same second. MariaDB notes when a transaction began: one
 * that took long may have begun in the second of a change that was seen. Whether anything was committed is known, and counts at
 * once, unless open transactions are shown to us; where it is not known the table counts when the change is twice as old.
 */
export function detectUntimedChange(
  { changedAt, now, server = '', writes, open = null }: TableTime,
  before?: UntimedChange,
): UntimedChange {
  if (changedAt === null || !/MariaDB/i.test(server)) return { mark: '', at: now };
  if (!writes) return { mark: String(Math.floor(Math.log2(Math.max(1, now - changedAt)))), at: now };
  const isNear = before !== undefined && Math.abs(now - before.at) < LONG;
  return open !== null && isNear ? before : { mark: writes, at: now };
}
