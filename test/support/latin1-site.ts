import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedSite } from '../suites/recorded-cases.js';
import { makeSite, SITE_A } from './sites.js';
import { testFolder } from './test-folder.js';

const UTF8 = 'DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci';
const LATIN1 = 'DEFAULT CHARSET=latin1 COLLATE=latin1_swedish_ci';

/**
 * The recorded site as a PHP whose `DB_CHARSET` is latin1 would have written it: the bytes of UTF-8 over a connection of latin1.
 * `mixed`: the meta and the options are in tables of utf8mb4, which hold each byte as a character.
 */
export async function makeLatin1Site(tables: 'latin1' | 'mixed' = 'latin1'): Promise<RecordedSite> {
  const isUtf8 = (table: string) =>
    tables === 'mixed' && /^(CREATE TABLE )?.wp_(postmeta|options|terms)./.test(table);
  const dump = readFileSync(SITE_A, 'utf8')
    .replace('SET NAMES utf8mb4', 'SET NAMES latin1')
    .split(/(?=^CREATE TABLE )/m)
    .map((part) => (isUtf8(part) ? part : part.replace(UTF8, LATIN1)))
    .join('');
  const file = join(testFolder(), `${randomUUID()}.sql`);
  writeFileSync(file, dump);
  return { ...(await makeSite('MariaDB', file)), charset: 'latin1' };
}
