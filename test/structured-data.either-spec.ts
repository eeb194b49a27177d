import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { startApp, type TestApp } from './support/app.js';
import { request } from './support/calendar-client.js';
import { describeEither, makeSite, SITE_A, SITE_D } from './support/sites.js';
import { type Properties, structuredDataFaults } from './support/structured-data.js';
import { testFolder } from './support/test-folder.js';
import { openWriteFixture } from './support/write-fixture.js';

/** The structured data of a page, with its status. */
async function dataOf(base: string, path: string): Promise<{ status: number; objects: Properties[] }> {
  const response = await fetch(base + path, { headers: { accept: 'text/html' } });
  const scripts = (await response.text()).matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs);
  const objects = [...scripts].flatMap(([, json = '']) => [JSON.parse(json)].flat() as Properties[]);
  return { status: response.status, objects };
}

/** What is wrong with the structured data of pages, by page and name. */
async function faultsOf(
  base: string,
  paths: readonly string[],
): Promise<{ count: number; faults: string[] }> {
  let count = 0;
  const faults: string[] = [];
  for (const path of paths) {
    const { status, objects } = await dataOf(base, path);
    if (status !== 200) faults.push(`${path}: ${status}`);
    count += objects.length;
    for (const object of objects)
      faults.push(...structuredDataFaults(object).map((fault) => `${path} ${object['name']}: ${fault}`));
  }
  return { count, faults };
}

/** Every page of the list of all dates, and the first pages of venues and organizers. */
async function pathsOf(app: TestApp): Promise<string[]> {
  const { body } = await request(app.url, 'GET', '/events?start_date=0001-01-02&per_page=20', {});
  const pages = Number(body['total_pages']);
  const lists = Array.from(
    { length: pages },
    (_, at) => `/calendar?view=list&date=0001-01-02&page=${at + 1}`,
  );
  const linked: string[] = [];
  for (const kind of ['venue', 'organizer']) {
    const found = await request(app.url, 'GET', `/${kind}s?per_page=15`, {});
    const records = found.body[`${kind}s`] as { url: string }[];
    linked.push(...records.map(({ url }) => new URL(url).pathname + new URL(url).search));
  }
  return [...lists, ...linked];
}

/** Events by what is odd about them, and what their structured data say of it. */
const ODD: Readonly<Record<string, { fields: object; data: object }>> = {
  free: { fields: { cost: '0' }, data: { offers: { price: 0, priceCurrency: 'USD' } } },
  'free in words': { fields: { cost: 'Free' }, data: { offers: { price: 0, priceCurrency: 'USD' } } },
  // The interface keeps no currency of a range: its text is `$10 – $25`, too.
  'a range of prices': { fields: { cost: '£10–£25' }, data: { offers: { price: 10, priceCurrency: 'USD' } } },
  'a price with its symbol at the end': {
    fields: { cost: '10 €' },
    data: { offers: { price: 10, priceCurrency: 'EUR' } },
  },
  'a price of white space': { fields: { cost: '\u00a0' }, data: { offers: undefined } },
  'a currency that is the name of a method': {
    fields: { cost: 'constructor 5' },
    data: { offers: undefined },
  },
  'a price in words': { fields: { cost: 'Donation' }, data: { offers: undefined } },
  'online only': {
    fields: { website: 'https://meet.example.org/1' },
    data: {
      location: { '@type': 'VirtualLocation', url: 'https://meet.example.org/1' },
      eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
    },
  },
  'a venue and a website, which may sell the tickets': {
    fields: {
      website: 'https://tickets.example.org/',
      venue: {
        venue: 'Hall',
        address: '1 Main Street',
        city: 'Albany',
        zip: '12207',
        country: 'United States',
      },
    },
    data: {
      location: { '@type': 'Place', address: { addressLocality: 'Albany', postalCode: '12207' } },
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    },
  },
  'a venue without an address': {
    fields: { venue: { venue: 'Only &amp; a name' } },
    data: { location: { address: 'Only & a name' } },
  },
  'all day': {
    fields: { all_day: true, start_date: '2092-03-01', end_date: '2092-03-03' },
    data: { startDate: '2092-03-01', endDate: '2092-03-03' },
  },
  'an end in winter time': {
    fields: {
      start_date: '2092-10-25 01:00:00',
      end_date: '2092-10-26 09:00:00',
      timezone: 'Europe/Berlin',
    },
    data: { startDate: '2092-10-25T01:00:00+02:00', endDate: '2092-10-26T09:00:00+01:00' },
  },
  'a zone of half an hour': {
    fields: { timezone: 'UTC+5.5' },
    data: { startDate: '2091-05-01T10:00:00+05:30' },
  },
  'hidden from lists': {
    fields: { hide_from_listings: true },
    data: { eventStatus: 'https://schema.org/EventScheduled' },
  },
  'several organizers': {
    fields: {
      organizer: [
        { organizer: 'The <b>Troupe</b>', website: 'https://troupe.example.org/' },
        { organizer: 'Others' },
      ],
    },
    data: { organizer: { name: 'The Troupe', url: 'https://troupe.example.org/' } },
  },
  'HTML in its texts': {
    fields: { title: 'A <em>big</em> &amp; long day', description: '<p>First.</p><ul><li>Then</li></ul>' },
    data: { name: 'A big & long day' },
  },
};

