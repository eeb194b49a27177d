import sql from 'sql-template-tag';
import { Hooks } from '../../src/common/hooks/hooks.js';
import { TableVersions } from '../../src/database/table-versions.service.js';
import { postHooks } from '../../src/resources/base/resource-hooks.js';
import { EVENT } from '../../src/resources/events/event-type.js';
import { startApp, type TestApp } from '../support/app.js';
import { type Caller, credentials } from '../support/calendar-client.js';
import { rawRequest } from '../support/raw-request.js';
import { describeDatabases, makeSite, type Site } from '../support/sites.js';
import { UnusualCalendar } from '../support/unusual-calendar.js';
import { SeededRandom } from '../support/unusual-values.js';

const SEED = 1;
const ROUNDS = 20;
const ASKED = 30;
const SECOND = 1000;
/** The seconds by which the clock advances; settings are cached for one. */
const PASSING = [2, 60, 3540, 86_400, 200 * 86_400];
const CALLERS: readonly Caller[] = [
  ...(['anonymous', 'anonymous', 'anonymous', 'subscriber'] as const),
  ...(['contributor', 'author', 'editor', 'admin'] as const),
];
/** Headers that depend on the time of the response, or on the cache. */
const APART = [
  'date',
  'etag',
  'last-modified',
  'cache-control',
  'vary',
  'x-request-id',
  'content-length',
  'transfer-encoding',
];

describeDatabases('responses with caches, compared with responses without', (database) => {
  let site: Site;
  let caching: TestApp;
  let plain: TestApp;
  let calendar: UnusualCalendar;
  const dice = new SeededRandom(SEED);

  beforeAll(async () => {
    site = await makeSite(database);
    const options = { databaseUrl: site.url, clockStands: true };
    caching = await startApp(options);
    plain = await startApp({ ...options, env: { CACHE: 'off' } });
    calendar = new UnusualCalendar(dice);
    for (const row of calendar.rows()) await change(row);
  });
  afterAll(async () => {
    await caching?.close();
    await plain?.close();
    await site?.drop();
  });

  /** A write that bypasses the server whose caches are tested. */
  const change = (statement: string) => plain.dataSource.query(statement);

  async function answer(app: TestApp, path: string, caller: Caller) {
    const requested = { path: `/cal/events/v1${path}`, headers: credentials(caller) };
    const { status, text, headers } = await rawRequest(app.url, requested);
    const visible = Object.entries(headers).filter(([name]) => !APART.includes(name));
    return JSON.stringify([status, Object.fromEntries(visible), text]);
  }

  /** The differences of repeated requests between changes and as time passes. */
  async function differing(): Promise<unknown[]> {
    const one = () => [calendar.request(), dice.pick(CALLERS)] as const;
    const pool = Array.from({ length: 3 * ASKED }, one);
    const wrong: unknown[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const changes = Array.from({ length: dice.pick([0, 1, 1, 2, 6]) }, () => calendar.change());
      for (const statement of changes) await change(statement);
      // Skips the second in which changes of other writers may go unnoticed.
      caching.nest.get(TableVersions).invalidate();
      const requested = Array.from({ length: ASKED }, () => {
        if (dice.roll(5) === 0) pool[dice.roll(pool.length)] = one();
        return dice.pick(pool);
      });
      // Responses cached before the clock advances are still cached after it.
      for (const passed of [2, dice.pick(PASSING)]) {
        for (const app of [caching, plain]) app.clock.pass(passed * SECOND);
        for (const [path, caller] of requested) {
          const cold = await answer(plain, path, caller);
          for (const time of ['first', 'again']) {
            const cached = await answer(caching, path, caller);
            if (cached === cold) continue;
            const at = [...cached].findIndex((letter, place) => letter !== cold[place]);
            const around = [cached, cold].map((text) => text.slice(Math.max(0, at - 80), at + 80));
            wrong.push({ round, path, caller, time, around, changes, passed });
          }
        }
      }
    }
    return wrong.slice(0, 5);
  }

  it('are the same for each user and request after each change', async () => {
    expect(await differing()).toEqual([]);
  });

  it('are the same where a plugin filters lists', async () => {
    for (const app of [caching, plain])
      app.nest
        .get(Hooks)
        .addFilter(postHooks(EVENT).query, (list, { context }) =>
          context.access.signedIn ? list : list.where(sql`p.ID % 3 <> 0`),
        );
    expect(await differing()).toEqual([]);
  });
});
