import { setTimeout as sleep } from 'node:timers/promises';
import { type CallHandler, Module, type NestInterceptor } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { map } from 'rxjs';
import { OWN_NAMESPACE } from '../../src/config/env.js';
import { EventIndexService } from '../../src/resources/events/index/event-index.service.js';
import { CacheWarmer } from '../../src/resources/events/cache-warmer.service.js';
import { Hooks } from '../../src/common/hooks/hooks.js';
import { DiskRecordStore } from '../../src/resources/record-cache/disk-record-store.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { credentials } from '../support/calendar-client.js';
import { serverMissing } from '../support/mariadb.js';
import { retry } from '../support/retry.js';
import { askOf } from '../support/own-mariadb.js';
import { rawRequest } from '../support/raw-request.js';
import { makeSite, type Site, SERVER_NAME } from '../support/sites.js';

const ALL = '/events?start_date=2000-01-01&end_date=2099-12-31&per_page=50';
/** Nothing has changed for so long that looks agree. */
const QUIET = 3200;
/** Longer than a look at the tables counts. */
const A_LOOK = 1000;

@Module({})
class HookPlugin {
  constructor(hooks: Hooks) {
    hooks.addFilter('rest_prepare_tribe_venue', (json: object) => json);
  }
}

/** Copies what it sees, as interceptors may. */
class CopyingInterceptor implements NestInterceptor {
  intercept(_: unknown, next: CallHandler) {
    return next.handle().pipe(map((body: object) => ({ ...body })));
  }
}

@Module({ providers: [{ provide: APP_INTERCEPTOR, useClass: CopyingInterceptor }] })
class InterceptorPlugin {}

interface Row {
  id: number;
  slug: string;
}

