import { startApp } from './app.js';
import { makeSite, type Site } from './sites.js';

/** A copy of the recorded site under another address, without posts. */
export async function makeEmptySite(...args: Parameters<typeof makeSite>): Promise<Site> {
  const site = await makeSite(...args);
  const app = await startApp({ databaseUrl: site.url });
  await app.dataSource.query(
    "UPDATE wp_options SET option_value = 'https://other.example.org' WHERE option_name = 'home'",
  );
  for (const table of ['posts', 'postmeta', 'tec_events', 'tec_occurrences', 'term_relationships'])
    await app.dataSource.query(`DELETE FROM wp_${table}`);
  await app.close();
  return site;
}
