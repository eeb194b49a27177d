import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { Hooks } from '../../src/common/hooks/hooks.js';
import { TableVersions } from '../../src/database/table-versions.service.js';
import { postHooks } from '../../src/resources/base/resource-hooks.js';
import { EVENT } from '../../src/resources/events/event-type.js';
import { CountCache } from '../../src/wordpress/posts/count-cache.service.js';
import { startApp, type TestApp } from '../support/app.js';
import type { Caller } from '../support/calendar-client.js';
import { type IndexFacts, IndexQueries, randomQuery } from '../support/index-queries.js';
import { CROWD, crowd } from '../support/large-calendar.js';
import { retry } from '../support/retry.js';
import {
  describeDatabase,
  describeDatabases,
  makeSite,
  SITE_A,
  SITE_D,
  type Site,
} from '../support/sites.js';
import { SeededRandom } from '../support/unusual-values.js';
import { openWriteFixture, type WriteFixture } from '../support/write-fixture.js';

const FILTERS = process.env['ALMANAC_LONG_TESTS'] === '1' ? 1000 : 100;
const MODES = [
  { timezoneMode: 'event', zone: 'America/New_York' },
  { timezoneMode: 'event', zone: 'UTC' },
  { timezoneMode: 'site', zone: 'Asia/Kolkata' },
] as const;

