import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Injectable, Module } from '@nestjs/common';
import { html } from '../src/lib/html.js';
import { layout } from '../src/pages/public/templates/layout.js';
import { PageTemplates } from '../src/pages/public/templates/page-templates.js';
import type { PublicPage } from '../src/pages/public/templates/page-views.js';
import type { Replacement } from '../src/plugins/plugin.js';
import { REST_BASE_URL, startApp, type TestApp } from './support/app.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const HOSTILE = '<script>alert(1)</script> "quoted" & \'odd\' <b>bold</b>';

@Injectable()
class OurTemplates extends PageTemplates {
  override missing(page: PublicPage) {
    return layout(page, { title: 'Lost', description: 'Lost' }, html`<h1>Lost & found</h1>`);
  }
}

@Module({})
class OurPages {
  static readonly replaces: Replacement[] = [{ provide: PageTemplates, useClass: OurTemplates }];
}

interface Named {
  id: number;
  slug: string;
}

describeEither('pages of records', (database) => {
  let fixture: WriteFixture;

  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  const get = async (path: string, base = fixture.app.url) => {
    const response = await fetch(base + path, { redirect: 'manual', headers: { accept: 'text/html' } });
    const text = await response.text();
    const schema = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text)?.[1];
    return {
      status: response.status,
      header: (name: string) => response.headers.get(name) ?? '',
      text,
      schema: schema === undefined ? undefined : (JSON.parse(schema) as Record<string, unknown>),
      link: (rel: string) => new RegExp(`<a rel="${rel}" href="([^"]*)"`).exec(text)?.[1],
    };
  };
  const make = async (fields: Record<string, unknown>) =>
    (await fixture.create({ timezone: 'America/New_York', ...fields })) as unknown as Named & {
      venue: Named | Named[];
      organizer: Named[];
      url: string;
    };

  it('shows an event with its time, place, organizers, cost, terms and metadata', async () => {
    const event = await make({
      title: 'Street theatre',
      description: '<p>Bring <strong>chairs</strong>.</p>',
      start_date: '2092-07-01 20:00:00',
      end_date: '2092-07-01 22:00:00',
      cost: '12',
      website: 'https://tickets.example.org/street',
      show_map_link: true,
      categories: ['Open air'],
      tags: ['Street'],
      venue: { venue: 'Market Square', address: '1 Main Street', city: 'Albany', country: 'United States' },
      organizer: [{ organizer: 'The Troupe', website: 'https://troupe.example.org' }],
    });
    const venue = Array.isArray(event.venue) ? event.venue[0] : event.venue;
    const { status, text, schema, header } = await get(`/event/${event.slug}/`);
    expect([status, header('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const part of [
      '<h1>Street theatre</h1>',
      'July 1, 2092',
      '<strong>chairs</strong>',
      '1 Main Street, Albany, United States',
      'https://www.openstreetmap.org/search?query=',
      `<a href="../../venue/${venue?.slug}/">Market Square</a>`,
      `<a href="../../organizer/${event.organizer[0]?.slug}/">The Troupe</a>`,
      '>tickets.example.org</a>',
      'href="../../calendar?category=open-air">Open air</a>',
      `href="../../cal/events/v1/events/${event.id}.ics"`,
      `<link rel="canonical" href="http://calendar.example.org/event/${event.slug}/">`,
      '<meta property="og:title" content="Street theatre">',
      'type="application/rss+xml"',
      '<link rel="icon" href="../../favicon.svg" type="image/svg+xml">',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('noindex');
    expect(header('content-security-policy')).toContain("default-src 'none'");
    expect(schema).toMatchObject({
      '@type': 'Event',
      name: 'Street theatre',
      startDate: '2092-07-01T20:00:00-04:00',
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location: { '@type': 'Place', name: 'Market Square', address: { '@type': 'PostalAddress' } },
      organizer: { '@type': 'Organization', name: 'The Troupe', url: 'https://troupe.example.org/' },
      offers: { price: 12, priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
    });
    const place = await get(`/venue/${venue?.slug}/`);
    expect(place.text).toContain('<h1>Market Square</h1>');
    expect(place.text).toContain(`<a href="../../event/${event.slug}/">Street theatre</a>`);
    expect(place.text).toContain(`href="../../calendar?venue=${venue?.id}"`);
    expect(place.schema).toMatchObject({ '@context': 'https://schema.org', '@type': 'Place' });
    const troupe = await get(`/organizer/${event.organizer[0]?.slug}/`);
    expect(troupe.text).toContain('<h1>The Troupe</h1>');
    expect(troupe.text).toContain('>Street theatre</a>');
    expect(troupe.schema).toMatchObject({ '@type': 'Organization', name: 'The Troupe' });
  });

  it('isolates names, addresses, phone numbers, costs and descriptions from the direction of the page', async () => {
    const event = await make({
      title: 'Rope',
      description: '<p>Bring chairs.</p>',
      cost: '12',
      website: 'https://tickets.example.org/rope',
      venue: {
        ...{ venue: 'Ropewalk Yard', address: '18 Ropewalk', zip: 'E1 8LZ', city: 'London' },
        ...{ phone: '+49 30 5550 1212', website: 'https://yard.example.org', description: 'Big.' },
      },
      organizer: { organizer: 'Rope makers', phone: '+1 555 1', email: 'rope@example.org' },
    });
    const venue = Array.isArray(event.venue) ? event.venue[0] : event.venue;
    const [organizer] = event.organizer;
    const pages = [
      `/event/${event.slug}/`,
      `/calendar?event=${event.id}`,
      `/venue/${venue?.slug}/`,
      `/organizer/${organizer?.slug}/`,
    ];
    const [own, details, place, makers] = await Promise.all(
      pages.map(async (path) => (await get(path)).text),
    );
    for (const text of [own, details]) {
      expect(text).toMatch(
        /<bdi><a href="[^"]*"[^>]*>Ropewalk Yard<\/a><\/bdi><br><bdi>18 Ropewalk, E1 8LZ London</,
      );
      expect(text).toMatch(/<bdi><a href="[^"]*"[^>]*>Rope makers<\/a><\/bdi>/);
      expect(text).toContain('<bdi>$12</bdi>');
      expect(text).toMatch(/<a href="https:\/\/tickets[^>]* dir="ltr"/);
      expect(text).toContain('<div class="description" dir="auto">');
    }
    expect(place).toContain('<a dir="ltr" href="tel:+493055501212">+49 30 5550 1212</a>');
    expect(place).toContain('<dd><bdi>18 Ropewalk, E1 8LZ London</bdi>');
    expect(place).toMatch(/<a href="https:\/\/yard[^>]* dir="ltr"/);
    expect(place).toContain('<div class="description" dir="auto">');
    expect(makers).toContain('<a dir="ltr" href="tel:+15551">');
    expect(makers).toContain('<a dir="ltr" href="mailto:rope@example.org">');
  });

  it('links its name to the home of the site, and to the calendar where that is the root of the server', async () => {
    const event = await make({
      title: 'Named',
      venue: { venue: 'Named hall' },
      organizer: { organizer: 'Named crew' },
    });
    const venue = Array.isArray(event.venue) ? event.venue[0] : event.venue;
    const names = async () =>
      Promise.all(
        [
          '/calendar',
          `/event/${event.slug}/`,
          `/venue/${venue?.slug}/`,
          `/organizer/${event.organizer[0]?.slug}/`,
        ].map(async (path) => /<header><(?:p|h1)><a href="([^"]*)">/.exec((await get(path)).text)?.[1]),
      );
    const home = (url: string) =>
      fixture.ask(`UPDATE wp_options SET option_value = '${url}' WHERE option_name = 'home'`);
    expect(await names()).toEqual(Array(4).fill('http://calendar.example.org/'));
    for (const url of [REST_BASE_URL, `${REST_BASE_URL}/`]) {
      await home(url);
      expect(await names()).toEqual(['./calendar', ...Array<string>(3).fill('../../calendar')]);
    }
    await home('http://calendar.example.org');
  });

  it('links events to those before and after, also to those that start at the same time', async () => {
    const starts = [
      '2093-01-01 10:00:00',
      '2093-01-02 10:00:00',
      '2093-01-02 10:00:00',
      '2093-01-03 10:00:00',
    ];
    const slugs: string[] = [];
    for (const [at, start_date] of starts.entries())
      slugs.push((await make({ title: `Row ${at}`, start_date, end_date: start_date })).slug);
    const visited: string[] = [];
    let path: string | undefined = `/event/${slugs[0]}/`;
    for (let step = 0; step < 4 && path !== undefined; step++) {
      visited.push(path);
      path = (await get(path)).link('next')?.replace('../..', '');
    }
    expect(visited).toEqual(slugs.map((slug) => `/event/${slug}/`));
    for (const [at, slug] of slugs.entries())
      if (at > 0) expect((await get(`/event/${slug}/`)).link('prev')).toBe(`../../event/${slugs[at - 1]}/`);
  });

  it("links events in an hour that the site's clock skips to those before and after", async () => {
    const slugs: string[] = [];
    for (const time of ['02:20', '02:40', '02:50', '03:10']) {
      const start_date = `2093-03-08 ${time}:00`;
      const fields = { title: `At ${time}`, start_date, end_date: start_date, timezone: 'Europe/Berlin' };
      slugs.push((await make(fields)).slug);
    }
    const links = [];
    for (const slug of slugs) {
      const { link } = await get(`/event/${slug}/`);
      links.push([link('prev'), link('next')]);
    }
    const to = (at: number) => `../../event/${slugs[at]}/`;
    expect([links[0]?.[1], links[1], links[2], links[3]?.[0]]).toEqual([
      to(1),
      [to(0), to(2)],
      [to(1), to(3)],
      to(2),
    ]);
  });

  it('describes online events and venues without an address', async () => {
    const online = await make({ title: 'Webinar', website: 'https://meet.example.org/1' });
    const { schema } = await get(`/event/${online.slug}/`);
    expect(schema).toMatchObject({
      eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
      location: { '@type': 'VirtualLocation', url: 'https://meet.example.org/1' },
    });
    const bare = await make({ title: 'Bare', venue: { venue: 'Only a name' } });
    expect((await get(`/event/${bare.slug}/`)).schema).toMatchObject({
      location: { '@type': 'Place', name: 'Only a name', address: 'Only a name' },
    });
  });

  it('have images of descriptions that are among the uploads of the site, and none from elsewhere', async () => {
    const uploads = 'calendar.example.org/wp-content/uploads/2091/05';
    const { slug } = await make({
      title: 'With images',
      description: `<figure><img class="big" src="http://${uploads}/quay.jpg" alt="The &quot;quay&quot;" width="800" onerror="alert(1)"><figcaption>At night</figcaption></figure>
        <img src="https://${uploads}/boat.jpg"><img src="https://tracker.example.net/p.gif">
        <img src="https://${uploads.replace('/2091', '.example.net')}/x.gif"><img src="javascript:alert(2)">`,
    });
    const { text } = await get(`/event/${slug}/`);
    expect(text.match(/<img [^>]*>/g)).toEqual([
      `<img loading="lazy" src="http://${uploads}/quay.jpg" alt="The &quot;quay&quot;" width="800">`,
      `<img loading="lazy" src="https://${uploads}/boat.jpg">`,
    ]);
    expect(text).toContain('<figcaption>At night</figcaption>');
    const only = await make({ title: 'Only an image', description: `<img src="http://${uploads}/a.jpg">` });
    expect((await get(`/event/${only.slug}/`)).text).toContain('/a.jpg"');
  });

  it('shows nothing of what a password or a status hides, and runs no script of a record', async () => {
    const hostile = await make({
      title: HOSTILE,
      description: `${HOSTILE}<img src=x onerror=alert(2)>`,
      venue: { venue: HOSTILE },
      organizer: { organizer: HOSTILE },
    });
    const venue = Array.isArray(hostile.venue) ? hostile.venue[0] : hostile.venue;
    for (const [post, key, value] of [
      [venue?.id, '_VenueURL', 'javascript:alert(3)'],
      [venue?.id, '_VenuePhone', '"><x 1'],
      [hostile.organizer[0]?.id, '_OrganizerEmail', '"><x@example.org'],
      [hostile.organizer[0]?.id, '_OrganizerWebsite', 'javascript:alert(4)'],
    ]) {
      await fixture.ask(`DELETE FROM wp_postmeta WHERE post_id = ${post} AND meta_key = '${key}'`);
      await fixture.ask(
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${post}, '${key}', '${value}')`,
      );
    }
    for (const path of [
      `/event/${hostile.slug}/`,
      `/venue/${venue?.slug}/`,
      `/organizer/${hostile.organizer[0]?.slug}/`,
    ]) {
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).not.toMatch(/<script(?! type="application\/ld\+json")|onerror=|javascript:|"><x/);
    }
    await fixture.ask(`UPDATE wp_posts SET post_password = 'word' WHERE ID IN (${hostile.id}, ${venue?.id})`);
    const locked = await get(`/event/${hostile.slug}/`);
    expect(locked.text).toContain('This event is protected by a password.');
    expect(locked.text).toContain('<meta name="robots" content="noindex">');
    expect(locked.schema).toBeUndefined();
    expect((await get('/sitemap-event-1.xml')).text).not.toContain(`/event/${hostile.slug}/`);
    expect((await get(`/venue/${venue?.slug}/`)).text).toContain('<meta name="robots" content="noindex">');
    await fixture.ask(`UPDATE wp_posts SET post_status = 'draft' WHERE ID = ${hostile.id}`);
    expect((await get(`/event/${hostile.slug}/`)).status).toBe(404);
  });

  it('responds to records that visitors may not see with 404, and links none of them', async () => {
    const at = (day: number) => ({
      start_date: `2094-02-0${day} 10:00:00`,
      end_date: `2094-02-0${day} 11:00:00`,
    });
    const visible = await make({
      title: 'Visible',
      ...at(2),
      venue: { venue: 'Court' },
      organizer: { organizer: 'Crew' },
    });
    const venue = Array.isArray(visible.venue) ? visible.venue[0] : visible.venue;
    const crew = visible.organizer[0];
    const linked = { venue: venue?.id, organizer: [crew?.id] };
    const hidden: Named[] = [];
    for (const [index, other] of [
      { status: 'draft' },
      { status: 'pending' },
      { status: 'private' },
      { status: 'publish', hide_from_listings: true },
    ].entries())
      hidden.push(await make({ title: `Concealed ${index}`, ...at(index < 2 ? 1 : 3), ...linked, ...other }));
    const unlisted = hidden[3];
    const paths = [`/event/${visible.slug}/`, `/venue/${venue?.slug}/`, `/organizer/${crew?.slug}/`];
    for (const path of [...paths, '/sitemap-event-1.xml'])
      expect([path, (await get(path)).text.includes('oncealed')]).toEqual([path, false]);
    // The interface gives an event that lists leave out to those who know its address.
    expect((await get(`/event/${unlisted?.slug}/`)).status).toBe(200);
    for (const { id, slug } of hidden.slice(0, 3))
      for (const path of [
        `/event/${slug || id}/`,
        `/?tribe_events=${slug || id}`,
        `/?post_type=tribe_events&p=${id}`,
      ])
        expect([path, (await get(path)).status]).toEqual([path, 404]);
    for (const status of ['draft', 'private']) {
      await fixture.ask(
        `UPDATE wp_posts SET post_status = '${status}' WHERE ID IN (${venue?.id}, ${crew?.id})`,
      );
      for (const path of paths.slice(1)) expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });

  it('is cached until the record changes', async () => {
    const { id, slug } = await make({ title: 'First name' });
    const first = await get(`/event/${slug}/`);
    expect(first.header('etag')).toBe((await get(`/event/${slug}/`)).header('etag'));
    await fixture.update(id, { title: 'Second name' });
    expect((await get(`/event/${slug}/`)).text).toContain('<h1>Second name</h1>');
  });

  it('asks search engines to stay away where the site does', async () => {
    const { slug } = await make({ title: 'Hidden site' });
    await fixture.ask("DELETE FROM wp_options WHERE option_name = 'blog_public'");
    await fixture.ask(
      "INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('blog_public', '0', 'yes')",
    );
    expect((await get(`/event/${slug}/`)).text).toContain('<meta name="robots" content="noindex">');
    expect((await get('/robots.txt')).text).toBe('User-agent: *\nDisallow: /\n');
    expect((await get('/sitemap.xml')).status).toBe(404);
    await fixture.ask("UPDATE wp_options SET option_value = '1' WHERE option_name = 'blog_public'");
    expect((await get('/sitemap.xml')).status).toBe(200);
  });

  it('uses MAP_TILES, THEME_STYLESHEET and the templates of a plugin', async () => {
    const event = await make({ title: 'On a map', venue: { venue: 'Tower', city: 'Albany' } });
    const venue = Array.isArray(event.venue) ? event.venue[0] : event.venue;
    await fixture.ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${venue?.id}, '_VenueLat', '42.65'), (${venue?.id}, '_VenueLng', '-73.75')`,
    );
    expect((await get(`/venue/${venue?.slug}/`)).text).toContain('https://www.openstreetmap.org/?mlat=42.65');
    const folder = mkdtempSync(join(tmpdir(), 'almanac-theme-'));
    const theme = join(folder, 'theme.css');
    writeFileSync(theme, ':root { --accent: #036; }\n');
    let app: TestApp | undefined;
    try {
      app = await startApp({
        databaseUrl: fixture.databaseUrl,
        env: { MAP_TILES: 'https://tiles.example.org/{z}/{x}/{y}.png', THEME_STYLESHEET: theme },
        plugins: [OurPages],
      });
      const { text } = await get(`/venue/${venue?.slug}/`, app.url);
      expect(
        text.match(/<image href="https:\/\/tiles\.example\.org\/15\/\d+\/\d+\.png"/g)?.length,
      ).toBeGreaterThan(3);
      expect(text).toContain('aria-label="Map of Tower"');
      const [, sheet = ''] = /href="\.\.\/\.\.(\/assets\/theme-[0-9a-f]{8}\.css)"/.exec(text) ?? [];
      expect((await get(sheet, app.url)).text).toContain('--accent: #036');
      expect((await get('/nowhere', app.url)).text).toContain('<h1>Lost & found</h1>');
    } finally {
      await app?.close();
      rmSync(folder, { recursive: true });
    }
  });
});
