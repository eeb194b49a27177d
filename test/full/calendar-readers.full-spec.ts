import { startApp, type TestApp } from '../support/app.js';
import { clientOf } from '../support/calendar-client.js';
import {
  describeWithReaders,
  PYTHON,
  type Reading,
  readByIcalendar,
  readByIcalJs,
  readByKhal,
  run,
} from '../support/calendar-readers.js';
import { makeSite, SITE_D, type Site } from '../support/sites.js';

const WINDOW = 'start_date=2027-01-01&end_date=2028-12-31';
// A write removes one of two backslashes.
const HOSTILE = 'x; a, b \\\\ c \\\\y "d" ]]> <b>é</b> 🫖 END:VEVENT';
const SHOWN = 'x; a, b \\ c \\y “d” ]]> é 🫖 END:VEVENT';

/** The created events, and how readers must parse them. */
const EVENTS: readonly { fields: Record<string, unknown>; read: Partial<Reading[string]> }[] = [
  {
    fields: {
      title: HOSTILE,
      start_date: '2027-03-10 19:00:00',
      end_date: '2027-03-10 21:30:00',
      timezone: 'Europe/Berlin',
      description: `${'äß🫖 '.repeat(200)}\n\nBEGIN:VEVENT\r\n${HOSTILE}`,
      venue: { venue: 'Hall; "A", left \\\\ 🫖', city: 'Köln', address: `Long ${'Lane '.repeat(40)}1` },
      organizer: { organizer: 'Ann "Bee", Ltd; & Co', email: 'ann@example.org' },
      categories: ['Food, drink; more'],
    },
    read: { start: '2027-03-10 18:00', end: '2027-03-10 20:30', summary: SHOWN },
  },
  {
    fields: { title: 'One day', all_day: true, start_date: '2027-02-01', end_date: '2027-02-01' },
    read: { start: '2027-02-01', end: '2027-02-02' },
  },
  {
    fields: { title: 'Three days', all_day: true, start_date: '2027-02-27', end_date: '2027-03-01' },
    read: { start: '2027-02-27', end: '2027-03-02' },
  },
  {
    fields: {
      title: 'Over the change of clocks',
      start_date: '2027-03-27 22:00:00',
      end_date: '2027-03-28 10:00:00',
      timezone: 'Europe/Berlin',
    },
    read: { start: '2027-03-27 21:00', end: '2027-03-28 08:00' },
  },
  {
    fields: {
      title: 'In the hour that comes twice',
      start_date: '2027-10-31 02:30:00',
      end_date: '2027-10-31 02:45:00',
      timezone: 'Europe/Berlin',
    },
    read: {},
  },
  {
    fields: {
      title: 'Far east',
      start_date: '2027-04-03 23:30:00',
      end_date: '2027-04-04 04:00:00',
      timezone: 'Australia/Lord_Howe',
    },
    read: { start: '2027-04-03 12:30', end: '2027-04-03 17:30' },
  },
  {
    fields: {
      title: 'By an offset',
      start_date: '2027-05-01 10:00:00',
      end_date: '2027-05-01 11:00:00',
      timezone: 'UTC+5:45',
    },
    read: { start: '2027-05-01 04:15', end: '2027-05-01 05:15' },
  },
  {
    fields: {
      title: 'No time at all',
      start_date: '2027-06-01 10:00:00',
      end_date: '2027-06-01 10:00:00',
      timezone: 'UTC',
    },
    read: { start: '2027-06-01 10:00', end: '2027-06-01 10:00' },
  },
  {
    fields: {
      title: 'Called off',
      start_date: '2027-07-01 10:00:00',
      end_date: '2027-07-03 12:00:00',
      timezone: 'America/New_York',
    },
    read: { start: '2027-07-01 14:00', end: '2027-07-03 16:00', status: 'CANCELLED' },
  },
];

const FEED = `
import sys, json, xml.etree.ElementTree as tree
from xml.dom import minidom
text = sys.stdin.buffer.read()
minidom.parseString(text)
root = tree.fromstring(text)
A = '{http://www.w3.org/2005/Atom}'
EV = '{http://purl.org/rss/1.0/modules/event/}'
def of(one, *names): return [[e.text or '' for e in one.findall(n)] for n in names]
if root.tag == 'rss':
    channel = root.find('channel')
    out = {'required': of(channel, 'title', 'link', 'description'), 'self': [e.get('href') for e in channel.findall(A + 'link')],
        'items': [of(i, 'title', 'link', 'guid', 'pubDate', 'description', EV + 'startdate') for i in channel.findall('item')]}
else:
    out = {'required': of(root, A + 'id', A + 'title', A + 'updated') + [[root.find(A + 'author').find(A + 'name').text]],
        'self': [e.get('href') for e in root.findall(A + 'link')],
        'items': [of(i, A + 'title', A + 'id', A + 'updated', A + 'content') for i in root.findall(A + 'entry')]}
json.dump(out, sys.stdout)
`;

interface ReadFeed {
  required: string[][];
  self: string[];
  items: string[][][];
}

