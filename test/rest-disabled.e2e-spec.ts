import { OWN_NAMESPACE } from '../src/config/env.js';
import { SettingsService } from '../src/wordpress/options/settings.service.js';
import { startApp, type TestApp } from './support/app.js';
import { makeSite, type Site } from './support/sites.js';

describe('a disabled REST API', () => {
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url });
    await app.dataSource.query(
      `UPDATE wp_options SET option_value = 'a:1:{s:16:"rest-v1-disabled";b:1;}' WHERE option_name = 'tribe_events_calendar_options'`,
    );
    app.nest.get(SettingsService).forget();
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it.each(['', '/doc', '/events', '/venues/9', '/categories'])(
    'responds 404 rest_no_route to %s',
    async (path) => {
      const url = `${app.url}/${OWN_NAMESPACE}${path}`;
      const response = await fetch(url);
      expect(response.status).toBe(404);
      expect(response.headers.get('allow')).toBeNull();
      expect(await response.json()).toMatchObject({ code: 'rest_no_route' });
      const options = await fetch(url, { method: 'OPTIONS' });
      expect([options.headers.get('allow'), await options.json()]).toEqual([null, []]);
    },
  );
});
