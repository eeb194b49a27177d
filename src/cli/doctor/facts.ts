import sql, { join } from 'sql-template-tag';
import { isReadOnly } from '../../database/database-errors.js';
import { htmlEntityDecode } from '../../lib/wordpress-text/formatting/html-entity-decode.js';
import { asMap, asString, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import { EVENT } from '../../resources/events/event-type.js';
import { ORGANIZER } from '../../resources/organizers/organizer-type.js';
import { VENUE } from '../../resources/venues/venue-type.js';
import { zoneDataAround, zoneDataName } from '../../wordpress/use-zone-data.js';
import { counted } from '../counted.js';
import { productOf, serverInfo } from './server.check.js';
import type { SiteView } from './site-view.js';
import { type TableInfo, tableInfos } from './storage.check.js';

export interface Facts {
  /** `MariaDB 10.11.6`, or the file of an SQLite database. */
  server: string;
  /** The user as the server reports it. */
  user?: string;
  /** The server's own mode; Almanac's sessions set theirs. */
  sql_mode?: string;
  collation?: string;
  table_prefix: string;
  name: string;
  home: string;
  time_zone: string;
  /** Versions of the time zone data in use and, if different, of the system. */
  time_zone_data: { used: string; system?: string };
  /** The structure of pretty links; '' for plain ones. */
  permalinks: string;
  /** By type, in any status. */
  records: Readonly<Record<'events' | 'venues' | 'organizers', number>>;
  /** State of the plugin's migration to custom tables; '' if unknown. */
  migration: string;
  /** Largest first; the server's estimates. */
  tables: readonly { name: string; rows: number; bytes: number }[];
}

/** Collects the facts; unreadable ones stay empty. */
export async function siteFacts(site: SiteView): Promise<Facts> {
  const infos = site.isServer ? await tableInfos(site) : [];
  const { ours, system } = zoneDataAround(site.facts.env);
  return {
    ...(await serverFacts(site, infos)),
    table_prefix: site.database.tablePrefix,
    name: htmlEntityDecode(site.option('blogname')),
    home: site.option('home') || site.option('siteurl'),
    time_zone: site.zone,
    time_zone_data: { used: zoneDataName(ours), ...(system && { system: zoneDataName(system) }) },
    permalinks: site.option('permalink_structure'),
    records: await records(site),
    migration: asString(asMap(unserialize(site.option('tec_ct1_migration_state'))).get('phase')),
    tables: infos.map(({ name, tableRows, bytes }) => ({ name, rows: tableRows, bytes })),
  };
}

async function serverFacts(
  site: SiteView,
  infos: readonly TableInfo[],
): Promise<Pick<Facts, 'server' | 'user' | 'sql_mode' | 'collation'>> {
  const { database } = site.facts.env;
  if (database.kind === 'sqlite') return { server: `SQLite, ${database.path}` };
  const { version, user, sqlMode } = await serverInfo(site);
  const { product, number } = productOf(version);
  const posts = infos.find(({ name }) => name === site.nameOf('posts'));
  return {
    server: `${product} ${number} at ${database.host}:${database.port}, database ${database.database}`,
    user,
    sql_mode: sqlMode,
    collation: posts?.collation ?? '',
  };
}

async function records(site: SiteView): Promise<Facts['records']> {
  const types = { events: EVENT.type, venues: VENUE.type, organizers: ORGANIZER.type };
  const rows = await site
    .rows<{ type: string; count: number }>(
      sql`SELECT post_type AS type, COUNT(*) AS count FROM ${site.table('posts')}
          WHERE post_type IN (${join(Object.values(types))}) GROUP BY post_type`,
    )
    .catch((error: unknown) => {
      if (isReadOnly(error) || !site.has('posts')) return [];
      throw error;
    });
  const of = (type: string) => Number(rows.find((row) => row.type === type)?.count ?? 0);
  return { events: of(types.events), venues: of(types.venues), organizers: of(types.organizers) };
}

/** Formats the facts as lines of text. */
export function factLines(facts: Facts): string[] {
  const { events, venues, organizers } = facts.records;
  const lines: [string, string | undefined][] = [
    ['Server', facts.server],
    ['User', facts.user],
    [
      'SQL mode',
      facts.sql_mode === undefined
        ? undefined
        : `${facts.sql_mode || 'none'} (sessions of Almanac set their own)`,
    ],
    ['Collation', facts.collation],
    ['Table prefix', facts.table_prefix],
    ['Site', [facts.name, facts.home].filter(Boolean).join(', ')],
    ['Time zone', facts.time_zone],
    ['Zone data', Object.values(facts.time_zone_data).join(', this system ')],
    ['Permalinks', facts.permalinks || 'plain'],
    [
      'Records',
      [counted(events, 'event'), counted(venues, 'venue'), counted(organizers, 'organizer')].join(', '),
    ],
    [
      'Migration',
      facts.migration === ''
        ? undefined
        : `${facts.migration} (the plugin's own word for its move to custom tables)`,
    ],
    ['Tables', facts.tables.length === 0 ? undefined : facts.tables.slice(0, 4).map(sized).join(', ')],
  ];
  return lines.flatMap(([label, value]) => (value === undefined ? [] : [`${label.padEnd(14)}${value}`]));
}

function sized({ name, rows, bytes }: Facts['tables'][number]): string {
  return `${name} about ${counted(rows, 'row')}, ${(bytes / 1e6).toFixed(1)} MB`;
}