describeDatabases('the index of dates', (database) => {
  describe('returns the results of SQL', () => {
    const sites: Site[] = [];
    const apps: TestApp[] = [];
    const start = async (dump: string, events: number) => {
      const site = await makeSite(database, dump);
      sites.push(site);
      const app = await startApp({ databaseUrl: site.url });
      apps.push(app);
      await crowd((sql) => app.dataSource.query(sql), events);
      // Skips the second in which changes of other writers may go unnoticed.
      app.nest.get(TableVersions).invalidate();
      return app;
    };
    afterAll(async () => {
      for (const app of apps) await app.close();
      for (const site of sites) await site.drop();
    });

    /** Compares both; returns how often the index left the list to SQL. */
    const leftToSql = async (app: TestApp, known: IndexFacts, mode: object) => {
      const queries = await IndexQueries.of(app);
      const dice = new SeededRandom(5);
      const wrong: unknown[] = [];
      let [found, left] = [0, 0];
      for (let at = 0; at < FILTERS; at++) {
        const query = randomQuery(dice, known);
        const [answer, sqlResult] = [await queries.answer(query, mode), await queries.sql(query, mode)];
        if (!answer) left += 1;
        else if (JSON.stringify(answer) !== JSON.stringify(sqlResult))
          wrong.push({ query, answer, sqlResult });
        found += sqlResult.ids.length;
      }
      expect(wrong.slice(0, 3)).toEqual([]);
      expect(found).toBeGreaterThan(FILTERS);
      return left;
    };

    it.each(MODES)('on a crowded calendar, $timezoneMode mode in $zone', async (mode) => {
      const app = apps[0] ?? (await start(SITE_A, 3000));
      expect(await leftToSql(app, CROWD, mode)).toBe(0);
    });

    it('on the recorded site', async () => {
      const app = await start(SITE_A, 0);
      expect(await leftToSql(app, await knownOf(app), {})).toBe(0);
    });

    // Some events have links that are no ids.
    it('on the site of unusual records', async () => {
      const app = await start(SITE_D, 0);
      const left = await leftToSql(app, await knownOf(app), {});
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThan(FILTERS / 4);
    });

    const knownOf = async (app: TestApp): Promise<IndexFacts> => {
      const ids = async (sql: string) =>
        (await app.dataSource.query<{ id: number }[]>(sql)).map(({ id }) => Number(id));
      const linked = (key: string) =>
        ids(
          `SELECT DISTINCT CAST(meta_value AS DECIMAL) AS id FROM wp_postmeta WHERE meta_key = '${key}' AND CAST(meta_value AS DECIMAL) > 0`,
        );
      return {
        terms: await ids('SELECT DISTINCT term_taxonomy_id AS id FROM wp_term_relationships'),
        venues: await linked('_EventVenueID'),
        organizers: await linked('_EventOrganizerID'),
        from: Date.UTC(2089, 0, 1),
        days: 5 * 365,
      };
    };
  });

  describe('on a server', () => {
    let fixture: WriteFixture;
    let queries: IndexQueries;
    beforeAll(async () => {
      fixture = await openWriteFixture(database);
      queries = await IndexQueries.of(fixture.app);
    });
    afterAll(async () => fixture?.close());

    const ALL = 'start_date=2000-01-01&end_date=2099-12-31';
    // Each list is requested once, so that no result comes from the cache of another one.
    let requests = 0;
    const listed = async (caller: Caller = 'anonymous', filter = '') => {
      requests += 1;
      const { status, body } = await fixture.send(
        caller,
        'GET',
        `/events?${ALL}&per_page=50&ends_after=${1000 + requests}-01-01${filter}`,
      );
      if (status !== 200) throw new Error(JSON.stringify(body));
      return { ids: (body['events'] as { id: number }[]).map(({ id }) => id), total: Number(body['total']) };
    };
    const firstOf = async () => (await listed()).ids[0] ?? 0;
    const set = (id: number, status: string) =>
      fixture.ask(`UPDATE wp_posts SET post_status = '${status}' WHERE ID = ${id}`);
    const lists = (sql: string[]) => sql.filter((text) => text.includes('tec_occurrences'));

    it('runs no SQL for lists', async () => {
      const withoutSql = (caller?: Caller, filter?: string) =>
        retry(async () => {
          await queries.quiet();
          fixture.app.statements();
          const { total } = await listed(caller, filter);
          expect([total > 0, lists(fixture.app.statements().sql)]).toEqual([true, []]);
        });
      await withoutSql();
      await withoutSql('subscriber');
      await withoutSql('anonymous', '&geoloc_lat=0&geoloc_lng=0&geoloc_radius=20100');
      await listed('admin');
      expect(lists(fixture.app.statements().sql)).not.toEqual([]);
    });

    it('shows own creates and deletes at once', async () => {
      const { total } = await listed();
      const { id } = await fixture.create({
        start_date: '2001-01-01 10:00:00',
        end_date: '2001-01-01 11:00:00',
      });
      const then = await listed();
      expect([then.ids.includes(Number(id)), then.total]).toEqual([true, total + 1]);
      await fixture.send('admin', 'DELETE', `/events/${id}`);
      expect(await listed()).toMatchObject({ total });
    });

    it('hides what another program withdraws within a second', async () => {
      await queries.ready();
      const id = await firstOf();
      await set(id, 'draft');
      await sleep(1000);
      expect((await listed()).ids).not.toContain(id);
      await set(id, 'publish');
    });

    it('falls back to SQL for a page when one of its records is gone', async () => {
      await queries.quiet();
      const list = queries.list({ start_date: '2000-01-01', per_page: 50 });
      const page = await queries.index.page(list);
      const [id = 0] = page?.ids ?? [];
      await set(id, 'draft');
      const rows = (await page?.rows()) ?? [];
      expect(rows.map((row) => row.id)).toEqual((await list.rows()).map((row) => row.id));
      expect(rows.map((row) => row.id)).not.toContain(id);
      await set(id, 'publish');
    });

    it('falls back to SQL for lists that plugins filter', async () => {
      await queries.ready();
      const { total } = await listed();
      const id = await firstOf();
      let isHidden = true;
      fixture.app.nest
        .get(Hooks)
        .addFilter(postHooks(EVENT).query, (list) => (isHidden ? list.where(sql`p.ID <> ${id}`) : list));
      const narrowed = await listed();
      isHidden = false;
      expect([narrowed.ids.includes(id), narrowed.total]).toEqual([false, total - 1]);
      expect((await listed()).ids).toContain(id);
    });

    it('counts a list once when SQL answers it', async () => {
      const totals = fixture.app.nest.get(CountCache, { strict: false });
      const all = await retry(async () => {
        await queries.quiet();
        fixture.app.statements();
        const all = await Promise.all([1, 2, 3].map(() => totals.of(queries.list({ search: 'e' }))));
        expect(fixture.app.statements().sql.filter((text) => text.includes('COUNT('))).toHaveLength(1);
        return all;
      });
      expect(new Set(all)).toEqual(new Set([await queries.list({ search: 'e' }).total()]));
    });
  });

  it('is off when caching is off', async () => {
    const fixture = await openWriteFixture(database, undefined, { CACHE: 'off' });
    try {
      const queries = await IndexQueries.of(fixture.app);
      for (let count = 0; count < 3; count++) {
        expect(await queries.index.page(queries.list({}))).toBeUndefined();
        await queries.index.settled();
      }
    } finally {
      await fixture.close();
    }
  });
});

describeDatabase('the index of dates', 'SQLite', (database) => {
  it('is off when a stored date is invalid', async () => {
    const fixture = await openWriteFixture(database, async (ask) => {
      await ask(`UPDATE wp_tec_occurrences SET start_date = 'soon' WHERE post_id = 53`);
    });
    try {
      const queries = await IndexQueries.of(fixture.app);
      for (let count = 0; count < 3; count++) {
        expect(await queries.index.page(queries.list({}))).toBeUndefined();
        await queries.index.settled();
      }
    } finally {
      await fixture.close();
    }
  });
});
