import { startApp, type TestApp } from './support/app.js';
import { loadRecording, recordedSite } from './support/replay.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

describeEither("the site's own addresses", (database) => {
  let site: Site;
  let app: TestApp;
  const recording = loadRecording('site-a/read');

  beforeAll(async () => {
    site = await makeSite(database, recordedSite('site-a/read'));
    app = await startApp({ databaseUrl: site.url, now: recording.now });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const get = async (path: string, accept = 'text/html') => {
    const response = await fetch(app.url + path, { redirect: 'manual', headers: { accept } });
    return {
      status: response.status,
      header: (name: string) => response.headers.get(name) ?? '',
      text: await response.text(),
    };
  };
  const follow = async (path: string) => {
    const { status, header } = await get(path);
    const target = new URL(header('location'), app.url + path);
    return [status, target.pathname + target.search, (await get(target.pathname + target.search)).status];
  };

  it.each([
    ['/events/', '/calendar'],
    ['/events', '/calendar'],
    ['/event/', '/calendar'],
    ['/venue/', '/calendar'],
    ['/organizer', '/calendar'],
    ['/events/list/', '/calendar?view=list'],
    ['/events/list/page/2/', '/calendar?view=list&page=2'],
    ['/events/month/', '/calendar?view=month'],
    ['/events/month/2027-05/', '/calendar?view=month&date=2027-05'],
    ['/events/2027-05/', '/calendar?view=month&date=2027-05'],
    ['/events/2027-05-18/', '/calendar?view=day&date=2027-05-18'],
    ['/events/day/2027-05-18/', '/calendar?view=day&date=2027-05-18'],
    ['/events/day/', '/calendar?view=day'],
    ['/events/today/', '/calendar?view=day'],
    ['/events/list/2027-05-18/', '/calendar?view=list&date=2027-05-18'],
    ['/events/list/?tribe_paged=2', '/calendar?view=list&page=2'],
    ['/events/category/music/2027-05-18/', '/calendar?view=day&date=2027-05-18&category=music'],
    ['/events/week/2027-05-18/', '/calendar?view=week&date=2027-05-18'],
    ['/events/category/music/', '/calendar?category=music'],
    [
      '/events/category/music/rock-roll/punk/month/2027-05/',
      '/calendar?view=month&date=2027-05&category=punk',
    ],
    ['/events/tag/cafe/list/', '/calendar?view=list&tag=cafe'],
    ['/tag/cafe/', '/calendar?tag=cafe'],
    [
      '/events/?tribe-bar-search=jazz&tribe-bar-date=2027-05-18',
      '/calendar?view=list&date=2027-05-18&search=jazz',
    ],
    ['/?post_type=tribe_events&eventDisplay=month&eventDate=2027-05', '/calendar?view=month&date=2027-05'],
    ['/?post_type=tribe_events&eventDisplay=day&eventDate=2027-05-18', '/calendar?view=day&date=2027-05-18'],
    ['/events/?tribe-bar-date=2027-05', '/calendar?view=month&date=2027-05'],
    ['/?tribe_events_cat=music', '/calendar?category=music'],
    ['/?tag=cafe', '/calendar?tag=cafe'],
  ])('redirects the archive %s to the calendar page once', async (path, target) => {
    expect(await follow(path)).toEqual([301, target, 200]);
  });

  it.each([
    '/events/past/',
    '/events/list/?eventDisplay=past',
    '/?post_type=tribe_events&eventDisplay=past',
    '/events/list/page/2/?eventDisplay=past',
  ])('redirects %s to the latest events that are over', async (path) => {
    const page = path.includes('page/2') ? 2 : 1;
    const ended = new URLSearchParams({
      ends_before: new Date(recording.now).toISOString().slice(0, 19).replace('T', ' '),
      ...{ strict_dates: 'true', orderby: 'start_date', order: 'desc', per_page: '20', page: String(page) },
    });
    const response = await get(`/cal/events/v1/events?${ended}`, 'application/json');
    const { events } = JSON.parse(response.text) as { events: { id: number; start_date: string }[] };
    const first = events.map(({ start_date: start }) => start.slice(0, 10)).toSorted()[0];
    const [status, target, found] = await follow(path);
    expect([status, found]).toEqual([302, 200]);
    expect(new URLSearchParams(String(target).split('?')[1]).get('date')).toMatch(
      first?.replace(/-01$/, '') ?? '',
    );
    const { text } = await get(String(target));
    const latest = page === 1 ? events.at(-1) : undefined;
    if (latest) expect(text).toContain(`event=${latest.id}`);
  });

  it('responds to unknown, hidden and malformed addresses with 404', async () => {
    const draft = recording.cases.flatMap((recorded) =>
      [
        ...JSON.stringify(recorded).matchAll(
          /\{site\}(\/\?post_type=tribe_(?:events|venue|organizer)&p=\d+)"/g,
        ),
      ].map(([, path]) => path ?? ''),
    );
    expect(draft.length).toBeGreaterThan(5);
    for (const path of [
      ...new Set(draft),
      '/venue/secret-cellar/',
      '/venue/nope/',
      '/organizer/nope/more/',
      '/events/category/gone/',
      '/events/category/',
      '/events/tag/gone/',
      '/events/2027-02-31/',
      '/events/list/odd/',
      '/events/month/2027-05/page/x/',
      '/events/list/?tribe_paged=x',
      '/tag/gone/',
      '/sitemap-event-99.xml',
      '/sitemap-odd-1.xml',
    ]) {
      const { status, header } = await get(path);
      expect([path, status, header('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
    }
  });

  it('responds to unknown addresses with a page for browsers and with JSON for programs', async () => {
    const page = await get('/no/such/page');
    expect([page.status, page.header('vary')]).toEqual([404, expect.stringContaining('Accept')]);
    expect(page.text).toContain('<h1>This page does not exist.</h1>');
    expect(page.text).toContain('<meta name="robots" content="noindex">');
    expect(page.text).toContain('href="../../calendar"');
    for (const [path, accept] of [
      ['/no/such/page', '*/*'],
      ['/no/such/page', 'application/json'],
      ['/cal/events/v1/nope', 'text/html'],
    ] as const) {
      const { status, text } = await get(path, accept);
      expect([path, status, (JSON.parse(text) as { code: string }).code]).toEqual([
        path,
        404,
        'rest_no_route',
      ]);
    }
  });

  it('lists public records in sitemaps that robots.txt names', async () => {
    const robots = await get('/robots.txt', '*/*');
    expect([robots.status, robots.text]).toEqual([
      200,
      'User-agent: *\nDisallow: /editor\n\nSitemap: http://calendar.example.org/wp-json/sitemap.xml\n',
    ]);
    const index = await get('/sitemap.xml', '*/*');
    expect(index.header('content-type')).toBe('application/xml; charset=utf-8');
    const files = [...index.text.matchAll(/<loc>[^<]*\/(sitemap-[^<]*)<\/loc>/g)].map(([, name]) => name);
    expect(files).toEqual(['sitemap-event-1.xml', 'sitemap-venue-1.xml', 'sitemap-organizer-1.xml']);
    const events = await get('/sitemap-event-1.xml', '*/*');
    const urls = [...events.text.matchAll(/<loc>http:\/\/calendar\.example\.org([^<]*)<\/loc>/g)].map(
      ([, path]) => path ?? '',
    );
    expect(urls.length).toBeGreaterThan(50);
    expect(new Set(urls).size).toBe(urls.length);
    const statuses = await Promise.all(urls.map(async (path) => (await get(path)).status));
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(events.text.match(/<lastmod>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ<\/lastmod>/g)).toHaveLength(
      urls.length,
    );
    expect((await get('/favicon.svg', 'image/*')).header('content-type')).toMatch(/^image\/svg\+xml/);
    expect(await follow('/favicon.ico')).toEqual([301, '/favicon.svg', 200]);
  });
});
