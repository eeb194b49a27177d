import { DataSource } from 'typeorm';
import { readEnvironment } from '../../src/config/env.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { startApp, type TestApp, type TestAppOptions } from './app.js';
import { clientOf, type Send } from './calendar-client.js';
import { journalReady, makeJournalTables } from './journal-site.js';
import { type DatabaseName, makeSite } from './sites.js';

/** A server on the recorded site, whose changes are journaled. */
export interface ChangesSite {
  app: TestApp;
  send: Send;
  /** Runs a statement as another program does. */
  ask(statement: string): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function openChangesSite(
  database: DatabaseName,
  options: Partial<TestAppOptions> = {},
): Promise<ChangesSite> {
  const site = await makeSite(database);
  await makeJournalTables(site.url);
  const env = { CHANGES: 'on', ...options.env };
  const app = await startApp({ databaseUrl: site.url, ...options, env });
  await journalReady(app);
  const other = await new DataSource(
    dataSourceOptions(readEnvironment({ DATABASE_URL: site.url })),
  ).initialize();
  return {
    app,
    send: clientOf(app.url),
    ask: (statement) => other.query(statement),
    close: async () => {
      await app.close();
      await other.destroy();
      await site.drop();
    },
  };
}
