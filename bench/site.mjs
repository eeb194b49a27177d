// Sites of a size: the tests' recorded site and generated events, in the data folder of a MariaDB. They are made once a
// month, below the system's folder for temporary files, and copied for each run.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, existsSync, readFileSync, statSync } from 'node:fs';
import { chmod, cp, mkdir, readdir, rename, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import {
  databaseVersion,
  FILLED,
  MEASURED,
  makeDataFolder,
  startMariadb,
  temporaryFolder,
} from './processes.mjs';
import { SERIES_DATES, seed } from './seed.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const DUMP = here('../test/fixtures/conformance/site-a/site.sql');
/** What decides which rows there are. */
const SOURCES = [
  DUMP,
  ...['seed', 'records', 'texts', 'event-dates', 'random'].map((name) => here(`./${name}.mjs`)),
];
const NAME = 'bench';
const WEEK = 7 * 86_400_000;
/** Tables that are read once before anything is measured, so that both servers find the database warm. */
const TABLES =
  'posts postmeta tec_events tec_occurrences terms term_taxonomy term_relationships options users usermeta'
    .split(' ')
    .map((table) => `wp_${table}`);

/** Data folders, reused between runs. */
export const KEPT = join(tmpdir(), 'almanac-bench');

/**
 * A MariaDB of its own with so many events, or series of a hundred dates; `say` receives progress, `user` runs it where root
 * starts it.
 */
export async function startSite(events, say, options = [], user = 'root', isSeries = false) {
  const source = await siteFolder(events, say, isSeries);
  const folder = await temporaryFolder(KEPT, 'run-');
  const forget = () => rm(folder, { recursive: true, force: true });
  try {
    await cp(source, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
    if (user !== 'root') await giveAway(folder, user);
    const mariadb = await startMariadb(folder, [...MEASURED, logSize(events), ...options], user);
    const uri = mariadb.uri + NAME;
    const known = await ask(uri, warm);
    const stop = async () => {
      await mariadb.stop();
      await forget();
    };
    return { ...mariadb, ...known, uri, events: isSeries ? events * SERIES_DATES : events, stop };
  } catch (error) {
    await forget();
    throw error;
  }
}

/** Root's files become another user's, below folders that this one may enter. */
async function giveAway(folder, user) {
  if (process.getuid?.() !== 0) return;
  await Promise.all([KEPT, folder].map((path) => chmod(path, 0o755)));
  await promisify(execFile)('chown', ['-R', user, folder]);
}

const logSize = (events) => `--innodb-log-file-size=${events > 50_000 ? 512 : 64}M`;

/** Opens a connection for one piece of work. */
export async function ask(uri, work) {
  const connection = await createConnection({ uri, multipleStatements: true, charset: 'utf8mb4' });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

async function siteFolder(events, say, isSeries) {
  const month = new Date().toISOString().slice(0, 7);
  const hash = createHash('sha256').update(`${month} ${await databaseVersion()}`);
  for (const path of SOURCES) hash.update(readFileSync(path));
  const folder = join(KEPT, `${hash.digest('hex').slice(0, 12)}-${events}${isSeries ? '-series' : ''}`);
  await mkdir(KEPT, { recursive: true });
  await forgetOld();
  if (existsSync(folder)) {
    await utimes(folder, new Date(), new Date());
    return folder;
  }
  const making = await temporaryFolder(KEPT, 'making-');
  try {
    say(`making a site with ${events} ${isSeries ? 'series' : 'events'} …`);
    await makeDataFolder(making);
    const mariadb = await startMariadb(making, [...FILLED, logSize(events)]);
    try {
      await ask(mariadb.uri, (connection) =>
        fill(connection, { events, series: isSeries ? events : 0, around: Date.parse(`${month}-01`) }, say),
      );
    } finally {
      await mariadb.stop();
    }
    await rename(making, folder);
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  return folder;
}

/** Removes what no run has used for a week. */
async function forgetOld() {
  for (const name of await readdir(KEPT)) {
    const path = join(KEPT, name);
    // Runs beside may remove theirs at any moment.
    const used = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - used > WEEK) await rm(path, { recursive: true, force: true });
  }
}

async function fill(connection, size, say) {
  const dump = readFileSync(DUMP, 'utf8');
  await connection.query(`CREATE DATABASE ${NAME} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci`);
  await connection.query(`USE ${NAME}; SET autocommit = 0; ${dump}\nCOMMIT`);
  await seed(connection, { ...size, progress: (done) => say(`${done} events`) });
  await connection.query(`ANALYZE TABLE ${TABLES}`);
}

/** Reads all tables once; the records that requests ask for, in an order of chance that is always the same. */
async function warm(connection) {
  for (const table of TABLES) await connection.query(`CHECKSUM TABLE ${table}`);
  const [events] = await connection.query(
    `SELECT p.ID AS id, p.post_name AS slug FROM wp_tec_occurrences o JOIN wp_posts p ON p.ID = o.post_id
     WHERE p.post_status = 'publish' AND p.post_password = '' AND p.post_name LIKE CONCAT('%-', p.ID)
     ORDER BY o.hash LIMIT 50000`,
  );
  const some = async (type) => {
    const [rows] = await connection.query(
      'SELECT ID AS id FROM wp_posts WHERE post_type = ? AND post_status = ? ORDER BY SHA2(ID, 256) LIMIT 1000',
      [type, 'publish'],
    );
    return rows.map(({ id }) => id);
  };
  const terms = async (taxonomy) => {
    const [rows] = await connection.query(
      'SELECT term_id AS id FROM wp_term_taxonomy WHERE taxonomy = ? AND count > 0 ORDER BY term_id LIMIT 1000',
      [taxonomy],
    );
    return rows.map(({ id }) => id);
  };
  return {
    records: events,
    filters: {
      venue: await some('tribe_venue'),
      organizer: await some('tribe_organizer'),
      categories: await terms('tribe_events_cat'),
      tags: await terms('post_tag'),
    },
  };
}
