import { migrate } from '../../src/cli/migrate.js';
import { readEnvironment } from '../../src/config/env.js';
import { REST_BASE_URL, startApp, type TestApp, type TestAppOptions } from './app.js';
import { type DatabaseName, makeSite, type Site } from './sites.js';
import { allowReceivers, type Receiver, startReceiver } from './webhook-receiver.js';

/** A recorded site with the journal, a server that delivers, and a receiver. */
export interface WebhookSite {
  site: Site;
  app: TestApp;
  receiver: Receiver;
  close(): Promise<void>;
}

/** Makes the tables that `CHANGES=on` asks for. */
export async function makeChangeTables({ url: DATABASE_URL }: Site): Promise<void> {
  const env = readEnvironment({ DATABASE_URL, REST_BASE_URL, CHANGES: 'on' });
  await migrate({ env, say: () => undefined });
}

/** Opens it; receivers verify signatures by the real time, so the server has it too. */
export async function openWebhookSite(
  database: DatabaseName,
  options: Partial<TestAppOptions> = {},
): Promise<WebhookSite> {
  const site = await makeSite(database);
  await makeChangeTables(site);
  const receiver = await startReceiver();
  const app = await startApp({
    databaseUrl: site.url,
    now: new Date().toISOString(),
    ...options,
    env: { CHANGES: 'on', SCHEDULER: 'on', ...options.env },
  });
  allowReceivers(app.nest, receiver.port);
  for (const type of ['tribe_events', 'tribe_venue', 'tribe_organizer', 'post_tag', 'tribe_events_cat'])
    await app.dataSource.query(`INSERT INTO wp_almanac_records (record_id, record_type) VALUES (0, '${type}')`);
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
