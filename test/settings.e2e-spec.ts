import { setTimeout } from 'node:timers/promises';
import { Database } from '../src/database/database.js';
import { TableVersions } from '../src/database/table-versions.service.js';
import { type PhpValue, serialize } from '../src/lib/wordpress-text/php-serialize.js';
import { SettingsService } from '../src/wordpress/options/settings.service.js';
import { startApp, type TestApp } from './support/app.js';
import { settingsOf } from './support/content-types.js';
import { retry } from './support/retry.js';
import { makeSite, type Site } from './support/sites.js';

/** The calendar's own options, stored in one row. */
const calendar = (options: Readonly<Record<string, PhpValue>>) => ({
  tribe_events_calendar_options: serialize(new Map(Object.entries(options))),
});

describe('site settings', () => {
  it("use WordPress's defaults for missing and broken options", () => {
    for (const broken of ['', 'a:1:{i:0', 's:5:"abc";', 'b:0;', 'not serialised']) {
      const settings = settingsOf({ tribe_events_calendar_options: broken });
      expect(settings).toMatchObject({
        zone: 'UTC',
        perPage: 20,
        timezoneMode: 'event',
        dayCutoff: '00:00',
        restDisabled: false,
        defaultCommentStatus: 'open',
        customFields: [],
        frontPages: [],
        currency: { symbol: undefined, code: undefined, symbolAfter: false },
      });
      expect(settings.render).toMatchObject({ locale: 'en_US', useSmilies: true, theme: 'classic' });
      expect(settings).toMatchObject({ eventsSlug: 'events', singleEventSlug: 'event' });
      expect(settings.links.permalinkStructure).toBe('');
    }
  });

  it('omit the trailing slash of addresses', () => {
    const { links } = settingsOf({ home: 'https://example.org/blog/', siteurl: 'https://example.org/wp/' });
    expect([links.home, links.siteUrl]).toEqual(['https://example.org/blog', 'https://example.org/wp']);
  });

  it.each([
    [{ posts_per_page: '12' }, 12],
    [{ posts_per_page: '51' }, 50],
    [{ posts_per_page: '12', ...calendar({ posts_per_page: '7' }) }, 7],
    [{ posts_per_page: '12', ...calendar({ posts_per_page: 8 }) }, 8],
    [{ posts_per_page: '12', ...calendar({ posts_per_page: '' }) }, 12],
    [{ posts_per_page: '12', ...calendar({ posts_per_page: '0' }) }, 12],
    [{ posts_per_page: '-1' }, 20],
  ])('derive from %j a page size of %d', (options, size) => {
    expect(settingsOf(options).perPage).toBe(size);
  });

  it.each([
    ['Europe/Berlin', '3', 'Europe/Berlin'],
    ['', '', 'UTC'],
    ['', '0', 'UTC+0'],
    ['', '5.5', 'UTC+5.5'],
    ['', '-3.75', 'UTC-3.75'],
    ['', 'x', 'UTC'],
  ])('derive from timezone_string "%s" and gmt_offset "%s" the zone %s', (name, offset, zone) => {
    expect(settingsOf({ timezone_string: name, gmt_offset: offset }).zone).toBe(zone);
  });

  it.each([
    ['twentytwentyfive', 'block'],
    ['twentytwentytwo', 'block'],
    ['twentytwentyone', 'classic'],
    ['twentytwentyfive-child', 'classic'],
    ['', 'classic'],
  ])('treat the theme "%s" as a %s theme', (stylesheet, kind) => {
    expect(settingsOf({ stylesheet }).render.theme).toBe(kind);
  });

  it('prefer THEME_SUPPORT to the active theme', () => {
    const options = { stylesheet: 'twentytwentyfive' };
    expect(settingsOf(options, { themeSupport: 'classic-no-html5' }).render.theme).toBe('classic-no-html5');
  });

  it.each(['home', 'siteurl'])('use %s for both addresses when the other is missing', (name) => {
    const { links } = settingsOf({ [name]: 'http://example.org:8080/sub/' });
    expect([links.home, links.siteUrl]).toEqual(Array(2).fill('http://example.org:8080/sub'));
  });

  it("contain the calendar's options", () => {
    const field = new Map<string, PhpValue>([
      ['name', '_ecp_custom_2'],
      ['label', 'Dress code'],
      ['type', 'text'],
    ]);
    const settings = settingsOf(
      calendar({
        tribe_events_timezone_mode: 'site',
        multiDayCutoff: '04:00',
        defaultCurrencySymbol: '€',
        defaultCurrencyCode: 'EUR',
        reverseCurrencyPosition: true,
        'rest-v1-disabled': 'yes',
        showComments: 1,
        'custom-fields': new Map<string | number, PhpValue>([
          [0, field],
          [1, new Map()],
          [2, 'no field'],
        ]),
      }),
    );
    expect(settings).toMatchObject({
      timezoneMode: 'site',
      dayCutoff: '04:00',
      currency: { symbol: '€', code: 'EUR', symbolAfter: true },
      restDisabled: true,
      showComments: true,
      customFields: [{ name: '_ecp_custom_2', label: 'Dress code' }],
    });
  });

  it('contain the roles stored under the table prefix', () => {
    const roles = serialize(
      new Map<string, PhpValue>([
        ['guest', new Map<string, PhpValue>([['capabilities', new Map<string, PhpValue>([['read', true]])]])],
      ]),
    );
    expect(settingsOf({ x_user_roles: roles }, { prefix: 'x_' }).roles).not.toEqual(
      settingsOf({ x_user_roles: roles }).roles,
    );
  });

  it('contain the front pages', () => {
    expect(settingsOf({ page_on_front: '5', page_for_posts: '0' }).frontPages).toEqual([5]);
  });
});

