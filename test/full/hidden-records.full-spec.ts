import { type Caller, credentials } from '../support/calendar-client.js';
import { rawRequest } from '../support/raw-request.js';
import { describeDatabases } from '../support/sites.js';
import { openWriteFixture, type WriteFixture } from '../support/write-fixture.js';

const OWNER = 3;
const STATUSES = ['draft', 'private', 'pending', 'future', 'trash'] as const;
const STRANGERS: readonly Caller[] = ['anonymous', 'contributor'];
const WINDOW = 'start_date=2000-01-01&end_date=2099-12-31&per_page=50';
const AROUND = 'geoloc_lat=48.1&geoloc_lng=11.5&geoloc_radius=50';

/** Changes to records that anonymous users may not see, and to protected ones. */
const TEXTS = "post_content = 'Gamma words', post_excerpt = 'gamma'";
const COLUMNS = `post_title = 'Gamma', ${TEXTS}, post_name = 'gamma', menu_order = 7, guid = 'http://gamma.test/',
  post_date = '2090-01-01 00:00:00', post_date_gmt = '2090-01-01 00:00:00', post_modified = '2092-01-01 00:00:00',
  post_modified_gmt = '2092-01-01 00:00:00'`;
const DATES = `start_date = '2091-06-07 08:00:00', end_date = '2091-06-07 09:00:00',
  start_date_utc = '2091-06-07 07:00:00', end_date_utc = '2091-06-07 08:00:00'`;

