import sql, { join } from 'sql-template-tag';
import { SITE_TABLES } from '../../database/migrations/1700000000000-create-site.js';
import { counted } from '../counted.js';
import { type Check } from './check.js';
import { textEncodings } from './encoding.check.js';
import type { SiteView } from './site-view.js';

/** A table as the server describes it. */
export interface TableInfo {
  /** With the prefix. */
  name: string;
  engine: string | null;
  collation: string | null;
  /** About how many rows it has. */
  tableRows: number;
  bytes: number;
}

/** The site's tables, the largest first. */
export async function tableInfos(site: SiteView): Promise<TableInfo[]> {
  const names = SITE_TABLES.map((name) => site.nameOf(name));
  const rows = await site.rows<TableInfo>(
    sql`SELECT TABLE_NAME AS name, ENGINE AS engine, TABLE_COLLATION AS collation,
        COALESCE(TABLE_ROWS, 0) AS tableRows, COALESCE(DATA_LENGTH + INDEX_LENGTH, 0) AS bytes
        FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN (${join(names)})`,
  );
  return rows
    .map((row) => ({ ...row, tableRows: Number(row.tableRows), bytes: Number(row.bytes) }))
    .sort((a, b) => b.bytes - a.bytes);
}

export const storageCheck: Check = {
  kind: 'storage',
  title: 'tables without transactions, or that cannot hold every character',
  serverOnly: true,
  async find(site) {
    const infos = await tableInfos(site);
    const others = infos.filter(({ engine }) => engine !== null && engine !== 'InnoDB');
    // UTF-8 that is stored as latin1 has room for every character, and CONVERT would garble it for good.
    const { twice, once } = await textEncodings(site);
    const isLatin1 = site.facts.env.databaseCharset === 'latin1';
    const isWide = (collation: string) =>
      collation.startsWith('utf8mb4') ||
      isLatin1 ||
      (twice > 0 && (twice >= once || collation.startsWith('latin1')));
    const narrow = infos.filter(({ collation }) => collation !== null && !isWide(collation));
    const collations = new Set(infos.flatMap(({ collation }) => collation ?? []));
    const isMixed = !isLatin1 && twice === 0 && narrow.length === 0 && collations.size > 1;
    const names = (some: readonly TableInfo[]) => some.map(({ name }) => name);
    const change = (what: string) => `ALTER TABLE … ${what}, with a backup at hand and while nobody writes.`;
    return [
      {
        name: 'storage-engine',
        severity: 'error',
        what: `${counted(others.length, 'table')} whose engine is not InnoDB (${others.map(({ name, engine }) => `${name}: ${engine}`).join(', ')})`,
        examples: names(others),
        why: 'A failed write cannot be rolled back there, and writers of Almanac do not wait for each other.',
        advice: change('ENGINE=InnoDB'),
      },
      {
        name: 'storage-characters',
        severity: 'warning',
        what: `${counted(narrow.length, 'table')} whose character set is not utf8mb4 (${narrow.map(({ name, collation }) => `${name}: ${collation}`).join(', ')})`,
        examples: names(narrow),
        why: 'Emoji and many other characters cannot be stored there: texts with them are rejected.',
        advice: change('CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci'),
      },
      {
        name: 'storage-collations',
        severity: 'note',
        what: `Tables of different collations (${[...collations].join(', ')})`,
        count: isMixed ? collations.size : 0,
        examples: [...collations],
        why: 'Texts are sorted and compared by other rules in one table than in another.',
        advice: change('CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci'),
      },
    ];
  },
};