describe('the settings service', () => {
  let site: Site;
  let app: TestApp;
  let service: SettingsService;

  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url });
    service = app.nest.get(SettingsService);
  });
  afterAll(async () => {
    await app.close();
    await site.drop();
  });

  const store = (value: string) =>
    app.dataSource.query("UPDATE wp_options SET option_value = ? WHERE option_name = 'timezone_string'", [
      value,
    ]);

  it('reads once for concurrent calls and not again within a second', () =>
    retry(async () => {
      service.forget();
      app.statements();
      const [first, second] = await Promise.all([service.current(), service.current()]);
      expect(second).toBe(first);
      expect(await service.current()).toBe(first);
      expect(app.statements().settings).toBe(1);
    }));

  it('returns the same object while nothing changes', async () => {
    const before = await service.current();
    service.forget();
    expect(await service.current()).toBe(before);
  });

  it('returns a changed option at once after forget()', async () => {
    await store('Asia/Tokyo');
    service.forget();
    expect((await service.current()).zone).toBe('Asia/Tokyo');
  });

  it('returns a write of another program after a second', async () => {
    await store('Europe/Paris');
    await setTimeout(1050);
    expect((await service.current()).zone).toBe('Europe/Paris');
  });

  it('does not wait for a read that started before a change', async () => {
    const database = app.nest.get(Database);
    const query = database.query.bind(database);
    const pending: (() => void)[] = [];
    const spy = jest.spyOn(database, 'query').mockImplementation(async (statement, manager) => {
      const rows = await query<never>(statement, manager);
      if (pending.length === 0 && statement.sql.includes('option_value'))
        await new Promise<void>((resolve) => pending.push(resolve));
      return rows;
    });
    const changes = app.nest.get(TableVersions);
    service.forget();
    const before = service.current();
    while (pending.length === 0) await setTimeout(1);
    await store('America/Lima');
    changes.invalidate();
    expect((await service.current()).zone).toBe('America/Lima');
    pending[0]?.();
    expect((await before).zone).toBe('Europe/Paris');
    expect((await service.current()).zone).toBe('America/Lima');
    spy.mockRestore();
  });
});
