import { DataSource } from 'typeorm';
import { readEnvironment } from '../src/config/env.js';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { startApp, type TestApp } from './support/app.js';
import { clientOf, type Send } from './support/calendar-client.js';
import { describeDatabases, makeSite, type Site } from './support/sites.js';

const NAMES = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'];
/** Dates before the year 0, which date columns cannot hold, and after the year 9999. */
const BEFORE = ['0000-00-00', '0000-00-00 00:00:00', '@-99999999999', '-99999999999'];
const AFTER = ['@999999999999', '9999-12-31 23:59:59'];
/** A well-formed cursor that the server never issued. */
const forgeCursor = (date: string) =>
  Buffer.from(JSON.stringify(['date DESC', date, 1])).toString('base64url');

/** Runs statements before a server starts. */
async function change(url: string, statements: readonly string[]): Promise<void> {
  const env = readEnvironment({ DATABASE_URL: url });
  const source = await new DataSource(dataSourceOptions(env)).initialize();
  for (const statement of statements) await source.query(statement);
  await source.destroy();
}

describeDatabases('dates outside the range of date columns', (database) => {
  // The event index, and SQL, which compares other columns in site time-zone mode.
  describe.each([
    ['64mb', 'event'],
    ['off', 'event'],
    ['off', 'site'],
  ])('with CACHE=%s and %s time-zone mode', (CACHE, mode) => {
    let site: Site;
    let app: TestApp;
    let send: Send;

    beforeAll(async () => {
      site = await makeSite(database);
      if (mode === 'site') {
        const zone = `UPDATE wp_options SET option_value = 'Asia/Kolkata' WHERE option_name = 'timezone_string'`;
        const calendar = `UPDATE wp_options SET option_value = 'a:1:{s:26:"tribe_events_timezone_mode";s:4:"site";}'
          WHERE option_name = 'tribe_events_calendar_options'`;
        await change(site.url, [zone, calendar]);
      }
      app = await startApp({ databaseUrl: site.url, env: { CACHE } });
      send = clientOf(app.url);
    });
    afterAll(async () => {
      await app?.close();
      await site?.drop();
    });

    const totals = async (name: string, value: string) => {
      const date = `${name}=${encodeURIComponent(value)}`;
      const found = [];
      for (const query of [date, `${date}&strict_dates=true`])
        for (const caller of ['anonymous', 'editor'] as const) {
          const { status, body } = await send(caller, 'GET', `/events?${query}`);
          found.push([query, caller, status, Number(body['total']) > 0]);
        }
      return found;
    };

    it('before the year 0 sort before all events in each of the six parameters', async () => {
      for (const name of NAMES)
        for (const value of BEFORE) {
          const hasEvents = ['start_date', 'starts_after', 'ends_after'].includes(name);
          for (const [query, caller, status, hasAny] of await totals(name, value))
            expect([query, caller, status, hasAny]).toEqual([query, caller, 200, hasEvents]);
        }
    });

    it('after the year 9999 return 200 in each of the six parameters', async () => {
      for (const name of NAMES)
        for (const value of AFTER)
          for (const [query, caller, status] of await totals(name, value))
            expect([query, caller, status]).toEqual([query, caller, 200]);
    });

    it.each(['0000-01-01T00:00:00%2B14:00', '0000-01-01', '9999-12-31T23:59:59-12:00'])(
      'modified_after and modified_before accept %s',
      async (instant) => {
        for (const name of ['modified_after', 'modified_before'])
          for (const path of ['/events', '/venues', '/organizers']) {
            const { status, body } = await send('editor', 'GET', `${path}?${name}=${instant}`);
            const hasEvents = (name === 'modified_after') === instant.startsWith('0000');
            expect([path, name, status, Number(body['total']) > 0]).toEqual([path, name, 200, hasEvents]);
          }
      },
    );

    it.each(['2091-00-10 24:00:00', '2091-00-10 10:00:60', '2091-13-00 10:00:00', '0000-06-31 10:00:00'])(
      'a forged cursor with the date %s returns 400',
      async (date) => {
        const { status, body } = await send('anonymous', 'GET', `/venues?cursor=${forgeCursor(date)}`);
        expect([status, body['code']]).toEqual([400, 'rest_invalid_param']);
      },
    );
  });
});
