import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EntityManager } from 'typeorm';
import { readEnvironment } from '../../src/config/env.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { SITE_TABLES } from '../../src/database/migrations/1700000000000-create-site.js';
import { openSite } from '../../src/database/open-site.js';
import { type DumpedTable, readDump } from './site-dump.js';
import type { Site } from './sites.js';
import { onceForAllWorkers, testFolder } from './test-folder.js';

/**
 * A new SQLite file with Almanac's schema and the rows, ids and counters of a MySQL dump; without a dump only the path of a
 * missing file.
 */
export async function makeSqliteSite(dump?: string): Promise<Site> {
  const file = join(testFolder(), `${randomUUID()}.db`);
  if (dump !== undefined) {
    const key = createHash('sha1').update(dump).digest('hex').slice(0, 8);
    const loaded = await onceForAllWorkers(`sqlite-${key}`, () =>
      load(dump, join(testFolder(), `${key}.db`)),
    );
    await copyFile(loaded, file);
  }
  return {
    url: `sqlite:${file}`,
    drop: async () => {
      for (const end of ['', '-wal', '-shm']) await rm(file + end, { force: true });
    },
  };
}

async function load(dump: string, file: string): Promise<string> {
  const tables = readDump(readFileSync(dump, 'utf8'));
  const prefix = [...tables.keys()].find((name) => name.endsWith('postmeta'))?.slice(0, -'postmeta'.length);
  if (prefix === undefined) throw new Error(`${dump} holds no postmeta table`);
  const env = readEnvironment({ DATABASE_URL: `sqlite:${file}`, TABLE_PREFIX: prefix });
  // A missing file causes a warning.
  await writeFile(file, '');
  const source = await openSite(dataSourceOptions(env), env);
  await source.transaction(async (manager) => {
    for (const name of SITE_TABLES) {
      const table = tables.get(prefix + name);
      if (table) await fill(manager, prefix + name, table);
    }
  });
  // Checkpoints the write-ahead log, so that the one file can be copied.
  await source.query('PRAGMA wal_checkpoint(TRUNCATE)');
  await source.destroy();
  return file;
}

async function fill(
  manager: EntityManager,
  name: string,
  { columns, nextId, rows }: DumpedTable,
): Promise<void> {
  const places = columns.map(() => '?').join(', ');
  const statement = `INSERT INTO "${name}" (${columns.map((column) => `"${column}"`).join(', ')}) VALUES (${places})`;
  for (const row of rows) await manager.query(statement, row);
  if (nextId === undefined) return;
  await manager.query('DELETE FROM sqlite_sequence WHERE name = ?', [name]);
  await manager.query('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)', [name, nextId - 1]);
}