const readFeed = (text: string): ReadFeed => JSON.parse(run(PYTHON ?? 'python3', ['-c', FEED], text));

describeWithReaders('calendar files and feeds, read by other programs', () => {
  let site: Site;
  let app: TestApp;
  const ids: number[] = [];

  const get = async (path: string) => {
    const answer = await fetch(`${app.url}/cal/events/v1${path}`);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.text();
  };

  beforeAll(async () => {
    site = await makeSite('SQLite');
    app = await startApp({ databaseUrl: site.url, now: '2027-01-01T00:00:00Z' });
    const send = clientOf(app.url);
    for (const { fields } of EVENTS) {
      const { status, body } = await send('admin', 'POST', '/events', { status: 'publish', ...fields });
      expect([fields['title'], status]).toEqual([fields['title'], 201]);
      ids.push(Number(body['id']));
    }
    await app.dataSource.query(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${ids.at(-1)}, '_tribe_events_status', 'canceled')`,
    );
    // Records that no editor accepts.
    await app.dataSource.query(
      `UPDATE wp_posts SET post_content = post_content || char(1, 11, 65534) || ']]>' WHERE ID = ${ids[0]}`,
    );
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it('are read as the same events by three programs', async () => {
    const text = await get(`/events.ics?${WINDOW}`);
    const python = readByIcalendar(text);
    const readings = [readByIcalJs(text), readByKhal(text, '2027-01-01', 365)];
    // khal gives an event without an end one hour.
    const timeless = readings[1]?.[`${ids[EVENTS.length - 2]}@calendar.example.org`];
    if (timeless) timeless.end = timeless.start;
    for (const reading of readings) expect(reading).toEqual(python);
    const found = ids.map((id) => python[`${id}@calendar.example.org`]);
    expect(found).toEqual(
      EVENTS.map(({ fields, read }) =>
        expect.objectContaining({ summary: fields['title'], status: 'CONFIRMED', ...read }),
      ),
    );
    expect(found[0]?.location).toContain('Hall; “A”, left \\ 🫖, Long Lane');
  });

  it('contain a single event as its list does', async () => {
    const list = readByIcalJs(await get(`/events.ics?${WINDOW}`));
    const text = await get(`/events/${ids[0]}.ics`);
    const uid = `${ids[0]}@calendar.example.org`;
    expect([readByIcalJs(text), readByIcalendar(text)]).toEqual([{ [uid]: list[uid] }, { [uid]: list[uid] }]);
  });

  it('are readable for unusual records of old sites', async () => {
    const other = await makeSite('SQLite', SITE_D);
    const unusual = await startApp({ databaseUrl: other.url });
    try {
      const list = '?starts_after=0001-01-01&per_page=1000';
      const text = await (await fetch(`${unusual.url}/cal/events/v1/events.ics${list}`)).text();
      const uids = text.match(/^UID:/gm)?.length ?? 0;
      expect(uids).toBeGreaterThan(50);
      expect(Object.keys(readByIcalJs(text))).toHaveLength(uids);
      expect(Object.keys(readByIcalendar(text))).toEqual(Object.keys(readByIcalJs(text)));
      for (const kind of ['rss', 'atom'])
        for (const page of [1, 2, 3]) {
          const path = `/events.${kind}?starts_after=0001-01-01&per_page=50&page=${page}`;
          const feed = await (await fetch(`${unusual.url}/cal/events/v1${path}`)).text();
          expect([path, readFeed(feed).items.length]).toEqual([path, expect.any(Number)]);
        }
    } finally {
      await unusual.close();
      await other.drop();
    }
  });

  it('are well-formed feeds with the elements that their specifications require', async () => {
    const rss = readFeed(await get(`/events.rss?${WINDOW}&per_page=50`));
    const atom = readFeed(await get(`/events.atom?${WINDOW}&per_page=50`));
    const names = EVENTS.map(({ fields, read }) => read.summary ?? fields['title']);
    const titles = ({ items }: ReadFeed) => items.map(([title]) => title?.[0]);
    expect(titles(rss)).toEqual(expect.arrayContaining(names));
    expect(titles(atom)).toEqual(titles(rss));
    for (const { required, items } of [rss, atom]) {
      for (const values of required) expect(values).toHaveLength(1);
      for (const values of items.flat()) expect(values).toHaveLength(1);
    }
    expect([rss.self, atom.self].map(([self]) => self)).toEqual(
      ['rss', 'atom'].map((kind) =>
        expect.stringMatching(new RegExp(`/cal/events/v1/events\\.${kind}\\?per_page=50&`)),
      ),
    );
    const json = JSON.parse(await get(`/events.feed.json?${WINDOW}&per_page=50`));
    expect(json).toMatchObject({ version: 'https://jsonfeed.org/version/1.1', title: expect.any(String) });
    expect(json.items.map(({ title }: { title: string }) => title)).toEqual(titles(rss));
    for (const item of json.items)
      expect(item).toMatchObject({
        id: expect.stringContaining('post_type=tribe_events&p='),
        content_html: expect.any(String),
        date_published: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      });
  });
});
