import type { PoolConnection, RowDataPacket } from 'mysql2';
import sql from 'sql-template-tag';

/** The rules of every connection of a pool. */
export interface SessionRules {
  /** The statement timeout in milliseconds; 0: none. */
  timeout: number;
  readOnly: boolean;
  /** With `latin1` the server takes UTF-8 bytes for latin1 characters, as for PHP with that `DB_CHARSET`. */
  charset: Charset;
}

/** The character set of the connection. */
type Charset = 'utf8mb4' | 'latin1';

// Replaces the server's modes: NO_BACKSLASH_ESCAPES or ANSI_QUOTES change the meaning of statements, STRICT rejects
// WordPress's zero dates.
const SQL_MODE = 'NO_ENGINE_SUBSTITUTION';
const COLLATIONS = { utf8mb4: 'utf8mb4_unicode_520_ci', latin1: 'latin1_swedish_ci' } as const;
const ZONE = '+00:00';

// Without it MySQL 8 caches the update times of tables for a day; MariaDB ignores the comment.
const CURRENT_TIMES = ' /*!80000 , @@SESSION.information_schema_stats_expiry = 0 */';

// Each server ignores the comment for the other. MySQL limits reads only, MariaDB all statements.
const limit = (timeout: number) =>
  `/*M! , @@SESSION.max_statement_time = ${timeout / 1000} */ /*!80000 , @@SESSION.max_execution_time = ${timeout} */`;

// Overrides the server's `init_connect`. Lock waits end before the client's timeout, so that a write is tried four times.
const setUp = (charset: Charset) =>
  `SET NAMES ${charset} COLLATE ${COLLATIONS[charset]}, ${[
    `sql_mode = '${SQL_MODE}'`,
    `time_zone = '${ZONE}'`,
    'autocommit = 1',
    'sql_safe_updates = 0',
    'sql_select_limit = 18446744073709551615',
    'innodb_lock_wait_timeout = 5',
    'lock_wait_timeout = 5',
  ]
    .map((setting) => `@@SESSION.${setting}`)
    .join(', ')}${CURRENT_TIMES}`;

const READ_SETTINGS = `SELECT @@SESSION.sql_mode AS mode, @@SESSION.time_zone AS zone, @@SESSION.collation_connection AS collation,
  @@SESSION.character_set_client AS characters, @@SESSION.autocommit AS autocommit, @@SESSION.max_allowed_packet AS packet`;

interface SessionRow extends RowDataPacket {
  mode: string;
  zone: string;
  collation: string;
  characters: string;
  autocommit: number;
  packet: number;
}

/** The condition that the session still has its SQL mode, which a proxy may have reset. */
export const isOurSession = sql`@@SESSION.sql_mode = ${SQL_MODE}`;

const packets = new WeakMap<object, number>();
const rulesOf = new WeakMap<object, SessionRules>();

/** A connection's `max_allowed_packet` in bytes; undefined before its session is set up. */
export function longestStatement(connection: object): number | undefined {
  return packets.get(connection);
}

/**
 * Applies all session settings and verifies them; throws an error with the code `SESSION_REFUSED`. Without `given` a session keeps its rules.
 */
export async function setUpSession(connection: PoolConnection, given?: SessionRules): Promise<void> {
  const rules = given ?? rulesOf.get(connection);
  if (rules) rulesOf.set(connection, rules);
  const charset = rules?.charset ?? 'utf8mb4';
  const session = connection.promise();
  try {
    await session.query(`${setUp(charset)} ${limit(rules?.timeout ?? 0)}`);
    if (rules?.readOnly) await session.query('SET SESSION TRANSACTION READ ONLY');
    const [[row]] = await session.query<SessionRow[]>(READ_SETTINGS);
    const { mode, zone, collation, characters, autocommit, packet } = row ?? {};
    const got = [mode, zone, collation, characters, Number(autocommit)];
    const expected = [SQL_MODE, ZONE, COLLATIONS[charset], charset, 1];
    if (JSON.stringify(got) !== JSON.stringify(expected)) throw new Error(`it has ${JSON.stringify(got)}`);
    packets.set(connection, Number(packet));
  } catch (error) {
    const message = `the session cannot be set up: ${(error as Error).message}`;
    throw Object.assign(new Error(message), { code: 'SESSION_REFUSED' });
  }
}
