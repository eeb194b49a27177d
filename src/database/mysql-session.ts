import mysql2, { type PoolConnection, type RowDataPacket } from 'mysql2';
import sql from 'sql-template-tag';
import { formatStatement } from './mysql-literals.js';

/** The server would not have the session that Almanac needs; such a connection is never used. */
export class SessionRefused extends Error {
  readonly code = 'SESSION_REFUSED';
}

// Set whole: what the server would add (NO_BACKSLASH_ESCAPES, ANSI_QUOTES, STRICT …) changes what statements mean, or
// refuses rows that WordPress has written, such as zero dates.
const SQL_MODE = 'NO_ENGINE_SUBSTITUTION';
const COLLATION = 'utf8mb4_unicode_520_ci';
const ZONE = '+00:00';

// MySQL 8 shows times of tables that are up to a day old unless told otherwise; MariaDB passes over this.
const CURRENT_TIMES = ' /*!80000 , @@SESSION.information_schema_stats_expiry = 0 */';

// After the server's own `init_connect`, which may have said otherwise. Waiting for somebody's lock ends before the client
// gives up: a write is tried four times.
const SET_UP = `SET NAMES utf8mb4 COLLATE ${COLLATION}, ${[
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

/** Gives a session all of Almanac's settings and looks whether it took them; throws `SessionRefused`. */
export async function setUpSession(connection: PoolConnection): Promise<void> {
  const session = connection.promise();
  try {
    await session.query(SET_UP);
    const [[row]] = await session.query<SessionRow[]>(LOOK);
    const { mode, zone, collation, characters, autocommit, packet } = row ?? {};
    const got = [mode, zone, collation, characters, Number(autocommit)];
    const wanted = [SQL_MODE, ZONE, COLLATION, 'utf8mb4', 1];
    if (JSON.stringify(got) !== JSON.stringify(wanted)) throw new Error(`it has ${JSON.stringify(got)}`);
    packets.set(connection, Number(packet));
  } catch (error) {
    throw new SessionRefused(`the session can not be set up: ${(error as Error).message}`);
  }
}

/**
 * mysql2 for TypeORM, which has no hook per connection: each one gets its session before anything else is asked of it, and
 * statements are made without relying on the session's mode.
 */
export const wordpressMysql: object = {
  ...mysql2,
  createPool(options: mysql2.PoolOptions) {
    const pool = mysql2.createPool({ ...options, queryFormat: checkedFormat });
    const ready = new WeakSet<PoolConnection>();
    const take = pool.getConnection.bind(pool);
    pool.getConnection = (done) =>
      take((error, connection) => {
        if (error || ready.has(connection)) return done(error, connection);
        // TypeORM asks for it with every statement.
        const promised = connection.promise();
        connection.promise = () => promised;
        setUpSession(connection).then(
          () => {
            ready.add(connection);
            done(null, connection);
          },
          (refused) => {
            connection.destroy();
            done(refused, connection);
          },
        );
      });
    return pool;
  },
};

/** Refuses what the server would answer with a closed connection. */
function checkedFormat(this: object, text: string, values: readonly unknown[]): string {
  const statement = formatStatement(text, values);
  const most = packets.get(this);
  // One byte of the packet says that it is a statement.
  if (most !== undefined && statement.length * 3 >= most && Buffer.byteLength(statement) >= most)
    throw Object.assign(new Error('The statement is longer than max_allowed_packet.'), {
      code: 'ER_NET_PACKET_TOO_LARGE',
    });
  return statement;
}
