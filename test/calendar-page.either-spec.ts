import { REST_BASE_URL, startApp, type TestApp } from './support/app.js';
import { describeEither } from './support/sites.js';
import { needPages } from './support/web-pages.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const HOSTILE = '<script>alert(1)</script><img src=x onerror=alert(2)> "quoted" & \'odd\' <b>bold</b>';
const DESCRIPTION = `<p>Come <strong>early</strong> <a href="javascript:alert(3)">or</a> <a href="https://example.org/late" onclick="alert(4)">late</a>.</p>
<script>alert(5)</script><style>body{display:none}</style><iframe src="https://evil.example/"></iframe><form action="/x"><input name="y"></form>
<h1 style="color:red" id="settings">Big</h1></article></main><!-- </script> --></script>`;

/** Fetches a page as a browser without scripts does. */
async function open(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  const text = await response.text();
  const schema = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1];
  return {
    status: response.status,
    header: (name: string) => response.headers.get(name) ?? '',
    text,
    titles: [...text.matchAll(/<h3><a [^>]*>([^<]*)<\/a>/g)].map(([, title]) => title),
    schema: schema === undefined ? undefined : (JSON.parse(schema) as Record<string, unknown>[]),
    link: (rel: string) =>
      new RegExp(`<a rel="${rel}" href="([^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&'),
  };
}

interface Inlined {
  from: string;
  to: string;
  events: { id: number; title: string }[];
}

describeEither('the calendar page without scripts', (database) => {
  let fixture: WriteFixture;
  let page: (search?: string) => ReturnType<typeof open>;
  let hostileId: number;

  beforeAll(async () => {
    await needPages();
    fixture = await openWriteFixture(database, async (ask) => {
      await ask(
        "UPDATE wp_options SET option_value = '<Tom & Jerry''s> \"site\"' WHERE option_name = 'blogname'",
      );
      await ask("DELETE FROM wp_options WHERE option_name = 'WPLANG'");
      await ask("INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('WPLANG', '', 'yes')");
    });
    page = (search = '') => open(`${fixture.app.url}/calendar${search}`);
    const { id } = await fixture.create({
      title: HOSTILE,
      description: DESCRIPTION,
      excerpt: 'Short <script>alert(6)</script>',
      categories: ['Odd & <ends>'],
      website: 'https://example.org/?a=1&b="2"',
    });
    hostileId = Number(id);
  });
  afterAll(() => fixture?.close());

  it('shows cancelled and postponed events in text and schema.org data', async () => {
    const ids: number[] = [];
    for (const status of ['canceled', 'postponed', 'moved-online']) {
      const { id } = await fixture.create({ title: status });
      ids.push(Number(id));
      await fixture.ask(
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_tribe_events_status', '${status}')`,
      );
    }
    const pages = await Promise.all(ids.map((id) => page(`?event=${id}`)));
    expect(pages.map(({ text }) => /<p class="off">(.*?)<\/p>/.exec(text)?.[1])).toEqual([
      'Cancelled',
      'Postponed',
      undefined,
    ]);
    expect(pages.map(({ schema }) => (schema as unknown as Record<string, unknown>)['eventStatus'])).toEqual(
      ['EventCancelled', 'EventPostponed', 'EventScheduled'].map((name) => `https://schema.org/${name}`),
    );
    for (const id of ids) await fixture.send('admin', 'DELETE', `/events/${id}`);
  });

  it('lists upcoming events of the REST interface as an anonymous caller gets them, 20 per page', async () => {
    const { status, text, titles, link, header } = await page();
    expect([status, header('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const { body } = await fixture.send(
      'anonymous',
      'GET',
      '/events?ends_after=2091-03-01%2000:00:00&strict_dates=true&per_page=20',
    );
    const links = [...text.matchAll(/<h3><a href="[^"]*event=(\d+)"/g)].map(([, id]) => Number(id));
    expect(links).toEqual((body['events'] as { id: number }[]).map(({ id }) => id));
    expect(titles).toHaveLength(20);
    expect(text).toMatch(/^<!doctype html>\n<html lang="en-US" dir="ltr">/);
    expect(text).toContain('<meta name="description"');
    expect(text).toContain('<link rel="canonical" href="http://calendar.example.org/wp-json/calendar">');
    const second = await page(link('next')?.slice(link('next')?.indexOf('?')));
    expect(second.status).toBe(200);
    expect(second.titles).not.toEqual(titles);
    expect(link('prev')).toBe('./calendar?date=2091-02');
    const beyond = await page('?date=2091-02&page=9999');
    expect(beyond.status).toBe(404);
    expect(beyond.text).toContain('There is no page 9999 of these events.');
  });

  it('neither runs nor loads scripts and resources from titles or descriptions', async () => {
    for (const search of ['?search=quoted', `?event=${hostileId}`]) {
      const { status, text: all } = await page(search);
      // The featured images of events; those of texts have other attributes.
      const text = all.replaceAll(
        /<img src="http:\/\/calendar\.example\.org\/wp-content\/[\w/.-]+" alt="" loading="lazy">/g,
        '',
      );
      expect(status).toBe(200);
      expect(text).toContain('“quoted” &amp; ‘odd’ bold</');
      expect(text).not.toMatch(/<script(?! type="(module|application\/(ld\+)?json)")/);
      expect(text).not.toMatch(/<img|<iframe|<style|onerror=|onclick=|javascript:|alert\(5\)/);
      expect(text.match(/<form/g)?.length ?? 0).toBe(search.startsWith('?event') ? 0 : 1);
      expect(text.match(/<\/main>/g)).toHaveLength(1);
      expect(text).toContain('&lt;Tom &amp; Jerry&#39;s&gt; &quot;site&quot;');
    }
    const { text, schema } = await page(`?event=${hostileId}`);
    expect(text).toContain('<strong>early</strong>');
    expect(text).toContain('<a rel="nofollow noopener" href="https://example.org/late">late</a>');
    expect(text).toContain('<h3>Big</h3>');
    expect(text).toContain(`./cal/events/v1/events/${hostileId}.ics`);
    expect(schema).toMatchObject({ '@type': 'Event', name: '“quoted” & ‘odd’ bold' });
  });

  it('links to Google and Outlook with the dates of an event, whole days up to the day after', async () => {
    const linksOf = async (fields: Record<string, unknown>) => {
      const { id } = await fixture.create({ title: 'Ball & more', excerpt: 'Come', ...fields });
      const { text } = await page(`?event=${id}`);
      await fixture.send('admin', 'DELETE', `/events/${id}`);
      const address = (host: string) =>
        new URL(new RegExp(`href="(https://${host}/[^"]*)"`).exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '');
      return [
        Object.fromEntries(address('calendar.google.com').searchParams),
        Object.fromEntries(address('outlook.live.com').searchParams),
      ];
    };
    const timed = { start_date: '2091-07-01 20:00:00', end_date: '2091-07-01 22:00:00', timezone: 'UTC' };
    expect(await linksOf(timed)).toEqual([
      expect.objectContaining({
        action: 'TEMPLATE',
        text: 'Ball & more',
        dates: '20910701T200000Z/20910701T220000Z',
        details: 'Come',
      }),
      expect.objectContaining({
        subject: 'Ball & more',
        startdt: '2091-07-01T20:00:00Z',
        enddt: '2091-07-01T22:00:00Z',
        allday: 'false',
      }),
    ]);
    const days = { start_date: '2091-07-01', end_date: '2091-07-02', all_day: true };
    expect(await linksOf(days)).toEqual([
      expect.objectContaining({ dates: '20910701/20910703' }),
      expect.objectContaining({ startdt: '2091-07-01', enddt: '2091-07-03', allday: 'true' }),
    ]);
  });

  it('truncates very long descriptions', async () => {
    const description = `<p>First</p>${'<p>More &amp; more</p>'.repeat(20_000)}<p>Last</p>`;
    const { id } = await fixture.create({ title: 'Endless', description, excerpt: '' });
    const { text } = await page(`?event=${id}`);
    expect(text).toContain('<p>First</p>');
    expect(text).toContain('<p>…</p>');
    expect(text).not.toContain('Last');
    expect(text.length).toBeLessThan(150_000);
    await fixture.send('admin', 'DELETE', `/events/${id}`);
  });

  it('is cached until the content changes and ignores unknown query parameters', async () => {
    const first = await page('?date=2091-04');
    const tag = first.header('etag');
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    const repeated = await page('?date=2091-04&utm_source=x');
    expect([repeated.header('etag'), repeated.text]).toEqual([tag, first.text]);
    const revalidated = await open(`${fixture.app.url}/calendar?date=2091-04`, {
      headers: { 'If-None-Match': tag },
    });
    expect([revalidated.status, revalidated.text]).toEqual([304, '']);
    expect(revalidated.header('content-security-policy')).toContain("frame-ancestors 'self'");
    const { id } = await fixture.create({
      title: 'Quite new',
      start_date: '2091-04-01',
      end_date: '2091-04-01',
    });
    expect((await page('?date=2091-04')).titles).toContain('Quite new');
    const embedded = await page('?date=2091-04&embed=1');
    expect(embedded.header('etag')).not.toBe(tag);
    await fixture.send('admin', 'DELETE', `/events/${id}`);
    expect((await page('?date=2091-04')).titles).not.toContain('Quite new');
  });

  it('shows any day from 0001-01-01 to 9999-12-31', async () => {
    const { id } = await fixture.create({
      title: 'Last night',
      start_date: '9999-12-31 23:30:00',
      end_date: '9999-12-31 23:45:00',
      timezone: 'UTC',
    });
    const zone = (name: string) =>
      fixture.ask(`UPDATE wp_options SET option_value = '${name}' WHERE option_name = 'timezone_string'`);
    // In Berlin the event falls into the following year.
    await zone('Europe/Berlin');
    const { status, titles } = await page('?date=9999-12&zone=site');
    expect([status, titles]).toEqual([200, ['Last night']]);
    await zone('America/New_York');
    await fixture.send('admin', 'DELETE', `/events/${id}`);
    for (const date of ['1970-01-01', '1970-01', '1969-12-31', '0001-01-01', '9999-12-31'])
      expect([date, (await page(`?date=${date}`)).status]).toEqual([date, 200]);
  });

  it.each(['America/New_York', 'Asia/Tokyo', 'UTC'])(
    "begins the list of a day at the day's start on the clock of a site in %s",
    async (zone) => {
      const option = (name: string, value: string) =>
        fixture.ask(`UPDATE wp_options SET option_value = '${value}' WHERE option_name = '${name}'`);
      const ids: unknown[] = [];
      const day = { timezone: zone, venue: [], organizer: [] };
      for (const [title, start_date, end_date] of [
        ['Evening before', '2094-05-03 20:00:00', '2094-05-03 23:30:00'],
        ['After midnight', '2094-05-04 00:30:00', '2094-05-04 01:30:00'],
        ['Morning', '2094-05-04 08:00:00', '2094-05-04 09:00:00'],
      ])
        ids.push((await fixture.create({ ...day, title, start_date, end_date }))['id']);
      await option('timezone_string', zone);
      for (const query of ['', '&zone=site']) {
        const { titles } = await page(`?date=2094-05-04&view=list${query}`);
        expect([query, titles.slice(0, 3)]).toEqual([query, ['After midnight', 'Morning']]);
      }
      await option('timezone_string', 'America/New_York');
      for (const id of ids) await fixture.send('admin', 'DELETE', `/events/${id}`);
    },
  );

  it('contains schema.org data whose dates have a UTC offset', async () => {
    await fixture.create({
      title: 'Schema',
      start_date: '2091-07-01 20:00:00',
      end_date: '2091-07-01 22:00:00',
      timezone: 'America/New_York',
      venue: [{ venue: 'The Hall', address: '1 Main Street', city: 'Albany', country: 'United States' }],
      cost: '12',
    });
    const { schema } = await page('?search=Schema&date=2091-07');
    expect(schema).toEqual([
      expect.objectContaining({
        '@context': 'https://schema.org',
        '@type': 'Event',
        name: 'Schema',
        startDate: '2091-07-01T20:00:00-04:00',
        endDate: '2091-07-01T22:00:00-04:00',
        location: expect.objectContaining({
          '@type': 'Place',
          name: 'The Hall',
          address: expect.objectContaining({ streetAddress: '1 Main Street', addressLocality: 'Albany' }),
        }),
        offers: expect.objectContaining({ price: 12, priceCurrency: 'USD' }),
      }),
    ]);
  });

  it('contains the events of the month shown as the REST interface lists them, and of no other view', async () => {
    const inlined = async (search: string) => {
      const { text } = await page(search);
      const settings =
        /<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(text)?.[1] ?? '';
      return (JSON.parse(settings) as { inlined?: Inlined }).inlined;
    };
    const { id } = await fixture.create({ title: 'Inlined &amp; <i>shown</i>', categories: ['Inlined'] });
    for (const search of ['?date=2091-05&category=inlined', '?view=month&date=2091-05-09&category=odd']) {
      const { from = '', to = '', events = [] } = (await inlined(search)) ?? {};
      const params = new URLSearchParams({ ends_after: from, starts_before: to, strict_dates: 'true' });
      params.set('categories', search.split('category=')[1] ?? '');
      const { body } = await fixture.send('anonymous', 'GET', `/events?${params}`);
      const ids = (body['events'] as { id: number }[]).map((event) => event.id);
      expect([search, events.map((event) => event.id)]).toEqual([search, ids]);
      if (search.includes('=inlined')) expect([ids, events[0]?.title]).toEqual([[id], 'Inlined &amp; shown']);
    }
    await fixture.send('admin', 'DELETE', `/events/${id}`);
    expect((await inlined('?date=2091-04'))?.from).toBe('2091-03-24 00:00:00');
    for (const search of ['?view=week', '?view=list', '?date=0001-01', '?date=9999-12'])
      expect([search, await inlined(search)]).toEqual([search, undefined]);
  });

  it('applies filters as the REST interface does and selects them in the form', async () => {
    const { titles, text } = await page('?category=odd&view=&tag=&venue=&organizer=&search=&date=');
    expect(titles).toHaveLength(1);
    expect(text).toMatch(/<option value="odd" selected>Odd &amp;<\/option>/);
    expect((await page('?search=early')).titles).toContain('“quoted” &amp; ‘odd’ bold');
    for (const search of ['?search=nothing-has-this-word', '?category=gone', '?tag=gone', '?venue=999999']) {
      const { status, text: empty } = await page(search);
      expect([search, status, empty.includes('No events match these filters.')]).toEqual([search, 200, true]);
    }
    const { id, tags, organizer } = (await fixture.create({
      title: 'Filtered for',
      tags: ['Rare tag'],
      organizer: { organizer: 'Rare organizer' },
    })) as { id: number; tags: { slug: string }[]; organizer: { id: number }[] };
    for (const search of [`?tag=${tags[0]?.slug}`, `?organizer=${organizer[0]?.id}`])
      expect([search, (await page(search)).titles]).toEqual([search, ['Filtered for']]);
    expect((await page(`?tag=${tags[0]?.slug}&search=early`)).titles).toEqual([]);
    await fixture.send('admin', 'DELETE', `/events/${id}`);
    const venues = (await fixture.send('anonymous', 'GET', '/venues?per_page=1')).body['venues'] as {
      id: number;
    }[];
    const { body } = await fixture.send(
      'anonymous',
      'GET',
      `/events?ends_after=2000-01-01&strict_dates=true&per_page=20&venue=${venues[0]?.id}`,
    );
    expect((await page(`?venue=${venues[0]?.id}&date=2000-01-01`)).titles).toHaveLength(
      (body['events'] as unknown[]).length,
    );
  });

  it('rejects invalid parameters with 400, names them and shows no hidden record', async () => {
    for (const [search, name] of [
      ['?view=year', 'view'],
      ['?date=2091-02-30', 'date'],
      ['?date=soon', 'date'],
      ['?date=0000-01', 'date'],
      ['?zone=Europe/Berlin', 'zone'],
      ['?page=0', 'page'],
      ['?page=1e9', 'page'],
      ['?event=-1', 'event'],
      ['?event=1<script>', 'event'],
      ['?venue=abc', 'venue'],
      ['?embed=<x>', 'embed'],
      ['?theme=pink', 'theme'],
      ['?accent=red', 'accent'],
    ] as const) {
      const { status, text, header } = await page(search);
      expect([search, status]).toEqual([search, 400]);
      expect(text).toContain(`<p lang="en" dir="ltr">${name}`);
      expect(text).not.toMatch(/<script>|<x>/);
      expect(header('content-security-policy')).toContain("default-src 'none'");
    }
    // No link leads to an invalid date.
    expect((await page('?date=0001-01')).text).not.toContain('rel="prev"');
    const draft = await fixture.create({ title: 'Secret draft', status: 'draft' });
    const closed = await fixture.create({
      title: 'Closed',
      description: 'Only with a word',
      excerpt: 'Hush',
    });
    await fixture.ask(`UPDATE wp_posts SET post_password = 'word' WHERE ID = ${closed['id']}`);
    for (const id of [draft['id'], 999_999, 9])
      expect([id, (await page(`?event=${id}`)).status]).toEqual([id, 404]);
    expect((await page('?search=Secret')).titles).toEqual([]);
    const rendered = await page(`?event=${closed['id']}`);
    expect([rendered.status, rendered.schema]).toEqual([200, undefined]);
    expect(rendered.text).toContain('This event is protected by a password.');
    expect(rendered.text + (await page('?search=Closed')).text).not.toMatch(/Only with a word|Hush/);
    const visibleEvent = await fixture.create({
      title: 'Inside',
      venue: { venue: 'Hushed Hall', city: 'Kiel' },
    });
    await fixture.ask("UPDATE wp_posts SET post_password = 'word' WHERE post_title = 'Hushed Hall'");
    const eventPage = await page(`?event=${visibleEvent['id']}`);
    expect(eventPage.schema?.[0] ?? eventPage.schema).not.toHaveProperty('location');
    expect(eventPage.text).toMatch(/<dt>When/);
    expect(eventPage.text).not.toMatch(/<dt>Where|Hushed|Kiel/);
    // Cookies and passwords do not authenticate a request for the page.
    const signed = await open(`${fixture.app.url}/calendar?event=${draft['id']}&password=word`, {
      headers: { Cookie: 'wordpress_logged_in_x=admin', Authorization: 'Basic YWRtaW46eA==' },
    });
    expect(signed.status).toBe(404);
  });

  it('sends a strict Content-Security-Policy and allows framing of embeds only', async () => {
    const plain = await page();
    const policy = plain.header('content-security-policy');
    expect(policy).toContain("script-src 'self'; style-src 'self';");
    expect(policy).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'self'");
    // The uploads of this site are served over HTTP.
    expect(policy).toContain("img-src 'self' https: data: http://calendar.example.org;");
    expect(plain.header('x-content-type-options')).toBe('nosniff');
    expect(plain.header('referrer-policy')).toBe('strict-origin-when-cross-origin');
    expect(plain.text).not.toMatch(/ style=| on\w+="/);
    const embedded = await page('?embed=1');
    expect(embedded.header('content-security-policy')).toMatch(/frame-ancestors \*$/);
    expect(embedded.text).toContain(' class="embed"');
    expect(embedded.text).toContain('<input type="hidden" name="embed" value="1">');
    expect((await page('?embed=1&theme=dark')).text).toContain(' class="embed dark"');
    const script = await open(`${fixture.app.url}/calendar/embed.js`);
    expect([script.status, script.header('content-type'), script.header('x-content-type-options')]).toEqual([
      200,
      expect.stringContaining('javascript'),
      'nosniff',
    ]);
  });

  it('has hours with the digits and the clock of the format of the site', async () => {
    const { id } = await fixture.create({
      ...{ title: 'Breakfast', start_date: '2091-07-01 09:05:00', end_date: '2091-07-01 09:05:00' },
    });
    const option = (name: string, value: string) =>
      fixture.ask(`UPDATE wp_options SET option_value = '${value}' WHERE option_name = '${name}'`);
    const [{ v: before = '' } = {}] = (await fixture.ask(
      "SELECT option_value AS v FROM wp_options WHERE option_name = 'time_format'",
    )) as { v?: string }[];
    const slash = database === 'SQLite' ? '\\' : '\\\\';
    for (const [locale, format, time] of [
      ['de_DE', 'H:i', ' 09:05'],
      ['de_DE', 'G:i', ' 9:05'],
      ['', 'h:i a', ' 09:05.AM'],
      ['', 'g:i a', ' 9:05.AM'],
      // Letters behind a backslash are plain text.
      ['fr_FR', `G ${slash}h i`, ' 9:05'],
      ['fr_FR', `H${slash}hi`, ' 09:05'],
    ] as const) {
      await option('WPLANG', locale);
      await option('time_format', format);
      const [, when] = /<dd><time [^>]*>([^<]*)</.exec((await page(`?event=${id}`)).text) ?? [];
      expect([format, when?.replace(/\s/g, ' ')]).toEqual([format, expect.stringMatching(new RegExp(time))]);
      expect(/\bPM\b|\bAM\b/.test(when ?? '')).toBe(locale === '');
    }
    await option('time_format', before);
    await option('WPLANG', '');
    await fixture.send('admin', 'DELETE', `/events/${id}`);
  });

  it('accepts a trailing slash and uses the language of the site', async () => {
    await fixture.ask("UPDATE wp_options SET option_value = 'de_DE_formal' WHERE option_name = 'WPLANG'");
    const { text } = await open(`${fixture.app.url}/calendar/`);
    expect(text).toContain('<html lang="de-DE" dir="ltr">');
    expect(text).toContain('>Kommende Veranstaltungen</h2>');
    expect(text).toContain('action="../calendar"');
    for (const [search, name] of [
      ['?view=foo', 'view'],
      ['?venue=abc', 'venue'],
    ] as const) {
      const invalid = await page(search);
      expect([invalid.status, invalid.text.includes(`<p>Der Wert von „${name}“ ist ungültig.</p>`)]).toEqual([
        400,
        true,
      ]);
      expect(invalid.text).not.toContain('lang="en"');
    }
    await fixture.ask("UPDATE wp_options SET option_value = 'ar' WHERE option_name = 'WPLANG'");
    expect((await page()).text).toContain('<html lang="ar" dir="rtl">');
    await fixture.ask("UPDATE wp_options SET option_value = 'fa_IR' WHERE option_name = 'WPLANG'");
    const persian = await page('?date=2091-03-01&view=list');
    expect(persian.text).toContain('<html lang="fa-IR" dir="rtl">');
    expect(persian.text).toContain('۲۰۹۱');
    await fixture.ask("UPDATE wp_options SET option_value = '\"><x' WHERE option_name = 'WPLANG'");
    expect((await page()).text).toContain('<html lang="en" dir="ltr">');
    await fixture.ask("UPDATE wp_options SET option_value = '' WHERE option_name = 'WPLANG'");
  });

  it("links to the event's own page, and to a website only where there is another one", async () => {
    const home = (url: string) =>
      fixture.ask(`UPDATE wp_options SET option_value = '${url}' WHERE option_name = 'home'`);
    expect((await page(`?event=${hostileId}`)).text).toContain('>Page of this event</a>');
    await home(REST_BASE_URL);
    const { status, text } = await page(`?event=${hostileId}`);
    expect([status, text.includes('Page of this event')]).toEqual([200, true]);
    expect(text).toContain('>Website</dt>');
    // Without a website the event's URL is its page, which is the REST server itself here.
    const { id } = await fixture.create({ title: 'No website' });
    expect((await page(`?event=${id}`)).text).not.toContain('>Website</dt>');
    await home('http://calendar.example.org');
  });

  it('links the venue, its map and the organizer of an event as the page of the event does', async () => {
    const { id, slug, venue, organizer } = (await fixture.create({
      title: 'Linked',
      show_map: true,
      show_map_link: true,
      venue: {
        venue: 'Linked hall',
        address: '1 Main Street',
        city: 'Kiel',
        website: 'https://h.example.org',
      },
      organizer: { organizer: 'Linked crew', website: 'https://c.example.org' },
    })) as { id: number; slug: string; venue: { id: number; url: string }; organizer: { url: string }[] };
    await fixture.ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${venue.id}, '_VenueLat', '54.3'), (${venue.id}, '_VenueLng', '10.1')`,
    );
    const linksOf = ({ text }: { text: string }) =>
      ['Linked hall', 'Linked crew', 'Show on a map'].map(
        (name) => new RegExp(`<a href="([^"]*)"[^>]*>${name}</a>`).exec(text)?.[1],
      );
    const home = (url: string) =>
      fixture.ask(`UPDATE wp_options SET option_value = '${url}' WHERE option_name = 'home'`);
    const own = linksOf(await open(`${fixture.app.url}/event/${slug}/`));
    expect(own[2]).toContain('mlat=54.3');
    expect(linksOf(await page(`?event=${id}`))).toEqual([venue.url, organizer[0]?.url, own[2]]);
    await home(REST_BASE_URL);
    expect(linksOf(await page(`?event=${id}`))).toEqual(own.map((link) => link?.replace('../../', './')));
    await home('http://calendar.example.org');
    await fixture.send('admin', 'DELETE', `/events/${id}`);
  });

  it("receives redirects from the calendar's URLs, and leaves those of events to their pages", async () => {
    const redirectOf = async (path: string, init: RequestInit = {}) => {
      const reply = await fetch(fixture.app.url + path, { redirect: 'manual', ...init });
      return [reply.status, reply.headers.get('location')];
    };
    const { id, slug } = await fixture.create({ title: 'Büro open day' });
    const found = [200, null];
    for (const path of [`/event/${slug}/`, `/event/${slug}?x=1`, `/index.php/event/${slug}/`])
      expect([path, ...(await redirectOf(path))]).toEqual([path, ...found]);
    expect(await redirectOf(`/event/${slug}/`, { method: 'HEAD' })).toEqual(found);
    expect([await redirectOf('/events/'), await redirectOf('/events')]).toEqual([
      [301, '../calendar'],
      [301, './calendar'],
    ]);
    expect(await redirectOf('/event/')).toEqual([301, '../calendar']);
    const followed = await open(`${fixture.app.url}/event/${slug}/`);
    expect([followed.status, followed.text.includes('Büro open day')]).toEqual([200, true]);
    const notFound = [404, null];
    for (const path of ['/event/nope/', `/event/${slug}/more/`, '/events/nope/', '/evil'])
      expect([path, ...(await redirectOf(path))]).toEqual([path, ...notFound]);
    expect(await redirectOf(`/event/${slug}/`, { method: 'POST' })).toEqual(notFound);
    expect(await redirectOf(`/cal/events/v1/event/${slug}`)).toEqual(notFound);
    // Events that anonymous callers may not read have no page.
    for (const status of ['draft', 'private', 'pending']) {
      await fixture.ask(`UPDATE wp_posts SET post_status = '${status}' WHERE ID = ${id}`);
      expect([status, ...(await redirectOf(`/event/${slug}/`))]).toEqual([status, ...notFound]);
    }
    await fixture.ask(`UPDATE wp_posts SET post_status = 'publish' WHERE ID = ${id}`);
    const option = "option_name = 'tribe_events_calendar_options'";
    const [{ v: before = '' } = {}] = (await fixture.ask(
      `SELECT option_value AS v FROM wp_options WHERE ${option}`,
    )) as { v?: string }[];
    const off = 's:16:"rest-v1-disabled";b:1;';
    const count = Number(/^a:(\d+)/.exec(before)?.[1]) + 1;
    const disabled = before.replace(/^a:\d+:\{/, `a:${count}:{${off}`);
    await fixture.ask(
      `UPDATE wp_options SET option_value = '${disabled.replaceAll("'", "''")}' WHERE ${option}`,
    );
    expect([
      (await page()).status,
      await redirectOf('/events/'),
      await redirectOf(`/event/${slug}/`),
    ]).toEqual([404, notFound, notFound]);
    await fixture.ask(
      `UPDATE wp_options SET option_value = '${before.replaceAll("'", "''")}' WHERE ${option}`,
    );
    await fixture.send('admin', 'DELETE', `/events/${id}`);
  });

  it('honours PATH_PREFIX, API_NAMESPACES and EMBED_ORIGINS', async () => {
    let app: TestApp | undefined;
    try {
      app = await startApp({
        databaseUrl: fixture.databaseUrl,
        env: {
          PATH_PREFIX: '/wp-json',
          EMBED_ORIGINS: 'https://example.org',
          API_NAMESPACES: 'tribe/events/v1',
        },
      });
      const { text, header } = await open(`${app.url}/calendar?embed=1`);
      expect(text).toContain('"api":"./wp-json/tribe/events/v1"');
      expect(text).toContain('href="http://calendar.example.org/calendar"');
      expect(header('content-security-policy')).toMatch(/frame-ancestors 'self' https:\/\/example.org$/);
    } finally {
      await app?.close();
    }
  });
});
