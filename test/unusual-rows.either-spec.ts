import { describeMariadbFirst } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

type Fields = Record<string, unknown>;

const BLOCKS = '<!-- wp:paragraph --><p>b</p><!-- /wp:paragraph -->';
const FULL = {
  cost: '$12',
  website: 'https://example.com/a',
  image: '4',
  venue: 9,
  organizer: [35],
  featured: true,
  hide_from_listings: true,
  show_map: false,
  all_day: true,
};

// Rows of other programs are rendered as the plugin renders them.
describeMariadbFirst('rows that only other programs write', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  const read = async (path: string, caller: 'anonymous' | 'admin' | 'subscriber' = 'anonymous') =>
    fixture.send(caller, 'GET', path);
  const withRow = async (column: string, value: string, fields: Fields = {}) => {
    const { id } = await fixture.create(fields);
    await fixture.ask(`UPDATE wp_posts SET ${column} = '${value}' WHERE ID = ${Number(id)}`);
    return Number(id);
  };

  it('of automatic drafts are rendered without meta', async () => {
    const id = await withRow('post_status', 'auto-draft', FULL);
    const { status, body } = await read(`/events/${id}`, 'admin');
    const url = `http://calendar.example.org/?post_type=tribe_events&p=${id}`;
    expect([status, body]).toMatchObject([
      200,
      {
        ...{ id, status: 'auto-draft', url, website: url, image: false, all_day: false, cost: '' },
        ...{ start_date: null, end_date: null, utc_start_date: null, timezone: '', timezone_abbr: '' },
        ...{ show_map: true, show_map_link: true, hide_from_listings: false, featured: false },
        ...{ venue: [], organizer: [] },
        cost_details: { currency_symbol: '', values: [] },
        start_date_details: { year: '1970' },
      },
    ]);
    expect(body['json_ld']).not.toHaveProperty('startDate');
    await fixture.ask(`UPDATE wp_posts SET post_status = 'draft' WHERE ID = ${id}`);
    expect((await read(`/events/${id}`, 'admin')).body).toMatchObject({ cost: '$12', all_day: true });
  });

  it.each(['tribe-ea-success', 'tribe-ea-draft', 'tribe-ignored', 'unheard-of'])(
    'with status %s have plain links and get 403 for anonymous users',
    async (status) => {
      const id = await withRow('post_status', status);
      const url = `http://calendar.example.org/?post_type=tribe_events&p=${id}`;
      expect((await read(`/events/${id}`, 'admin')).body).toMatchObject({ status, url, website: url });
      expect(await read(`/events/${id}`)).toMatchObject({
        status: 403,
        body: { code: 'event-not-accessible' },
      });
    },
  );

  it('with the password "0" are public, and get 403 with any other', async () => {
    const fields = { cost: '$7', description: 'Open' };
    const open = await withRow('post_password', '0', fields);
    const visible = { description: '<p>Open</p>', cost: '$7', show_map: false };
    const one = (await read(`/events/${open}`)).body;
    expect(one).toMatchObject({ ...visible, json_ld: { name: 'An event' } });
    const list = (await read(`/events?include=${open}`)).body['events'] as Fields[];
    expect(list).toMatchObject([visible]);
    for (const password of ['00', ' ', '0.0']) {
      const closed = await withRow('post_password', password, fields);
      expect(await read(`/events/${closed}`)).toMatchObject({
        status: 403,
        body: { code: 'event-password-protected' },
      });
    }
    const venue = { venue: 'Zero password', description: 'In the zeroth hall', city: 'Zug' };
    const { id } = (await fixture.send('admin', 'POST', '/venues', venue)).body;
    await fixture.ask(`UPDATE wp_posts SET post_password = '0' WHERE ID = ${Number(id)}`);
    expect((await read(`/venues/${id}`)).body).toMatchObject({ city: 'Zug', json_ld: { '@type': 'Place' } });
    expect((await read('/venues?search=zeroth')).body['venues']).toMatchObject([{ id }]);
  });

  it('with serialized meta are rendered as stored and do not match filters of links', async () => {
    const event = await fixture.create({ venue: 9 });
    const id = Number(event['id']);
    const country = 'a:2:{i:0;s:2:"CH";i:1;s:11:"Switzerland";}';
    const { id: venue } = (await fixture.send('admin', 'POST', '/venues', { venue: 'Pair', country: 'CH' }))
      .body;
    await fixture.ask(
      `UPDATE wp_postmeta SET meta_value = '${country}' WHERE post_id = ${Number(venue)} AND meta_key = '_VenueCountry'`,
    );
    expect((await read(`/venues/${venue}`)).body).toMatchObject({ country });
    const found = async () =>
      ((await read('/events?venue=9&start_date=2000-01-01&per_page=50')).body['events'] as Fields[]).map(
        (one) => one['id'],
      );
    expect(await found()).toContain(id);
    await fixture.ask(
      `UPDATE wp_postmeta SET meta_value = 'a:1:{i:0;s:1:"9";}' WHERE post_id = ${id} AND meta_key = '_EventVenueID'`,
    );
    expect(await found()).not.toContain(id);
  });

  it.each([
    '[gallery ids="4,5"]',
    '[gallery ids="4"]\n\nText',
    '[caption width="10"]<img src="a.jpg" /> c[/caption]',
  ])('with %j in a linked record are rendered before the blocks of the event', async (description) => {
    const venue = { venue: `Rendered ${description.length}`, description };
    const organizer = { organizer: `Rendered ${description.length}`, description };
    const { id } = await fixture.create({ description: BLOCKS, venue, organizer: [organizer] });
    const { body } = await read(`/events/${id}`);
    for (const kind of ['venue', 'organizer'])
      expect(([body[kind]].flat()[0] as Fields)['description']).toMatch(/^<(div|figure) /);
  });
});
