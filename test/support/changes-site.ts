import sql from 'sql-template-tag';
import { DataSource } from 'typeorm';
import { Journal } from '../../src/changes/journal.service.js';
import { JournalWriter } from '../../src/changes/journal-writer.service.js';
import { Database } from '../../src/database/database.js';
import { Transactions } from '../../src/database/transactions.js';
import { startApp, type TestApp, type TestAppOptions } from './app.js';
import { clientOf, type Send } from './calendar-client.js';
import { makeJournalTables } from './journal-site.js';
import { type DatabaseName, makeSite } from './sites.js';

/** A server on the recorded site, whose changes are journaled. */
export interface ChangesSite {
  app: TestApp;
  databaseUrl: string;
  send: Send;
  /** Runs a statement, as another program does. */
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
  await fill(app);
  await journalReady(app);
  return {
    app,
    databaseUrl: site.url,
    send: clientOf(app.url),
    ask: (statement) => app.nest.get(DataSource).query(statement),
    close: async () => {
      await app.close();
      await site.drop();
    },
  };
}

/** Waits until the journal knows all records. */
export async function journalReady({ nest }: TestApp): Promise<void> {
  const journal = nest.get(Journal, { strict: false });
  while (!(await journal.isReady())) await new Promise((resolve) => setTimeout(resolve, 50));
}

async function fill({ nest }: TestApp): Promise<void> {
  const writer = nest.get(JournalWriter, { strict: false });
  const database = nest.get(Database, { strict: false });
  const { states, types } = writer;
  if (!states) throw new Error('no tables');
  await nest.get(Transactions, { strict: false }).run(async (transaction) => {
    for (const kind of ['post', 'term'] as const) {
      await writer.store(transaction, await states.read(kind, () => sql`1 = 1`, transaction));
      for (const type of types[kind])
        await database.query(
          sql`REPLACE INTO ${database.table('almanac_records')} (record_type, record_id, slug, status, author, modified, dates, checksum) VALUES (${type}, 0, '', '', 0, '', '', '')`,
          transaction.manager,
        );
    }
  });
}