(serverMissing() ? describe.skip : describe)('events that are made ready', () => {
  let site: Site;
  let app: TestApp;
  /** A server that makes each answer when it is asked for. */
  let plain: TestApp;
  let listed: Row[];
  const ask = (sql: string) => askOf(site.url)(sql);
  const get = (
    server: TestApp,
    path: string,
    headers: Record<string, string> = {},
    namespace: string = OWN_NAMESPACE,
  ) => rawRequest(server.url, { path: `/${namespace}${path}`, headers });
  /** The statements that a request took, but for the looks at what changed. */
  const cost = async (path: string) => {
    app.statements();
    const { status, text, headers } = await get(app, path);
    return { status, text, etag: headers.etag, statements: app.statements().sql };
  };
  const start = async (more: Partial<Parameters<typeof startApp>[0]>) =>
    startApp({ databaseUrl: site.url, clockStands: true, ...more });
  const prepare = async (server = app) => {
    await server.nest.get(EventIndexService).settled();
    await server.nest.get(CacheWarmer).walk();
  };
  const same = async (path: string, headers?: Record<string, string>) => {
    const [ours, theirs] = await Promise.all([get(app, path, headers), get(plain, path, headers)]);
    const told = ({ status, text, headers: { etag, allow } }: typeof ours) => ({
      path,
      status,
      text,
      etag,
      allow,
    });
    expect(told(ours)).toEqual(told(theirs));
    return ours;
  };

  beforeAll(async () => {
    site = await makeSite(SERVER_NAME);
    const env = { API_NAMESPACES: `${OWN_NAMESPACE},other/v2` };
    app = await start({ env: { ...env, CACHE_DISK: '64mb' } });
    plain = await start({ env });
    await sleep(QUIET);
    await prepare();
    listed = (await ask(
      `SELECT DISTINCT p.ID AS id, p.post_name AS slug FROM wp_posts p JOIN wp_tec_occurrences o ON o.post_id = p.ID
       WHERE p.post_type = 'tribe_events' AND p.post_status = 'publish' ORDER BY p.ID`,
    )) as unknown as Row[];
  });
  afterAll(async () => {
    await app?.close();
    await plain?.close();
    await site?.drop();
  });

  it('are answered alone without their rows, as they would be', async () => {
    expect(listed.length).toBeGreaterThan(50);
    for (const { id, slug } of listed) {
      await same(`/events/${id}`);
      await same(`/events/by-slug/${slug}`);
    }
    const one = { id: 66, slug: '' };
    one.slug = listed.find(({ id }) => id === one.id)?.slug ?? '';
    await retry(async () => {
      expect(await cost(`/events/${one.id}?_envelope=1&a=${Math.random()}`)).toMatchObject({
        status: 200,
        statements: [],
      });
      const { statements } = await cost(`/events/by-slug/${one.slug}?_envelope=1`);
      expect(statements.filter((sql) => !/post_name/.test(sql))).toEqual([]);
    });
  });

  it('are shown by lists without their rows, as they would be', async () => {
    for (const page of [1, 2]) await same(`${ALL}&page=${page}`);
    const { text } = await get(plain, `${ALL}&per_page=10`);
    const ids = (JSON.parse(text) as { events: Row[] }).events.map(({ id }) => id);
    expect(ids).toHaveLength(10);
    for (const page of [1, 2, 3, 4]) await same(`${ALL}&per_page=7&page=${page}`);
  });

  it("are nobody else's: callers, forms, fields and other names of the interface get their own", async () => {
    const id = 66;
    for (const caller of ['subscriber', 'editor', 'admin'] as const) {
      await same(`/events/${id}`, credentials(caller));
      await same(`${ALL}&status=any`, credentials(caller));
    }
    for (const query of [
      '_format=clean',
      '_fields=id,title',
      'password=x',
      'context=edit',
      '_raw=1',
      '_pretty=1',
    ])
      await same(`/events/${id}?${query}`);
    await same(`${ALL}&_format=clean`);
    const other = await get(app, `/events/${id}`, {}, 'other/v2');
    expect(other.text).toBe((await get(plain, `/events/${id}`, {}, 'other/v2')).text);
    expect(other.text).toContain('other\\/v2');
  });

  describe('and then changed by another program', () => {
    const EVENT = 66;
    const VENUE = `(SELECT meta_value + 0 FROM wp_postmeta WHERE post_id = ${EVENT} AND meta_key = '_EventVenueID' LIMIT 1)`;
    const changes: readonly [what: string, sql: string, status: number][] = [
      ['its title', `UPDATE wp_posts SET post_title = 'Other' WHERE ID = ${EVENT}`, 200],
      [
        'its cost',
        `UPDATE wp_postmeta SET meta_value = '77' WHERE post_id = ${EVENT} AND meta_key = '_EventCost'`,
        200,
      ],
      [
        'its dates',
        `UPDATE wp_postmeta SET meta_value = '2090-01-01 10:00:00' WHERE post_id = ${EVENT} AND meta_key = '_EventStartDate'`,
        200,
      ],
      ['its venue', `UPDATE wp_posts SET post_title = 'Elsewhere' WHERE ID = ${VENUE}`, 200],
      [
        'the place of its venue',
        `UPDATE wp_postmeta SET meta_value = 'Oslo' WHERE post_id = ${VENUE} AND meta_key = '_VenueCity'`,
        200,
      ],
      [
        'its terms',
        `INSERT INTO wp_term_relationships VALUES (${EVENT}, (SELECT MAX(term_taxonomy_id) FROM wp_term_taxonomy WHERE taxonomy = 'tribe_events_cat'), 0)`,
        200,
      ],
      ['the name of a term', `UPDATE wp_terms SET name = CONCAT(name, ' B')`, 200],
      ['a password', `UPDATE wp_posts SET post_password = 'secret' WHERE ID = ${EVENT}`, 403],
      ['no password', `UPDATE wp_posts SET post_password = '' WHERE ID = ${EVENT}`, 200],
      [
        'hidden from lists',
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${EVENT}, '_EventHideFromUpcoming', 'yes')`,
        200,
      ],
      ['its venue is gone', `UPDATE wp_posts SET post_status = 'trash' WHERE ID = ${VENUE}`, 200],
      ['private', `UPDATE wp_posts SET post_status = 'private' WHERE ID = ${EVENT}`, 403],
      ['in the trash', `UPDATE wp_posts SET post_status = 'trash' WHERE ID = ${EVENT}`, 403],
      ['gone', `DELETE FROM wp_posts WHERE ID = ${EVENT}`, 404],
    ];

    for (const [what, sql, status] of changes)
      it(`are what they are by then: ${what}`, async () => {
        // Each time it is ready as it was before.
        await prepare();
        await same(`/events/${EVENT}`);
        await ask(sql);
        await sleep(A_LOOK);
        expect((await same(`/events/${EVENT}`)).status).toBe(status);
        for (const page of [1, 2]) await same(`${ALL}&page=${page}`);
      }, 30_000);

    it('those that are the same are compared, not read', async () => {
      await sleep(QUIET);
      await prepare();
      const [a, b] = [listed[1] as Row, listed[2] as Row];
      await ask(`UPDATE wp_posts SET post_title = CONCAT(post_title, '!') WHERE ID = ${a.id}`);
      await sleep(QUIET);
      await retry(async () => {
        const { statements } = await cost(`/events/${b.id}?_envelope=1`);
        expect(statements.length).toBeLessThanOrEqual(1);
        for (const statement of statements) expect(statement).toContain('BIT_XOR');
      });
      await same(`/events/${a.id}`);
      await same(`/events/${b.id}`);
    }, 30_000);

    it('none are left after a setting has another value', async () => {
      await prepare();
      await ask(
        "UPDATE wp_options SET option_value = '/archive/%post_id%/' WHERE option_name = 'permalink_structure'",
      );
      await ask(
        "UPDATE wp_options SET option_value = 'Pacific/Auckland' WHERE option_name = 'timezone_string'",
      );
      await sleep(A_LOOK);
      for (const { id } of listed.slice(0, 10)) await same(`/events/${id}`);
      await same(ALL);
      await prepare();
      for (const { id } of listed.slice(0, 10)) await same(`/events/${id}`);
    }, 30_000);

    it('who writes here sees it at once', async () => {
      const [{ id }] = listed.slice(5) as [Row];
      await prepare();
      await get(app, `/events/${id}`);
      const { status } = await rawRequest(app.url, {
        method: 'POST',
        path: `/${OWN_NAMESPACE}/events/${id}`,
        headers: { ...credentials('admin'), 'content-type': 'application/json' },
        body: JSON.stringify({ title: 'Written here' }),
      });
      expect(status).toBe(200);
      expect((await get(app, `/events/${id}`)).text).toContain('Written here');
      const pages = await Promise.all([1, 2, 3].map((page) => get(app, `${ALL}&page=${page}`)));
      expect(pages.map(({ text }) => text).join()).toContain('Written here');
    });
  });

  describe('are as many as may be', () => {
    const readyOf = async (more: Parameters<typeof start>[0]) => {
      const server = await start(more);
      try {
        await prepare(server);
        const { size } = server.nest.get(DiskRecordStore);
        for (const { id } of listed.slice(0, 3))
          expect((await get(server, `/events/${id}`)).text).toBe((await get(plain, `/events/${id}`)).text);
        return size;
      } finally {
        await server.close();
      }
    };

    it('all of a small calendar', async () => {
      expect(await readyOf({ env: { CACHE_DISK: '64mb' } })).toBeGreaterThan(50);
    });

    it('are the JSON that they are to interceptors of plugins', async () => {
      expect(await readyOf({ env: { CACHE_DISK: '64mb' }, plugins: [InterceptorPlugin] })).toBeGreaterThan(
        50,
      );
    });

    it('none where nothing is kept, or a plugin has a say', async () => {
      expect(await readyOf({ env: { CACHE_DISK: '64mb', CACHE: 'off' } })).toBe(0);
      expect(await readyOf({ env: { CACHE_DISK: '64mb' }, plugins: [HookPlugin] })).toBe(0);
      expect(await readyOf({ env: {} })).toBe(0);
    });
  });
});
