import ICAL from 'ical.js';
import { startApp, type TestApp } from './support/app.js';
import { clientOf, credentials } from './support/calendar-client.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const CALENDAR = 'text/calendar; charset=utf-8';
const ALL_DATES = 'start_date=2000-01-01&end_date=2099-01-01';

describeEither('iCalendar files and feeds', (database) => {
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({
      databaseUrl: site.url,
      env: { PATH_PREFIX: '/wp-json', API_NAMESPACES: 'cal/events/v1,tribe/events/v1' },
    });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET', body?: object) =>
    fetch(app.url + path, {
      method,
      headers: body ? { ...headers, 'Content-Type': 'application/json' } : headers,
      body: body ? JSON.stringify(body) : null,
    });
  const api = (path: string, headers: Record<string, string> = {}, method = 'GET', body?: object) =>
    ask(`/wp-json/cal/events/v1${path}`, headers, method, body);
  const rows = (statement: string): Promise<Record<string, unknown>[]> => app.dataSource.query(statement);
  const idsIn = (text: string) =>
    [...text.matchAll(/^UID:(\d+)@calendar\.example\.org\r$/gm)].map(([, id]) => Number(id));
  const idsOf = async (path: string, headers?: Record<string, string>) =>
    idsIn(await (await api(path, headers)).text());
  const json = async (path: string, headers?: Record<string, string>) =>
    (await (await api(path, headers)).json()) as { events: { id: number; slug: string }[]; total: number };
  const listed = async (query: string, headers?: Record<string, string>) =>
    (await json(`/events?per_page=50&${query}`, headers)).events.map(({ id }) => id);

  /** Waits until the next poll has detected foreign writes. */
  const pollInterval = () => new Promise((resolve) => setTimeout(resolve, 1100));

  it('contain the events of the list with the same parameters and caller', async () => {
    const admin = credentials('admin');
    const [term = {}] = await rows(
      `SELECT t.slug FROM wp_terms t JOIN wp_term_taxonomy x USING (term_id) WHERE x.taxonomy = 'tribe_events_cat' AND x.count > 3`,
    );
    const [venue = {}] = await rows(
      `SELECT meta_value AS id FROM wp_postmeta WHERE meta_key = '_EventVenueID' AND meta_value <> '0' LIMIT 1`,
    );
    for (const query of [
      ALL_DATES,
      `${ALL_DATES}&categories=${term['slug']}`,
      `${ALL_DATES}&venue=${venue['id']}`,
      `${ALL_DATES}&featured=true`,
      `${ALL_DATES}&search=the`,
      'include=53,54',
      'ends_before=2091-01-01',
      `${ALL_DATES}&per_page=3&page=2`,
    ]) {
      const found = await idsOf(`/events.ics?per_page=50&${query}`);
      expect([query, found]).toEqual([query, await listed(query)]);
      expect([query, found.length > 0]).toEqual([query, true]);
    }
    const drafts = await idsOf(`/events.ics?per_page=50&${ALL_DATES}&status=draft`, admin);
    expect(drafts).toEqual(await listed(`${ALL_DATES}&status=draft`, admin));
    expect(drafts.length).toBeGreaterThan(0);
    expect((await idsOf('/events.feed.json')).length).toBe(0);
    const feed = (await (await api(`/events.feed.json?per_page=50&${ALL_DATES}`)).json()) as {
      items: { id: string }[];
    };
    expect(feed.items.map(({ id }) => Number(id.split('p=').at(-1)))).toEqual(await listed(ALL_DATES));
  });

  it('contain hundreds of events from one month ago on, and link to the next page', async () => {
    const total = (await json(`/events?${ALL_DATES}`)).total;
    expect(total).toBeGreaterThan(50);
    expect((await idsOf(`/events.ics?${ALL_DATES}`)).length).toBe(total);
    expect((await idsOf(`/events.ics?${ALL_DATES}&per_page=5000`)).length).toBe(total);
    expect(await idsOf('/events.ics')).toEqual(await listed('start_date=2091-01-30&end_date=2093-03-01'));
    // A limited page starts with upcoming events.
    const first = await api('/events.ics?per_page=2&tags=');
    expect(first.status).toBe(400);
    const two = await api('/events.ics?per_page=2&x=1');
    expect(idsIn(await two.text())).toEqual((await listed('')).slice(0, 2));
    expect(two.headers.get('link')).toBe(
      '<http://calendar.example.org/wp-json/>; rel="https://api.w.org/", <http://calendar.example.org/wp-json/cal/events/v1/events.ics?per_page=2&page=2>; rel="next"',
    );
    const firstByCursor = await api('/events.ics?per_page=2&cursor=*');
    const [, nextPath = ''] =
      /, <http:\/\/calendar\.example\.org\/wp-json\/cal\/events\/v1([^>]*)>; rel="next"$/.exec(
        firstByCursor.headers.get('link') ?? '',
      ) ?? [];
    expect([idsIn(await firstByCursor.text()), await idsOf(nextPath)]).toEqual([
      (await listed('')).slice(0, 2),
      (await listed('')).slice(2, 4),
    ]);
    expect(await idsOf('/events/53.ics?_format=clean')).toEqual([53]);
    expect(await idsOf(`/events.ics?${ALL_DATES}&orderby=title&order=desc&per_page=50`)).toEqual(
      await listed(`${ALL_DATES}&orderby=title&order=desc`),
    );
    const rss = await (await api('/events.rss?per_page=2&password=secret')).text();
    expect(rss).toContain('events.rss?per_page=2&amp;page=2" type="application/rss+xml"/>');
    expect(rss).not.toContain('secret');
    expect(await (await ask('/wp-json/tribe/events/v1/events.atom')).text()).toContain(
      '/tribe/events/v1/events.atom"',
    );
  });

  it.each([
    ['/events.ics?categories=nope', 400, 'rest_invalid_param'],
    ['/events.ics?per_page=0', 400, 'rest_invalid_param'],
    ['/events.rss?start_date=never', 400, 'rest_invalid_param'],
    ['/events.ics?page=99', 404, 'event-archive-page-not-found'],
    ['/events.atom?page=99', 404, 'event-archive-page-not-found'],
    ['/events/999999.ics', 404, 'rest-event-not-found'],
    ['/events/x.ics', 404, 'rest_no_route'],
    ['/events/by-slug/nope.ics', 400, 'rest_invalid_param'],
    ['/venues.ics', 404, 'rest_no_route'],
    ['/events.feed', 404, 'rest_no_route'],
  ])('GET %s returns %i %s as JSON', async (path, status, code) => {
    const response = await api(path, { Accept: 'text/calendar' });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      status,
      'application/json; charset=UTF-8',
    ]);
    expect(await response.json()).toMatchObject({ code, data: { status } });
  });

  it('reject writes with 404 rest_no_route', async () => {
    const before = await rows('SELECT COUNT(*) AS n FROM wp_posts');
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const response = await api('/events/53.ics', credentials('admin'), method);
      expect([method, response.status, await response.json()]).toEqual([
        method,
        404,
        expect.objectContaining({ code: 'rest_no_route' }),
      ]);
    }
    expect(await rows('SELECT COUNT(*) AS n FROM wp_posts')).toEqual(before);
    const head = await api('/events.ics', {}, 'HEAD');
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, CALENDAR, '']);
    expect((await api('/events.ics', {}, 'OPTIONS')).status).toBe(200);
    expect((await ask('/feeds/events.ics')).status).toBe(404);
  });

  it('hide fields of password-protected events and unpublished events', async () => {
    const admin = credentials('admin');
    const [locked = {}] = await rows(
      `SELECT ID AS id, post_name AS slug FROM wp_posts p WHERE post_type = 'tribe_events' AND post_status = 'publish' AND post_password <> ''
       AND NOT EXISTS (SELECT 1 FROM wp_postmeta m WHERE m.post_id = p.ID AND m.meta_key = '_EventHideFromUpcoming') LIMIT 1`,
    );
    await rows(
      `UPDATE wp_posts SET post_content = 'Whisperings', post_excerpt = 'Whisperings' WHERE ID = ${locked['id']}`,
    );
    await rows(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${locked['id']}, '_tribe_events_status', 'canceled')`,
    );
    for (const path of ['/events.ics', '/events.rss', '/events.atom', '/events.feed.json'])
      for (const headers of [{}, admin]) {
        const text = await (await api(`${path}?include=${locked['id']}`, headers)).text();
        expect([
          path,
          text.includes(`${locked['id']}`),
          text.includes('Whisperings'),
          text.includes('CANCELLED'),
        ]).toEqual([path, true, false, false]);
      }
    for (const path of [`/events/${locked['id']}.ics`, `/events/by-slug/${locked['slug']}.ics`]) {
      const response = await api(path);
      expect([response.status, await response.json()]).toEqual([
        403,
        expect.objectContaining({ code: 'event-password-protected' }),
      ]);
    }
    const [draft = {}] = await rows(
      "SELECT ID AS id FROM wp_posts WHERE post_type = 'tribe_events' AND post_status = 'draft' LIMIT 1",
    );
    expect((await api(`/events/${draft['id']}.ics`)).status).toBe(403);
    const rendered = await api(`/events/${draft['id']}.ics`, admin);
    expect([rendered.status, rendered.headers.get('cache-control'), await rendered.text()]).toEqual([
      200,
      expect.stringContaining('no-store'),
      expect.stringContaining('STATUS:TENTATIVE'),
    ]);
    expect(await (await api(`/events.ics?${ALL_DATES}`)).text()).not.toContain('CLASS:PRIVATE');
  });

  it('are served by /events only when Accept prefers text/calendar', async () => {
    const jsonResponse = await api('/events/53');
    const text = await jsonResponse.text();
    expect(jsonResponse.headers.get('vary')).toBe('Origin, Accept-Encoding');
    const requested = { Accept: 'text/calendar, */*;q=0.1' };
    for (const [path, file] of [
      ['/events/53', '/events/53.ics'],
      [`/events?${ALL_DATES}`, `/events.ics?${ALL_DATES}`],
    ] as const) {
      const calendar = await api(path, requested);
      expect([calendar.status, calendar.headers.get('content-type'), calendar.headers.get('vary')]).toEqual([
        200,
        CALENDAR,
        'Origin, Accept, Accept-Encoding',
      ]);
      expect(await calendar.text()).toBe(await (await api(file)).text());
    }
    for (const Accept of ['*/*', 'text/calendar, application/json', 'text/html,*/*;q=0.8']) {
      const repeated = await api('/events/53', { Accept });
      expect([Accept, repeated.headers.get('content-type'), await repeated.text()]).toEqual([
        Accept,
        'application/json; charset=UTF-8',
        text,
      ]);
    }
    const deleted = await api('/events/999999?_method=DELETE', { ...requested, ...credentials('admin') });
    expect(deleted.headers.get('content-type')).toContain('json');
  });

  it('truncate very long descriptions and omit overlong Link headers', async () => {
    const description = `<p>First</p>${'<p>More &amp; more</p>'.repeat(20_000)}<p>Last</p>`;
    const created = await api('/events', credentials('admin'), 'POST', {
      title: 'Endless',
      description,
      start_date: '2091-06-01 10:00:00',
      end_date: '2091-06-01 11:00:00',
    });
    const { id } = (await created.json()) as { id: number };
    for (const path of [`/events/${id}.ics`, `/events.ics?include=${id}`, `/events.rss?include=${id}`]) {
      const text = await (await api(path)).text();
      expect([path, text.includes('First'), text.includes('…'), text.includes('Last')]).toEqual([
        path,
        true,
        true,
        false,
      ]);
      expect(text.length).toBeLessThan(400_000);
    }
    await api(`/events/${id}`, credentials('admin'), 'DELETE');
    const shortIds = (await listed(ALL_DATES)).slice(0, 3).join(',');
    const longIds = Array.from({ length: 800 }, (_, at) => 53 + at).join(',');
    for (const kind of ['ics', 'rss']) {
      const short = await api(`/events.${kind}?per_page=1&include=${shortIds}`);
      expect(short.headers.get('link')).toContain('rel="next"');
      const response = await api(`/events.${kind}?per_page=1&include=${longIds}`);
      expect([response.status, response.headers.get('link')?.includes('rel="next"')]).toEqual([200, false]);
    }
  });

  it('are revalidated with 304', async () => {
    for (const path of ['/events.ics', '/events/53.ics', '/events.rss', '/events.feed.json']) {
      const first = await api(`${path}?x`);
      const etag = first.headers.get('etag') ?? '';
      await first.text();
      expect((await api(`${path}?x`, { 'If-None-Match': etag })).status).toBe(304);
    }
    const old = await ask('/?ical=1');
    const repeated = await ask('/?ical=1', { 'If-None-Match': old.headers.get('etag') ?? '' });
    expect(repeated.status).toBe(304);
    const [option = {}] = await rows(
      "SELECT option_value AS v FROM wp_options WHERE option_name = 'blogname'",
    );
    await rows("UPDATE wp_options SET option_value = 'Grüße &amp; 🫖' WHERE option_name = 'blogname'");
    await pollInterval();
    const renamed = await (await ask('/?ical=1')).text();
    expect(renamed).toContain('\r\nX-WR-CALNAME:Grüße & 🫖\r\n');
    expect(renamed).toContain('\r\nREFRESH-INTERVAL;VALUE=DURATION:PT1H\r\n');
    await rows(`UPDATE wp_options SET option_value = '${option['v']}' WHERE option_name = 'blogname'`);
    await pollInterval();
  });

  it("are served at the calendar plugin's own iCalendar URLs, which need ical=1", async () => {
    const event = (await (await api('/events/53')).json()) as { id: number; slug: string };
    const [term = {}] = await rows(
      `SELECT t.slug FROM wp_terms t JOIN wp_term_taxonomy x USING (term_id) WHERE x.taxonomy = 'tribe_events_cat' AND x.count > 3`,
    );
    for (const [path, file] of [
      ['/?ical=1', '/events.ics'],
      ['/?outlook-ical=1&post_type=tribe_events', '/events.ics'],
      ['/events/?ical=1', '/events.ics'],
      ['/events/list/?ical=1', '/events.ics'],
      [`/events/category/${term['slug']}/?ical=1`, `/events.ics?categories=${term['slug']}`],
      ['/events/month/2091-03/?ical=1', '/events.ics?ends_after=2091-02-28&starts_before=2091-03-31'],
      [`/event/${event.slug}/?ical=1`, `/events/${event.id}.ics`],
    ] as const) {
      const response = await ask(path, { Accept: 'text/html,*/*;q=0.8' });
      expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, CALENDAR]);
      expect([path, await response.text()]).toEqual([path, await (await api(file)).text()]);
      expect((await ask(path, {}, 'POST')).status).toBe(404);
    }
    for (const path of ['/events/', '/events/?ical=0']) {
      const { status, headers } = await fetch(app.url + path, { redirect: 'manual' });
      expect([path, status, headers.get('location')]).toEqual([path, 301, '../calendar']);
    }
    for (const path of ['/event/x/', '/about/?ical=1', '/wp-json/cal/events/v1/nope?ical=1']) {
      const response = await ask(path);
      expect([path, response.status, await response.json()]).toEqual([
        path,
        404,
        expect.objectContaining({ code: 'rest_no_route' }),
      ]);
    }
    expect(await (await ask('/', { Accept: 'text/html' })).text()).toContain('<html');
    expect(await (await ask('/')).json()).toHaveProperty('namespaces');
    expect((await ask('/?rest_route=/&ical=1')).headers.get('content-type')).toContain('json');
  });

  it("are served at the calendar plugin's own feed URLs only", async () => {
    const [term = {}] = await rows(
      `SELECT t.slug FROM wp_terms t JOIN wp_term_taxonomy x USING (term_id) WHERE x.taxonomy = 'tribe_events_cat' AND x.count > 3`,
    );
    for (const [path, feed] of [
      ['/events/feed/', '/events.rss'],
      ['/?post_type=tribe_events&feed=rss2', '/events.rss'],
      ['/events/feed/atom/', '/events.atom'],
      [`/events/category/${term['slug']}/feed/`, `/events.rss?categories=${term['slug']}`],
    ] as const) {
      const response = await ask(path, { Accept: 'text/html,*/*;q=0.8' });
      expect([path, response.status]).toEqual([path, 200]);
      expect(await response.text()).toBe(await (await api(feed)).text());
    }
    for (const path of ['/feed/', '/event/tea/feed/', '/about/feed/'])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
    expect((await ask('/events/feed/', {}, 'POST')).status).toBe(404);
  });

  it("link to the calendar's home page and contain absolute links", async () => {
    const [post = {}] = await rows('SELECT post_content AS content FROM wp_posts WHERE ID = 53');
    const set = (content: unknown) =>
      app.dataSource.query('UPDATE wp_posts SET post_content = ? WHERE ID = 53', [content]);
    await set(
      '<a href="/menu">Menu</a> <img src="../tea.png" alt="" /> <a href="https://example.org/x">x</a>',
    );
    await pollInterval();
    const query = '?include=53';
    const feed = (await (await api(`/events.feed.json${query}`)).json()) as {
      home_page_url: string;
      items: { content_html: string }[];
    };
    expect(feed.home_page_url).toBe('http://calendar.example.org/events/');
    const html = feed.items[0]?.content_html ?? '';
    expect(html).toContain('href="http://calendar.example.org/menu"');
    expect(html).toContain('src="http://calendar.example.org/event/tea.png"');
    expect(html).toContain('href="https://example.org/x"');
    const rss = await (await api(`/events.rss${query}`)).text();
    expect(rss).toContain('<link>http://calendar.example.org/events/</link>');
    for (const text of [rss, await (await api(`/events.atom${query}`)).text()])
      expect(text).toContain('href=&quot;http://calendar.example.org/menu&quot;');
    await set(post['content']);
    await pollInterval();
  });

  it('keep the UID of an imported event and give its copy another one', async () => {
    const [one = 0, copy = 0, long = 0] = (await listed(ALL_DATES)).sort((a, b) => a - b);
    await rows(`INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES
      (${one}, '_almanac_import_uid', '5@elsewhere.example.org'), (${copy}, '_almanac_import_uid', '5@elsewhere.example.org'),
      (${long}, '_almanac_import_uid', 'sha256:abc')`);
    await pollInterval();
    const text = await (await api(`/events.ics?include=${one},${copy},${long}`)).text();
    expect([...text.matchAll(/^UID:(.*)\r$/gm)].map(([, uid]) => uid).sort()).toEqual(
      [`${copy}@calendar.example.org`, `${long}@calendar.example.org`, '5@elsewhere.example.org'].sort(),
    );
    expect(await (await api(`/events.rss?include=${one}`)).text()).toContain(
      `post_type=tribe_events&amp;p=${one}<`,
    );
    await rows("DELETE FROM wp_postmeta WHERE meta_key = '_almanac_import_uid'");
    await pollInterval();
  });

  it('contain costs as stored, with commas too', async () => {
    for (const cost of ['Adults 10, kids 5', 'Free, donations welcome', '10 - 20', 'Members, friends']) {
      const created = await api('/events', credentials('admin'), 'POST', {
        ...{ title: 'Costly', start_date: '2091-06-03 10:00:00', end_date: '2091-06-03 11:00:00', cost },
      });
      const { id } = (await created.json()) as { id: number };
      const file = new ICAL.Component(ICAL.parse(await (await api(`/events/${id}.ics`)).text()));
      const costInFile = String(file.getFirstSubcomponent('vevent')?.getFirstPropertyValue('x-almanac-cost'));
      expect(costInFile.replaceAll('\\,', ',')).toBe(cost);
      const repeated = await api(`/events/${id}`, credentials('admin'), 'POST', {
        cost: costInFile.replaceAll('\\,', ','),
      });
      expect(repeated.status).toBe(200);
      expect(
        await rows(
          `SELECT meta_value AS v FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '_EventCost'`,
        ),
      ).toEqual([{ v: cost }]);
      await api(`/events/${id}`, credentials('admin'), 'DELETE');
    }
  });

  it('are named after their filter', async () => {
    const [term = {}] = await rows(
      `SELECT t.slug, t.name, t.term_id AS id FROM wp_terms t JOIN wp_term_taxonomy x USING (term_id) WHERE x.taxonomy = 'tribe_events_cat' AND x.count > 3`,
    );
    const [venue = {}] = await rows(
      `SELECT p.ID AS id, p.post_title AS title FROM wp_posts p JOIN wp_postmeta m ON m.meta_key = '_EventVenueID' AND m.meta_value = p.ID WHERE p.post_status = 'publish' AND p.post_password = '' LIMIT 1`,
    );
    const [option = {}] = await rows(
      "SELECT option_value AS v FROM wp_options WHERE option_name = 'blogname'",
    );
    const site = String(option['v']).replaceAll('&amp;', '&');
    const name = String(term['name']).replaceAll('&amp;', '&');
    for (const [query, filter] of [
      ['', ''],
      [`categories=${term['slug']}`, ` – ${name}`],
      [`categories=${term['id']}`, ` – ${name}`],
      [`venue=${venue['id']}`, ` – ${venue['title']}`],
      ['search=tea', ' – "tea"'],
      ['featured=true', ' – featured true'],
      [
        `search=a&categories=${term['slug']}&start_date=2091-01-01`,
        ` – ${name} – "a" – start_date 2091-01-01`,
      ],
    ] as const) {
      const text = await (await api(`/events.ics?${query}`)).text();
      const file = new ICAL.Component(ICAL.parse(text));
      // The parser does not unescape properties that it does not know.
      const rendered = String(file.getFirstPropertyValue('x-wr-calname')).replace(/\\([\\;,])/g, '$1');
      expect([query, rendered]).toEqual([query, site + filter]);
      const feed = (await (await api(`/events.feed.json?${query}`)).json()) as { title: string };
      expect([query, feed.title]).toEqual([query, site + filter]);
    }
    await rows(`UPDATE wp_posts SET post_password = 'x' WHERE ID = ${venue['id']}`);
    await pollInterval();
    const locked = await (await api(`/events.rss?venue=${venue['id']}&x`)).text();
    expect(locked).toContain(`<title>${site.replaceAll('&', '&amp;')}</title>`);
    await rows(`UPDATE wp_posts SET post_password = '' WHERE ID = ${venue['id']}`);
    await pollInterval();
  });

  it('change their modification time with the venue, the organizers and the publication date', async () => {
    const create = await api('/events', credentials('admin'), 'POST', {
      title: 'Moved',
      start_date: '2091-06-02 10:00:00',
      end_date: '2091-06-02 11:00:00',
      venue: { venue: 'Moving hall' },
      organizer: { organizer: 'Moving people' },
    });
    const created = (await create.json()) as {
      id: number;
      venue: { id: number };
      organizer: { id: number }[];
    };
    const fileTimes = async () => {
      await pollInterval();
      const text = await (await api(`/events/${created.id}.ics`)).text();
      return [
        /LAST-MODIFIED:(.*)\r/.exec(text)?.[1],
        Number(/SEQUENCE:(\d+)/.exec(text)?.[1]) + Date.UTC(2025, 0, 1) / 1000,
      ];
    };
    const timesOf = (date: string) => [
      `${date.replace(/[-:]/g, '').replace(' ', 'T')}Z`,
      Date.parse(`${date}Z`) / 1000,
    ];
    for (const [id, date] of [
      [created.venue.id, '2091-08-01 00:00:00'],
      [created.organizer[0]?.id, '2091-09-01 00:00:00'],
      [created.id, '2091-10-01 00:00:00'],
    ] as const) {
      await rows(
        `UPDATE wp_posts SET post_modified = '${date}', post_modified_gmt = '${date}' WHERE ID = ${id}`,
      );
      expect(await fileTimes()).toEqual(timesOf(date));
    }
    const published = '2091-11-01 00:00:00';
    await rows(`UPDATE wp_posts SET post_date_gmt = '${published}' WHERE ID = ${created.id}`);
    expect(await fileTimes()).toEqual(timesOf(published));
    await api(`/events/${created.id}`, credentials('admin'), 'DELETE');
  });

  it('appear in /openapi.json but not in the recorded documents', async () => {
    const document = (await (await ask('/openapi.json')).json()) as {
      paths: Record<string, { get: Record<string, never> }>;
    };
    const feeds = Object.entries(document.paths).filter(([path]) =>
      /\.(ics|rss|atom|feed\.json)$/.test(path),
    );
    expect(feeds.map(([path]) => path)).toEqual([
      '/events.ics',
      '/events/{id}.ics',
      '/events/by-slug/{slug}.ics',
      '/events.rss',
      '/events.atom',
      '/events.feed.json',
    ]);
    expect(feeds[0]?.[1].get).toMatchObject({
      tags: ['feeds'],
      summary: expect.any(String),
      parameters: expect.arrayContaining([expect.objectContaining({ name: 'categories', in: 'query' })]),
      responses: { 200: { content: { 'text/calendar': { schema: { type: 'string' } } } } },
    });
    expect(feeds[0]?.[1]).not.toHaveProperty('servers');
    for (const path of ['', '/doc']) expect(await (await api(path)).text()).not.toMatch(/\.ics|\.rss|feeds/);
  });

  it('fold every line and describe every time zone', async () => {
    const send = clientOf(`${app.url}/wp-json`);
    const text = await (await api(`/events.ics?${ALL_DATES}`)).text();
    expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75 && !line.includes('\n'))).toBe(
      true,
    );
    const calendar = new ICAL.Component(ICAL.parse(text));
    const zones = calendar.getAllSubcomponents('vtimezone').map((zone) => zone.getFirstPropertyValue('tzid'));
    const used = [...text.replace(/\r\n /g, '').matchAll(/^DT(?:START|END);TZID="?([^":]+)"?:/gm)].map(
      ([, zone]) => zone,
    );
    expect(new Set(zones)).toEqual(new Set([...used, ...zones]));
    expect(zones).toEqual(expect.arrayContaining([...new Set(used)]));
    expect(zones).toHaveLength(new Set(zones).size);
    // A calendar without events contains its time zone alone.
    const { body } = await send('anonymous', 'GET', '/events?start_date=2200-01-01&end_date=2201-01-01');
    expect(body['total']).toBe(0);
    const empty = await (await api('/events.ics?start_date=2200-01-01&end_date=2201-01-01')).text();
    expect(new ICAL.Component(ICAL.parse(empty)).getAllSubcomponents().map(({ name }) => name)).toEqual([
      'vtimezone',
    ]);
  });

  it('return 404 while the REST interface is disabled', async () => {
    const [option = {}] = await rows(
      "SELECT option_value AS v FROM wp_options WHERE option_name = 'tribe_events_calendar_options'",
    );
    const disabledOptions = String(option['v']).replace(
      /^a:(\d+):\{/,
      (_, n) => `a:${Number(n) + 1}:{s:16:"rest-v1-disabled";b:1;`,
    );
    await rows(
      `UPDATE wp_options SET option_value = '${disabledOptions}' WHERE option_name = 'tribe_events_calendar_options'`,
    );
    await pollInterval();
    for (const path of ['/wp-json/cal/events/v1/events.ics', '/events/?ical=1'])
      expect((await ask(path)).status).toBe(404);
    await rows(
      `UPDATE wp_options SET option_value = '${option['v']}' WHERE option_name = 'tribe_events_calendar_options'`,
    );
  });
});
