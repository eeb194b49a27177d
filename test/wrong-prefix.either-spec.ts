import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from '../src/almanac.js';
import { doctor } from '../src/cli/doctor.js';
import { withSite } from '../src/cli/site-application.js';
import { verify } from '../src/cli/verify/verify.js';
import { readEnvironment } from '../src/config/env.js';
import { startApp, type TestApp } from './support/app.js';
import { type OldServer, startOldServer } from './support/old-server.js';
import { describeEither, makeSite, type Site } from './support/sites.js';
import { testFolder } from './support/test-folder.js';

const REASON =
  'The database holds no tables of a site with TABLE_PREFIX "blog_". There is a table wp_postmeta: is TABLE_PREFIX "wp_"?';

describeEither('a TABLE_PREFIX that no site has', (database) => {
  let site: Site;
  let app: TestApp;
  let old: OldServer;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url });
    old = await startOldServer(app.url);
  });
  afterAll(async () => {
    await old?.close();
    await app?.close();
    await site?.drop();
  });

  const env = () => readEnvironment({ DATABASE_URL: site.url, TABLE_PREFIX: 'blog_', SCHEDULER: 'off' });

  it('ends almanac verify with the prefix that exists, and without a report', async () => {
    const report = join(testFolder(), 'wrong-prefix');
    const options = { rate: 1000, concurrency: 1, timeout: 10 };
    await expect(verify({ against: old.url, env: env(), report, ...options })).rejects.toThrow(REASON);
    expect(existsSync(`${report}.json`)).toBe(false);
  });

  it('ends the other commands and the start of the server with the same sentence', async () => {
    await expect(doctor({ env: env() })).rejects.toThrow(REASON);
    await expect(withSite(async () => 'done', env())).rejects.toThrow(REASON);
    await expect(createServer({ env: env(), logger: false })).rejects.toThrow(REASON);
  });
});
