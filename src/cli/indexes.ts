import type { DataSource } from 'typeorm';
import { firstLine } from '../common/errors/first-line.js';
import { type Environment, ownEnvironment } from '../config/env.js';
import { dataSourceOptions } from '../database/data-source-options.js';
import { connect, isEmpty } from '../database/open-site.js';
import { StartError } from '../database/start-error.js';

/** An optional index: lists are the same without it, only slower. */
interface SiteIndex {
  name: string;
  table: string;
  columns: string;
  /** Bytes per row of the table. */
  bytes: number;
  purpose: string;
}

const INDEXES: readonly SiteIndex[] = [
  {
    name: 'almanac_starts',
    table: 'tec_occurrences',
    columns: 'start_date, post_id, end_date',
    bytes: 37,
    purpose: 'pages of events by date, where events show their own time zones',
  },
  {
    name: 'almanac_starts_utc',
    table: 'tec_occurrences',
    columns: 'start_date_utc, post_id, end_date_utc',
    bytes: 37,
    purpose: 'the same where the calendar shows the time zone of the site',
  },
  {
    name: 'almanac_meta_values',
    table: 'postmeta',
    columns: 'meta_key(32), meta_value(32)',
    bytes: 45,
    purpose: 'events of a venue or organizer, and filters by fields of plugins',
  },
];

interface IndexState extends Pick<SiteIndex, 'name' | 'columns' | 'purpose'> {
  /** With the prefix. */
  table: string;
  isThere: boolean;
  bytes: number;
}

/** Options of the command; all have defaults. */
export interface IndexesOptions {
  /** The configuration; by default that of the process, after `.env` of the working directory was read. */
  env?: Environment;
  /** Creates missing indexes or drops existing ones; by default they are only listed. */
  change?: 'apply' | 'drop';
  /** Called with a line per index; the console by default. */
  say?: (line: string) => void;
}

/** Lists, creates or drops the optional indexes (docs/indexes.md); throws `StartError` if that is impossible. */
export async function indexes({
  env = ownEnvironment(),
  change,
  say = console.log,
}: IndexesOptions = {}): Promise<IndexState[]> {
  if (env.database.kind === 'sqlite') throw new StartError('Indexes are for sites on MySQL and MariaDB.');
  const source = await connect(dataSourceOptions(env, true), env);
  try {
    if (await isEmpty(source, env)) throw new StartError('The database is empty: there is no site in it.');
    const states = await indexStates(source, env.tablePrefix);
    for (const state of states) {
      const { name, table, columns, purpose, bytes, isThere } = state;
      const size = `${Math.max(1, Math.round(bytes / 1e6))} MB`;
      const named = `${name} on ${table} (${columns})`;
      if (change === undefined)
        say(`${isThere ? 'there  ' : 'missing'}  ${named}, about ${size}: ${purpose}.`);
      else if (isThere === (change === 'drop')) {
        await alter(source, change, state);
        say(`${change === 'apply' ? 'made   ' : 'dropped'}  ${named}`);
        state.isThere = change === 'apply';
      }
    }
    return states;
  } finally {
    await source.destroy();
  }
}

export async function indexStates(source: DataSource, prefix: string): Promise<IndexState[]> {
  const states: IndexState[] = [];
  for (const { name, columns, purpose, bytes, ...index } of INDEXES) {
    const table = prefix + index.table;
    const [row]: { isThere: number | string; tableRows: number | string | null }[] = await source.query(
      `SELECT (SELECT COUNT(*) FROM information_schema.statistics s WHERE s.table_schema = t.table_schema
         AND s.table_name = t.table_name AND s.index_name = ?) AS isThere, t.table_rows AS tableRows
       FROM information_schema.tables t WHERE t.table_schema = DATABASE() AND t.table_name = ?`,
      [name, table],
    );
    // An estimate by the server.
    const rows = Number(row?.tableRows ?? 0);
    const isThere = Number(row?.isThere ?? 0) > 0;
    states.push({ name, table, columns, purpose, bytes: rows * bytes, isThere });
  }
  return states;
}

/** Creates or drops an index online, or fails. */
async function alter(
  source: DataSource,
  way: 'apply' | 'drop',
  { name, table, columns }: IndexState,
): Promise<void> {
  const what = way === 'apply' ? `ADD INDEX ${name} (${columns})` : `DROP INDEX ${name}`;
  try {
    await source.query(`ALTER TABLE \`${table}\` ${what}, ALGORITHM = INPLACE, LOCK = NONE`);
  } catch (error) {
    const verb = way === 'apply' ? 'made' : 'dropped';
    throw new StartError(`The index ${name} could not be ${verb}: ${firstLine(error)}`);
  }
}
