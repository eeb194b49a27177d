import { TableVersions } from '../../src/database/table-versions.service.js';
import { EventIndexService } from '../../src/resources/events/index/event-index.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { IndexQueries } from '../support/index-queries.js';
import type { Ask } from '../support/invariants.js';
import { CROWD, crowd } from '../support/large-calendar.js';
import { retry } from '../support/retry.js';
import { describeDatabases, makeSite, SITE_A, type Site } from '../support/sites.js';
import { SeededRandom } from '../support/unusual-values.js';

const LISTS = process.env['ALMANAC_LONG_TESTS'] === '1' ? 1000 : 120;
const EVENTS = 1500;
const ORDERS = ['start_date', 'end_date', 'date', 'modified', 'title', 'id', 'distance'];
/** Titles with many ties, some of them only by collation. */
const TITLES = ['Music', 'music', 'Müsic', '', 'Zebra', 'a', 'A b', 'Ärger', '2 chairs', '“Quoted”', 'ß'];
const LONG = 'x'.repeat(99);
/** Requests both servers: each response must be the same list of ids, or the same error. */
interface Answer {
  status: number;
  ids: number[];
  total: unknown;
  next: unknown;
}

describeDatabases('orders of events', (database) => {
  let site: Site;
  /** One sorts in memory where it can, the other one always by SQL. */
  let [caching, bare]: TestApp[] = [];
  let requested: IndexQueries;
  const dice = new SeededRandom(11);

  beforeAll(async () => {
    site = await makeSite(database, SITE_A);
    caching = await startApp({ databaseUrl: site.url });
    bare = await startApp({ databaseUrl: site.url, env: { CACHE: 'off' } });
    const ask = (text: string) => caching?.dataSource.query(text) as ReturnType<Ask>;
    await crowd(ask, EVENTS);
    const pick = (list: readonly string[]) =>
      `CASE ID % ${list.length} ${list.map((text, at) => `WHEN ${at} THEN '${text}'`).join(' ')} END`;
    const events = `WHERE post_type = 'tribe_events' AND ID >= 100000`;
    await ask(
      `UPDATE wp_posts SET post_title = ${pick([...TITLES, `${LONG}ab`, `${LONG}ac`, `${LONG}b`])} ${events}`,
    );
    const dates = [
      '2090-02-01 10:00:00',
      '2090-02-01 10:00:01',
      '2090-03-02 23:59:59',
      '0000-00-00 00:00:00',
    ];
    await ask(
      `UPDATE wp_posts SET post_modified = ${pick(dates)}, post_modified_gmt = ${pick(dates.toReversed())} ${events}`,
    );
    const place = (id: number, key: string, value: number) =>
      ask(`INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '${key}', '${value}')`);
    const columns =
      'ID, post_title, post_type, post_status, post_content, post_excerpt, to_ping, pinged, post_content_filtered, post_password';
    for (const [at, id] of CROWD.venues.entries()) {
      await ask(
        `INSERT INTO wp_posts (${columns}) VALUES (${id}, 'Venue', 'tribe_venue', '${at === 3 ? 'draft' : 'publish'}', '', '', '', '', '', '${at === 4 ? 'secret' : ''}')`,
      );
      // Several have the same distance from every point.
      await place(id, '_VenueLat', 10 + Math.floor(at / 3));
      await place(id, '_VenueLng', 20);
    }
    caching.nest.get(TableVersions).invalidate();
    requested = await IndexQueries.of(caching);
    await requested.ready();
  });
  afterAll(async () => {
    await caching?.close();
    await bare?.close();
    await site?.drop();
  });

  const answerOf = async (app: TestApp | undefined, path: string): Promise<Answer> => {
    const answer = await fetch(`${app?.url}/cal/events/v1/events?${path}`);
    const body = (await answer.json()) as Record<string, unknown>;
    const events = (body['events'] ?? []) as { id: number }[];
    return {
      status: answer.status,
      ids: events.map(({ id }) => id),
      total: body['total'],
      next: body['next_cursor'],
    };
  };

  const randomPath = () => {
    const chance = (sides: number) => dice.roll(sides) === 0;
    const day = () => new Date(CROWD.from + dice.roll(CROWD.days) * 86_400_000).toISOString().slice(0, 10);
    const orderby = dice.pick([...ORDERS, undefined]);
    const changed = () =>
      dice.pick(['2090-02-01T10:00:00Z', '2090-02-01T10:00:01Z', '2090-03-02', '2089-01-01']);
    const around = orderby === 'distance' || chance(6);
    const all: Record<string, unknown> = {
      start_date: chance(2) ? '2000-01-01' : day(),
      end_date: chance(3) ? day() : '2099-12-31',
      orderby,
      order: dice.pick(['asc', 'desc', undefined]),
      modified_after: chance(4) ? changed() : undefined,
      modified_before: chance(6) ? changed() : undefined,
      featured: chance(6) ? chance(2) : undefined,
      venue: chance(8) ? dice.pick(CROWD.venues) : undefined,
      ...(around && { geoloc_lat: 11, geoloc_lng: 20, geoloc_radius: dice.pick([50, 120, 20_000]) }),
      per_page: dice.pick([1, 7, 50]),
    };
    return Object.entries(all)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
  };

  it('are those of SQL, on any page and after any cursor', async () => {
    const pages = jest.spyOn(
      caching?.nest.get(EventIndexService, { strict: false }) as EventIndexService,
      'page',
    );
    const wrong: unknown[] = [];
    let found = 0;
    for (let at = 0; at < LISTS; at++) {
      const path = randomPath();
      const further = dice.roll(2) === 0 ? `page=${1 + dice.roll(9)}` : 'cursor=*';
      let next: unknown = further;
      for (let steps = 0; steps < 3 && typeof next === 'string'; steps++) {
        const [one, other] = [
          await answerOf(caching, `${path}&${next}`),
          await answerOf(bare, `${path}&${next}`),
        ];
        if (JSON.stringify(one) !== JSON.stringify(other))
          wrong.push({ path: `${path}&${next}`, one, other });
        found += other.ids.length;
        next = typeof other.next === 'string' ? `cursor=${other.next}` : undefined;
      }
    }
    const left = (await Promise.all(pages.mock.results.map(({ value }) => value))).filter((page) => !page);
    pages.mockRestore();
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(found).toBeGreaterThan(LISTS);
    expect(left).toEqual([]);
  });

  it('continue after cursors whose record does not exist', async () => {
    const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const titles = [...TITLES, LONG, `${LONG}a`, 'MUSIC', 'mz', '~', 'zzz', '\u{1F600}', ' '];
    const cursors = ['asc', 'desc'].flatMap((order) => [
      ...titles.flatMap((title) =>
        [0, 100_700, 999_999].map(
          (id) => `orderby=title&order=${order}&cursor=${forged(`title ${order.toUpperCase()}`, title, id)}`,
        ),
      ),
      ...['2090-02-01 10:00:00', '2090-02-15 00:00:00', '0000-00-00 00:00:00', '9999-12-31 23:59:59'].map(
        (date) =>
          `orderby=modified&order=${order}&cursor=${forged(`modified ${order.toUpperCase()}`, date, 100_900)}`,
      ),
      `orderby=id&order=${order}&cursor=${forged(`id ${order.toUpperCase()}`, 100_100.5, 5)}`,
      `geoloc_lat=11&geoloc_lng=20&geoloc_radius=500&orderby=distance&order=${order}&cursor=${forged(`distance ${order.toUpperCase()}`, 111_195, 100_500)}`,
    ]);
    const wrong: unknown[] = [];
    for (const cursor of cursors) {
      const path = `start_date=2000-01-01&end_date=2099-12-31&per_page=5&${cursor}`;
      const [one, other] = [await answerOf(caching, path), await answerOf(bare, path)];
      if (JSON.stringify(one) !== JSON.stringify(other)) wrong.push({ path, one, other });
    }
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  it('are read once for concurrent requests, until something changes', async () => {
    let second = 0;
    const list = (orderby: string) => {
      second += 1;
      const start = new Date(Date.UTC(2000, 0, 1) + second * 1000).toISOString().slice(0, 19);
      return answerOf(
        caching,
        `strict_dates=true&start_date=${start}&end_date=2099-12-31&orderby=${orderby}`,
      );
    };
    const rename = async (id: number, title: string) => {
      await caching?.dataSource.query(`UPDATE wp_posts SET post_title = '${title}' WHERE ID = ${id}`);
      caching?.nest.get(TableVersions).invalidate();
    };
    // Statements that read more than some ids.
    const isLong = (text: string) => /ORDER BY|tec_occurrences/.test(text) && !/ IN \(|BETWEEN/.test(text);
    await retry(async () => {
      await rename(100_001, 'Another');
      await requested.quiet();
      caching?.statements();
      const answers = await Promise.all(Array.from({ length: 12 }, () => list('title')));
      expect(new Set(answers.map(({ ids }) => JSON.stringify(ids))).size).toBe(1);
      await list('title');
      expect(caching?.statements().sql.filter(isLong)).toEqual([expect.stringContaining('RANK()')]);
    });
    const before = await list('title');
    const [first = 0] = before.ids;
    await rename(first, 'zzzzzz');
    const after = await list('title');
    expect([after.total, after.ids.includes(first)]).toEqual([before.total, false]);
  });
});
