import { TableVersions } from '../../src/database/table-versions.service.js';
import { startApp, type TestApp } from '../support/app.js';
import type { Ask } from '../support/invariants.js';
import { CROWD, crowd } from '../support/large-calendar.js';
import { retry } from '../support/retry.js';
import { describeDatabases, makeSite, SITE_A, type Site } from '../support/sites.js';
import { SeededRandom } from '../support/unusual-values.js';

const LISTS = 120;
/** A date within the generated calendar. */
const CLOCK = { now: '2091-02-15T12:00:00Z', clockStands: true };

describeDatabases('venues and organizers filtered by their events', (database) => {
  let site: Site;
  /** One caches which records have events, the other one always runs SQL. */
  let [caching, bare]: TestApp[] = [];
  const dice = new SeededRandom(3);

  beforeAll(async () => {
    site = await makeSite(database, SITE_A);
    caching = await startApp({ databaseUrl: site.url, ...CLOCK });
    bare = await startApp({ databaseUrl: site.url, ...CLOCK, env: { CACHE: 'off' } });
    const ask: Ask = (text) => caching?.dataSource.query(text) as ReturnType<Ask>;
    await crowd(ask, 400);
    const columns =
      'ID, post_title, post_date, post_type, post_status, post_content, post_excerpt, to_ping, pinged, post_content_filtered';
    for (const [type, ids] of [
      ['tribe_venue', CROWD.venues],
      ['tribe_organizer', CROWD.organizers],
    ] as const)
      for (const id of [...ids, ...ids.map((one) => one + 100)])
        await ask(
          `INSERT INTO wp_posts (${columns}) VALUES (${id}, 'Name ${id % 5}', '2080-01-0${1 + (id % 4)} 00:00:00', '${type}', '${id % 6 === 0 ? 'draft' : 'publish'}', '', '', '', '', '')`,
        );
    // Links that are no ids, dangling links, and links of draft, hidden and past events only.
    for (const [at, value] of [`'5101'`, `' 5102'`, `'5103x'`, `'5103.7'`, 'NULL', `''`, `'-5'`].entries())
      await ask(
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${100_000 + at}, '_EventVenueID', ${value})`,
      );
    await ask(`UPDATE wp_posts SET post_status = 'draft' WHERE ID = 100000`);
    await ask(`UPDATE wp_tec_occurrences SET start_date_utc = '2091-02-15 12:00:00' WHERE post_id = 100001`);
    await ask(`UPDATE wp_tec_occurrences SET start_date_utc = '2091-02-15 11:59:59' WHERE post_id = 100002`);
    caching.nest.get(TableVersions).invalidate();
  });
  afterAll(async () => {
    await caching?.close();
    await bare?.close();
    await site?.drop();
  });

  const listed = async (app: TestApp | undefined, path: string) => {
    const answer = await fetch(`${app?.url}/cal/events/v1/${path}`);
    const body = (await answer.json()) as Record<string, unknown>;
    const [many = ''] = path.split('?');
    const records = (body[many] ?? []) as { id: number }[];
    return { status: answer.status, ids: records.map(({ id }) => id), total: body['total'] };
  };

  const randomPath = () => {
    const maybe = (sides: number, text: string) => (dice.roll(sides) === 0 ? text : '');
    const has = dice.pick(['', '&has_events=1', '&has_events=0', '&has_events=']);
    const upcoming = maybe(2, '&only_with_upcoming=true');
    const order =
      maybe(3, `&orderby=${dice.pick(['title', 'modified', 'date', 'id'])}`) + maybe(4, '&search=Name 3');
    return `${dice.pick(['venues', 'organizers'])}?per_page=${dice.pick([1, 5, 50])}&page=${1 + dice.roll(3)}${has}${upcoming}${order}`;
  };

  it.each(['has_events', 'only_with_upcoming'])('W18: reject %s as a list with 400', async (name) => {
    for (const sent of [`${name}[]=1`, `${name}[a]=true`, `${name}[][]=`]) {
      const answer = await fetch(`${caching?.url}/cal/events/v1/venues?${sent}`);
      const { code, data } = (await answer.json()) as { code: string; data: { params: object } };
      expect([answer.status, code, Object.keys(data.params)]).toEqual([400, 'rest_invalid_param', [name]]);
    }
  });

  it('are those that SQL finds', async () => {
    const wrong: unknown[] = [];
    let found = 0;
    for (let at = 0; at < LISTS; at++) {
      const path = randomPath();
      const [one, other] = [await listed(caching, path), await listed(bare, path)];
      if (JSON.stringify(one) !== JSON.stringify(other)) wrong.push({ path, one, other });
      found += other.ids.length;
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(found).toBeGreaterThan(LISTS);
  });

  it('are looked up once for all requests, until something changes', async () => {
    const isLookUp = (text: string) => /FROM `?"?wp_postmeta/.test(text) && /GROUP BY CAST/.test(text);
    const ask = (page: number) =>
      listed(caching, `venues?has_events=1&only_with_upcoming=1&per_page=${page}`);
    const touch = async (id: number, venue: number) => {
      await caching?.dataSource.query(
        `UPDATE wp_postmeta SET meta_value = '${venue}' WHERE post_id = ${id} AND meta_key = '_EventVenueID'`,
      );
      caching?.nest.get(TableVersions).invalidate();
    };
    await retry(async () => {
      await touch(100_003, 5101);
      caching?.statements();
      await Promise.all(Array.from({ length: 12 }, (_, at) => ask(at + 1)));
      expect(caching?.statements().sql.filter(isLookUp)).toHaveLength(2);
    });
    const before = await ask(50);
    await caching?.dataSource.query(
      `UPDATE wp_postmeta SET meta_value = '0' WHERE meta_key = '_EventVenueID' AND meta_value = '${before.ids[0]}'`,
    );
    caching?.nest.get(TableVersions).invalidate();
    expect((await ask(50)).ids).toEqual(before.ids.slice(1));
  });
});
