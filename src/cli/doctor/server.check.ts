import sql from 'sql-template-tag';
import type { Check } from './check.js';
import type { SiteView } from './site-view.js';

/** Minimum packet size: a long text and its statement, as WordPress requires of hosts. */
const LEAST_PACKET = 16 * 1024 * 1024;

interface ServerInfo {
  version: string;
  sqlMode: string;
  readOnly: number;
  packet: number;
  user: string;
}

export function serverInfo(site: SiteView): Promise<ServerInfo> {
  return site.row<ServerInfo>(
    sql`SELECT VERSION() AS version, @@GLOBAL.sql_mode AS sqlMode, @@GLOBAL.read_only AS readOnly,
        @@GLOBAL.max_allowed_packet AS packet, CURRENT_USER() AS user`,
  );
}

/** `MariaDB 10.11.6` or `MySQL 8.0.36`. */
export function productOf(version: string): { product: 'MariaDB' | 'MySQL'; number: string } {
  const product = /mariadb/i.test(version) ? 'MariaDB' : 'MySQL';
  // Some MariaDB servers prefix their version for old clients.
  const [number = version] = version.replace(/^5\.5\.5-/, '').match(/^\d+(\.\d+)*/) ?? [];
  return { product, number };
}

/** Whether Almanac supports the server: MariaDB 10.6, MySQL 8.0, or later. */
export function isSupported(version: string): boolean {
  const { product, number } = productOf(version);
  const [major = 0, minor = 0] = number.split('.').map(Number);
  return product === 'MariaDB' ? major > 10 || (major === 10 && minor >= 6) : major >= 8;
}

export const serverCheck: Check = {
  kind: 'server',
  title: 'a database server that is too old, takes no writes or only short statements',
  serverOnly: true,
  async find(site) {
    const { version, readOnly, packet } = await serverInfo(site);
    const { product, number } = productOf(version);
    return [
      {
        name: 'server-version',
        severity: 'warning',
        what: `The server is ${product} ${number}`,
        count: isSupported(version) ? 0 : 1,
        examples: [version],
        why: 'Almanac is made for MariaDB 10.6 and MySQL 8.0 or later; an older one may refuse statements.',
        advice: 'Update the database server.',
      },
      {
        name: 'server-read-only',
        severity: 'warning',
        what: 'The server takes no writes (read_only is on)',
        count: Number(readOnly) === 0 ? 0 : 1,
        why: 'Reads work; every write is rejected. The server may be a replica, or in maintenance.',
        advice: 'Point DATABASE_URL to the primary; replicas go into DATABASE_REPLICA_URLS.',
      },
      {
        name: 'server-packet',
        severity: 'note',
        what: `The server takes statements of at most ${Math.floor(Number(packet) / 1024).toLocaleString('en')} KB (max_allowed_packet)`,
        count: Number(packet) < LEAST_PACKET ? 1 : 0,
        why: 'A record with longer texts is refused.',
        advice: 'Set max_allowed_packet to 16M or more in the configuration of the server.',
      },
    ];
  },
};
