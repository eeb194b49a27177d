import { Journal } from '../../src/changes/journal.service.js';
import { JournalWriter } from '../../src/changes/journal-writer.service.js';
import { migrate } from '../../src/cli/migrate.js';
import { readEnvironment } from '../../src/config/env.js';

/** Makes the tables of the journal on a site. */
export function makeJournalTables(databaseUrl: string): Promise<string[]> {
  const env = readEnvironment({ DATABASE_URL: databaseUrl, CHANGES: 'on' });
  return migrate({ env, say: () => undefined });
}
