import { startApp, type TestApp, type TestAppOptions } from './app.js';
import { journalReady, makeJournalTables } from './journal-site.js';
import { type DatabaseName, makeSite, type Site } from './sites.js';
import { allowReceivers, type Receiver, startReceiver } from './webhook-receiver.js';

/** A recorded site with the journal, a server that delivers, and a receiver. */
export interface WebhookSite {
  site: Site;
  app: TestApp;
  receiver: Receiver;
  close(): Promise<void>;
}

/** Opens it; receivers verify signatures by the real time, so the server has it too. */
export async function openWebhookSite(
  database: DatabaseName,
  options: Partial<TestAppOptions> = {},
): Promise<WebhookSite> {
  const site = await makeSite(database);
  await makeJournalTables(site.url);
  const receiver = await startReceiver();
  const app = await startApp({
    databaseUrl: site.url,
    now: new Date().toISOString(),
    ...options,
    env: { CHANGES: 'on', SCHEDULER: 'on', ...options.env },
  });
  allowReceivers(app.nest, receiver.port);
  await journalReady(app);
  return {
    site,
    app,
    receiver,
    close: async () => {
      await app.close();
      await receiver.close();
      await site.drop();
    },
  };
}