describeDatabases('records that the user may not read', (database) => {
  let fixture: WriteFixture;
  const hidden: unknown[] = [];
  const locked: unknown[] = [];
  let term: unknown;
  beforeAll(async () => {
    fixture = await openWriteFixture(database);
    const make = async (path: string, body: object) =>
      (await fixture.send('admin', 'POST', path, body)).body['id'];
    term = await make('/categories', { name: 'Of hidden events only' });
    for (const status of [...STATUSES, 'publish'] as const) {
      const venue = await make('/venues', {
        venue: `Alpha venue ${status}`,
        description: 'alpha',
        address: 'A 1',
      });
      const organizer = await make('/organizers', {
        organizer: `Alpha ${status}`,
        description: 'alpha',
        phone: '1',
      });
      const links = { description: 'alpha', excerpt: 'alpha', venue, organizer };
      await fixture.create({ title: `Shown, somewhere ${status}`, ...links });
      const event = await fixture.create({
        title: `Alpha event ${status}`,
        ...links,
        categories: [term],
        cost: '5',
      });
      const visible = await make('/venues', { venue: `Shown venue of ${status}` });
      const second = await fixture.create({
        title: `Alpha of a shown venue ${status}`,
        description: 'alpha',
        venue: visible,
      });
      await fixture.ask(`INSERT INTO wp_postmeta (post_id, meta_key, meta_value)
        VALUES (${venue}, '_VenueLat', '48.1'), (${venue}, '_VenueLng', '11.5')`);
      const ids = [venue, organizer, event['id'], second['id']];
      (status === 'publish' ? locked : hidden).push(...ids);
      const password = status === 'publish' ? 'Sesame' : '';
      await fixture.ask(`UPDATE wp_posts SET post_status = '${status}', post_author = ${OWNER},
        post_password = '${password}', post_excerpt = 'alpha' WHERE ID IN (${ids.join()})`);
    }
  });
  afterAll(async () => fixture?.close());

  const paths = () => {
    const all = [...hidden, ...locked];
    const lists = [
      ...[
        '',
        '&search=alpha',
        '&search=gamma',
        '&search=gamma+-alpha',
        `&categories=${term}`,
        '&featured=1',
        '&hidden=1',
      ],
      ...[
        '&geoloc=1',
        `&${AROUND}&orderby=distance`,
        '&status=draft',
        `&include=${all}`,
        '&modified_after=2091-02-01',
      ],
      ...[
        '&starts_after=2091-06-01',
        '&orderby=title',
        '&orderby=modified&order=desc',
        '&cursor=first&orderby=end_date',
      ],
      ...[
        `&venue=${all[0]}`,
        `&venue=9,${all[0]}`,
        `&organizer=${all[1]}`,
        `&venue=${locked[0]}`,
        '&_format=clean',
      ],
    ].map((filters) => `/events?${WINDOW}${filters}`);
    const linked = ['venues', 'organizers'].flatMap((list) =>
      [
        '',
        '&search=alpha',
        '&search=gamma',
        '&has_events=1',
        '&has_events=0',
        '&only_with_upcoming=1',
        '&orderby=title',
        '&orderby=modified',
        `&event=${all[2]}`,
        `&event=${locked[2]}`,
      ].map((filters) => `/${list}?per_page=50${filters}`),
    );
    const terms = ['categories', 'tags'].flatMap((list) =>
      ['', '&hide_empty=1', '&orderby=count', `&event=${all[2]}`].map(
        (filters) => `/${list}?per_page=50${filters}`,
      ),
    );
    const single = all.flatMap((id) => ['events', 'venues', 'organizers'].map((list) => `/${list}/${id}`));
    const files = ['ics', 'rss', 'atom', 'feed.json'].map((kind) => `/events.${kind}?${WINDOW}&search=a`);
    return [
      ...[...lists, ...linked, ...terms, ...single, `/events/${locked[2]}.ics`, ...files].map(
        (path) => `/cal/events/v1${path}`,
      ),
      ...[
        '',
        '?search=alpha',
        '?search=gamma',
        '?date=2091-05-01',
        `?event=${all[2]}`,
        `?event=${locked[2]}`,
      ].map((search) => `/calendar${search}`),
    ];
  };

  /** All responses without the time, the request id, and the last modification. */
  async function readResponses(): Promise<Map<string, readonly [number, object, string]>> {
    const answers = new Map<string, readonly [number, object, string]>();
    for (const caller of STRANGERS)
      for (const path of paths()) {
        const { status, headers, text } = await rawRequest(fixture.app.url, {
          path,
          headers: credentials(caller),
        });
        const { date: _date, 'last-modified': _last, 'x-request-id': _number, ...others } = headers;
        answers.set(`${caller} ${path}`, [status, others, text]);
      }
    return answers;
  }

  it('change no byte of any response, whatever is written into them', async () => {
    const before = await readResponses();
    const [unseen, behind] = [hidden.join(), locked.join()];
    await fixture.ask(`UPDATE wp_posts SET ${COLUMNS} WHERE ID IN (${unseen})`);
    await fixture.ask(`UPDATE wp_posts SET ${TEXTS}, post_password = 'Other' WHERE ID IN (${behind})`);
    await fixture.ask(`UPDATE wp_tec_occurrences SET ${DATES} WHERE post_id IN (${unseen})`);
    await fixture.ask(`UPDATE wp_postmeta SET meta_value = '9' WHERE post_id IN (${unseen})`);
    await fixture.ask(`UPDATE wp_postmeta SET meta_value = '10' WHERE post_id IN (${behind})
      AND meta_key IN ('_VenueAddress', '_VenueLat', '_VenueLng', '_OrganizerPhone', '_EventCost')`);
    for (const id of hidden)
      await fixture.ask(`INSERT INTO wp_postmeta (post_id, meta_key, meta_value)
        VALUES (${id}, '_tribe_featured', '1'), (${id}, '_EventHideFromUpcoming', 'yes'), (${id}, '_thumbnail_id', '4')`);
    const after = await readResponses();
    expect([...before].filter(([, [status]]) => status === 200).length).toBeGreaterThan(100);
    const differing = [...before].filter(
      ([name, answer]) => JSON.stringify(after.get(name)) !== JSON.stringify(answer),
    );
    expect(differing.map(([name]) => name)).toEqual([]);
  });
});
