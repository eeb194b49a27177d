import type { PoolConnection, RowDataPacket } from 'mysql2';
import sql from 'sql-template-tag';

/** What holds for every connection of a pool. */
export interface SessionRules {
  /** How long a statement may take, in milliseconds; 0: as long as it takes. */
  timeout: number;
  /** Whether the server is to refuse whatever writes. */
  readOnly: boolean;
  /** `latin1`: the server takes the bytes of UTF-8 for characters of latin1, as it does for PHP with that `DB_CHARSET`. */
  charset: Charset;
}

/** What the server is told of the texts that are sent to it. */
export type Charset = 'utf8mb4' | 'latin1';

/** The server would not have the session that Almanac needs; such a connection is never used. */
class SessionRefused extends Error {
  readonly code = 'SESSION_REFUSED';
}

// Set whole: what the server would add (NO_BACKSLASH_ESCAPES, ANSI_QUOTES, STRICT …) changes what statements mean, or
// refuses rows that WordPress has written, such as zero dates.
const SQL_MODE = 'NO_ENGINE_SUBSTITUTION';
const COLLATIONS = { utf8mb4: 'utf8mb4_unicode_520_ci', latin1: 'latin1_swedish_ci' } as const;
const ZONE = '+00:00';

// MySQL 8 shows times of tables that are up to a day old unless told otherwise; MariaDB passes over this.
const CURRENT_TIMES = ' /*!80000 , @@SESSION.information_schema_stats_expiry = 0 */';

// Each server passes over what is written for the other. MySQL ends only reads in time, MariaDB whatever is asked.
const limit = (timeout: number) =>
  `/*M! , @@SESSION.max_statement_time = ${timeout / 1000} */ /*!80000 , @@SESSION.max_execution_time = ${timeout} */`;

// After the server's own `init_connect`, which may have said otherwise. Waiting for somebody's lock ends before the client
// gives up: a write is tried four times.
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

const LOOK = `SELECT @@SESSION.sql_mode AS mode, @@SESSION.time_zone AS zone, @@SESSION.collation_connection AS collation,
  @@SESSION.character_set_client AS characters, @@SESSION.autocommit AS autocommit, @@SESSION.max_allowed_packet AS packet`;

interface SessionRow extends RowDataPacket {
  mode: string;
  zone: string;
  collation: string;
  characters: string;
  autocommit: number;
  packet: number;
}

/** A condition: the session still has the mode that it was given. Something between us and the server may have reset it. */
export const isOurSession = sql`@@SESSION.sql_mode = ${SQL_MODE}`;

const packets = new WeakMap<object, number>();
const rulesOf = new WeakMap<object, SessionRules>();

/** The longest statement that a connection takes, in bytes; unknown before its session is set up. */
export function longestStatement(connection: object): number | undefined {
  return packets.get(connection);
}

/**
 * Gives a session all of Almanac's settings and looks whether it took them; throws `SessionRefused`. One that is set up again
 * keeps its rules.
 */
export async function setUpSession(connection: PoolConnection, given?: SessionRules): Promise<void> {
  const rules = given ?? rulesOf.get(connection);
  if (rules) rulesOf.set(connection, rules);
  const charset = rules?.charset ?? 'utf8mb4';
  const session = connection.promise();
  try {
    await session.query(`${setUp(charset)} ${limit(rules?.timeout ?? 0)}`);
    if (rules?.readOnly) await session.query('SET SESSION TRANSACTION READ ONLY');
    const [[row]] = await session.query<SessionRow[]>(LOOK);
    const { mode, zone, collation, characters, autocommit, packet } = row ?? {};
    const got = [mode, zone, collation, characters, Number(autocommit)];
    const wanted = [SQL_MODE, ZONE, COLLATIONS[charset], charset, 1];
    if (JSON.stringify(got) !== JSON.stringify(wanted)) throw new Error(`it has ${JSON.stringify(got)}`);
    packets.set(connection, Number(packet));
  } catch (error) {
    throw new SessionRefused(`the session can not be set up: ${(error as Error).message}`);
  }
}
