import sql, { join, raw } from 'sql-template-tag';
import type { Database } from './database.js';

/** Where open transactions are visible, unseen commits are checked for at this interval, in seconds. */
const CHECK_INTERVAL = 16;

/** Whether open transactions are visible to us. The privileges of all users may be, so the account is compared. */
const SEES_TRANSACTIONS =
  raw(`EXISTS (SELECT 1 FROM information_schema.USER_PRIVILEGES WHERE PRIVILEGE_TYPE = 'PROCESS'
  AND GRANTEE = CONCAT('''', REPLACE(CURRENT_USER(), '@', '''@'''), ''''))`);

/** When a table last changed, as the server says. */
export interface TableTime {
  name: string;
  engine: string | null;
  /** Epoch seconds; null when the server has not seen it change since it started. */
  changedAt: number | null;
  /** Changes with what leaves no time: a table that was truncated or replaced. */
  shape?: string;
  recent: number;
  /** The server's clock, in epoch seconds. */
  now: number;
  /** `VERSION()` */
  server?: string;
  /** On MariaDB the log position, which moves with each commit in any database. */
  writes?: string | null;
  /** On MariaDB the open transactions that began in the second of the last change; null if they are not visible. */
  open?: string | null;
}

/** Times of all tables of entities that exist. */
export async function tableTimes(database: Database): Promise<TableTime[]> {
  const { entityMetadatas } = database.source;
  const names = [...new Set(entityMetadatas.map((table) => String(table.tableNameWithoutPrefix)))];
  if (database.dialect === 'sqlite') return sqliteTimes(database, names);
  // Table names are not case-sensitive on some servers.
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

/** SQLite counts other connections' commits and our rows, for all tables together. */
async function sqliteTimes(database: Database, names: readonly string[]): Promise<TableTime[]> {
  const [row] = await database.query<{ count: number }>(
    sql`SELECT data_version + total_changes() AS count FROM pragma_data_version`,
  );
  return names.map((name) => ({ name, engine: null, changedAt: row?.count ?? null, recent: 0, now: 0 }));
}

/** Result of `detectUntimedChange` at a time of the server, in epoch seconds. */
export interface UntimedChange {
  mark: string;
  at: number;
}

/**
 * Returns another mark when a table may have changed within the second it already shows. MariaDB dates changes by the begin of
 * the transaction: a long one may have begun in the second of a change that was seen. Where commits are counted (`writes`), each
 * one counts at once, or at intervals if open transactions are visible; elsewhere the table counts as changed whenever the age
 * of its last change has doubled.
 */
export function detectUntimedChange(
  { changedAt, now, server = '', writes, open = null }: TableTime,
  before?: UntimedChange,
): UntimedChange {
  if (changedAt === null || !/MariaDB/i.test(server)) return { mark: '', at: now };
  if (!writes) return { mark: String(Math.floor(Math.log2(Math.max(1, now - changedAt)))), at: now };
  const wasCheckedLately = before !== undefined && Math.abs(now - before.at) < CHECK_INTERVAL;
  return open !== null && wasCheckedLately ? before : { mark: writes, at: now };
}

/** Engines that record the time of each change; Aria does so only when it writes its pages. */
const TIMED_ENGINES = new Set(['InnoDB', 'MyISAM']);
/** Servers with MySQL's protocol that may record no times at all. */
const UNTIMED_SERVERS = /TiDB|Vitess|OceanBase|SingleStore|MemSQL/i;

/** Why the times of tables say nothing, by their engines and the server; undefined if they do. */
export function untimedReason(rows: readonly TableTime[]): string | undefined {
  const untimed = rows.find(({ engine }) => engine !== null && !TIMED_ENGINES.has(engine));
  if (untimed) return `the server records no change times for ${untimed.name}`;
  const hasNoTimes = rows.every(({ changedAt }) => changedAt === null);
  return hasNoTimes && UNTIMED_SERVERS.test(rows[0]?.server ?? '')
    ? 'the server records no change times'
    : undefined;
}