/** What a change of rows says of an event: statuses of the plugin, and rows that other software has damaged. */
const CHANGED: Readonly<Record<string, { meta: Readonly<Record<string, string>>; data: object }>> = {
  cancelled: {
    meta: { _tribe_events_status: 'canceled' },
    data: { eventStatus: 'https://schema.org/EventCancelled', offers: { price: 5 } },
  },
  postponed: {
    meta: { _tribe_events_status: 'postponed' },
    data: { eventStatus: 'https://schema.org/EventPostponed' },
  },
  'a time in UTC of another year': {
    meta: { _EventStartDateUTC: '2011-01-01 00:00:00' },
    data: { startDate: '2091-05-01T10:00:00-04:00' },
  },
  'a time in UTC further west than any zone': {
    meta: { _EventStartDateUTC: '2091-05-01 23:00:00' },
    data: { startDate: '2091-05-01T10:00:00-04:00' },
  },
  'no currency code of ISO 4217': {
    meta: { _EventCurrencyCode: '<x>', _EventCurrencySymbol: '£' },
    data: { offers: { priceCurrency: 'GBP' } },
  },
  'a currency code in small letters': {
    meta: { _EventCurrencyCode: 'cad' },
    data: { offers: { priceCurrency: 'CAD' } },
  },
  'a day that does not exist': {
    meta: { _EventEndDate: '2091-06-31 10:00:00', _EventEndDateUTC: '2091-06-31 14:00:00' },
    data: { endDate: undefined },
  },
  'an end before its start': {
    meta: { _EventEndDate: '2091-04-01 10:00:00', _EventEndDateUTC: '2091-04-01 14:00:00' },
    data: { endDate: undefined },
  },
};

/** No place is known of most of these events, so that none can be given. */
const isFault = (fault: string) => !fault.endsWith('Event: location is missing');

describeEither('structured data of pages', (database) => {
  it.each([
    ['the recorded site', SITE_A],
    ['the recorded site with unusual records', SITE_D],
  ])('follow the published rules on %s, except that an event may have no place', async (_name, dump) => {
    const site = await makeSite(database, dump);
    const app = await startApp({ databaseUrl: site.url });
    try {
      const { count, faults } = await faultsOf(app.url, await pathsOf(app));
      expect(count).toBeGreaterThan(20);
      expect(faults.filter(isFault)).toEqual([]);
    } finally {
      await app.close();
      await site.drop();
    }
  });

  it('follow the published rules for odd prices, places, dates and statuses, also of damaged rows', async () => {
    const fixture = await openWriteFixture(database);
    try {
      const zone = { timezone: 'America/New_York' };
      const paths: [path: string, data: object][] = [];
      for (const [title, { fields, data }] of Object.entries(ODD)) {
        const { id } = await fixture.create({ title, ...zone, ...fields });
        paths.push([`/calendar?event=${id}&odd=${encodeURIComponent(title)}`, data]);
      }
      for (const [title, { meta, data }] of Object.entries(CHANGED)) {
        const { id, slug } = await fixture.create({ title, ...zone, cost: '$5' });
        for (const [key, value] of Object.entries(meta)) {
          await fixture.ask(`DELETE FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '${key}'`);
          await fixture.ask(
            `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '${key}', '${value}')`,
          );
        }
        paths.push([`/event/${slug}/`, data]);
      }
      const { count, faults } = await faultsOf(
        fixture.app.url,
        paths.map(([path]) => path),
      );
      expect([count, faults.filter(isFault)]).toEqual([paths.length, []]);
      for (const [path, data] of paths) {
        const { objects } = await dataOf(fixture.app.url, path);
        const said = Object.fromEntries(Object.keys(data).map((name) => [name, objects[0]?.[name]]));
        expect({ path, ...said }).toMatchObject({ path, ...data });
      }
    } finally {
      await fixture.close();
    }
  });

  it('do not call an event online whose venue is hidden', async () => {
    const fixture = await openWriteFixture(database);
    try {
      const { slug, venue } = await fixture.create({
        title: 'Behind doors',
        website: 'https://example.org/',
        venue: { venue: 'Hidden hall', status: 'publish' },
      });
      await fixture.ask(`UPDATE wp_posts SET post_status = 'private' WHERE ID = ${Object(venue).id}`);
      const { objects } = await dataOf(fixture.app.url, `/event/${slug}/`);
      expect(objects[0]).toMatchObject({
        name: 'Behind doors',
        eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      });
      expect(objects[0]).not.toHaveProperty('location');
    } finally {
      await fixture.close();
    }
  });

  it('have nothing of an event whose password or start cannot be read', async () => {
    const fixture = await openWriteFixture(database);
    try {
      const { id, slug } = await fixture.create({ title: 'Locked' });
      await fixture.ask(`UPDATE wp_posts SET post_password = 'word' WHERE ID = ${id}`);
      const { id: broken, slug: brokenSlug } = await fixture.create({ title: 'No start' });
      await fixture.ask(
        `UPDATE wp_postmeta SET meta_value = 'soon' WHERE post_id = ${broken} AND meta_key = '_EventStartDate'`,
      );
      for (const path of [`/event/${slug}/`, `/calendar?event=${id}`, `/event/${brokenSlug}/`])
        expect([path, await dataOf(fixture.app.url, path)]).toEqual([path, { status: 200, objects: [] }]);
    } finally {
      await fixture.close();
    }
  });
});

describe('structured data of the demo', () => {
  it('follow the published rules on all pages', async () => {
    const app = await startDemo();
    try {
      const { count, faults } = await faultsOf(app.url, await pathsOf(app));
      expect(count).toBeGreaterThan(60);
      expect(faults).toEqual([]);
    } finally {
      await app.close();
    }
  });
});

/** A new demo in a folder of its own. */
async function startDemo(): Promise<TestApp> {
  const before = process.cwd();
  const log = jest.spyOn(console, 'log').mockImplementation(() => undefined);
  process.chdir(await mkdtemp(join(testFolder(), 'demo-')));
  try {
    return await startApp({ databaseUrl: '', now: '2027-03-10T09:30:00Z', env: { LOG_LEVEL: 'silent' } });
  } finally {
    process.chdir(before);
    log.mockRestore();
  }
}
