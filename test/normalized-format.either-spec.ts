import { listReader } from './support/list-reader.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const EVER = 'start_date=2000-01-01&end_date=2099-12-31';

/** Removes json_ld, which only single reads contain. */
const withoutJsonLd = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json), (name, value: unknown) => (name === 'json_ld' ? undefined : value));

describeEither('_format=clean', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(async () => fixture?.close());

  const { get, rowsOf, idsOf } = listReader(() => fixture);

  it('normalizes an event and its linked records in lists, by id and by slug', async () => {
    const venueId = (
      await fixture.send('admin', 'POST', '/venues', { venue: 'Tom &amp; Jerry’s', status: 'publish' })
    ).body['id'];
    const organizer = await fixture.send('admin', 'POST', '/organizers', {
      organizer: 'AT&amp;T',
      status: 'publish',
    });
    const { id } = await fixture.create({
      title: 'Fish &amp; <em>Chips</em>',
      description: 'One &amp; <b>two</b>',
      venue: venueId,
      organizer: organizer.body['id'],
      categories: ['music'],
      start_date: '2091-11-04 01:30:00',
      end_date: '2091-11-04 03:00:00',
      timezone: 'America/New_York',
      cost: '5 - 10',
    });
    const { body: plain } = await get(`/events/${id}`);
    const { body: event } = await get(`/events/${id}?_format=clean`);
    const members = (record: object) => Object.keys(record).filter((name) => !name.endsWith('_details'));
    expect(members(event).filter((name) => name !== 'json_ld')).toEqual(
      members(plain).filter((name) => name !== 'json_ld'),
    );
    expect(event).toMatchObject({
      id,
      author: 1,
      title: 'Fish & Chips',
      description: plain['description'],
      image: null,
      start_date: '2091-11-04T01:30:00-04:00',
      end_date: '2091-11-04T03:00:00-05:00',
      utc_start_date: '2091-11-04T05:30:00Z',
      cost: expect.not.stringContaining('&'),
      custom_fields: {},
      featured: false,
      venue: { id: venueId, venue: 'Tom & Jerry’s', address: null, image: null, show_map: true },
      organizer: [{ organizer: 'AT&T', phone: null }],
      categories: [{ name: 'Music', urls: { up: null } }],
    });
    expect(event).not.toHaveProperty('start_date_details');
    expect(event).toHaveProperty('cost_details.values', ['5', '10']);
    expect(event['json_ld']).toEqual(plain['json_ld']);
    const [listed] = await rowsOf(`/events?include=${id}&_format=clean`);
    expect(listed).toEqual(withoutJsonLd(event));
    const { body: bySlug } = await get(`/events/by-slug/${event['slug']}?_format=clean`);
    expect(bySlug).toEqual(event);
    const { body: hall } = await get(`/venues/${venueId}?_format=clean`);
    expect(withoutJsonLd(hall)).toEqual(withoutJsonLd(event['venue']));
    await fixture.ask(`UPDATE wp_posts SET post_password = 'hush' WHERE ID IN (${id}, ${venueId})`);
    expect((await rowsOf(`/events?include=${id}&_format=clean`))[0]).toMatchObject({
      venue: null,
      all_day: null,
    });
    expect((await get(`/venues/${venueId}?_format=clean`)).body).toMatchObject({
      venue: null,
      address: null,
    });
    await fixture.send('admin', 'DELETE', `/events/${id}`);
  });

  it.each([
    ['2091-11-04 01:30:00', '2091-10-03 02:43:00', '2091-10-03T02:43:00Z'],
    ['2091-11-04 01:30:00', '2091-11-05 01:30:00', '2091-11-05T01:30:00Z'],
    ['2091-11-04 01:30:00', '2091-11-04 00:29:30', '2091-11-04T00:29:30Z'],
    ['2091-11-04 01:30:00', '2091-11-05 01:29:00', '2091-11-04T01:30:00-23:59'],
    ['2091-11-04 01:30:00', '2091-11-03 01:31:00', '2091-11-04T01:30:00+23:59'],
  ])(
    'renders %s, stored as %s in UTC, as %s, whose offset is valid in ISO 8601',
    async (local, utc, expected) => {
      const { id } = await fixture.create({
        start_date: '2091-11-04 01:30:00',
        end_date: '2091-11-04 03:00:00',
      });
      for (const [key, value] of [
        ['_EventStartDate', local],
        ['_EventStartDateUTC', utc],
      ])
        await fixture.ask(
          `UPDATE wp_postmeta SET meta_value = '${value}' WHERE post_id = ${id} AND meta_key = '${key}'`,
        );
      await fixture.ask(`UPDATE wp_posts SET post_date_gmt = '2000-01-01 00:00:00' WHERE ID = ${id}`);
      const { body } = await get(`/events/${id}?_format=clean`);
      expect(body).toMatchObject({ start_date: expected, date: '2000-01-01T00:00:00Z' });
      await fixture.send('admin', 'DELETE', `/events/${id}`);
    },
  );

  it('gives every term a parent, which is null in a flat taxonomy', async () => {
    for (const [path, parent] of [
      ['/tags/20', null],
      ['/categories/3', expect.any(Number)],
    ] as const)
      expect((await get(`${path}?_format=clean`)).body).toMatchObject({ parent });
    const [tag] = await rowsOf('/tags?include=20&_format=clean');
    expect(tag).toMatchObject({ parent: null });
    for (const thinned of ['_fields=id', 'context=embed'])
      expect((await get(`/tags/20?_format=clean&${thinned}`)).body).not.toHaveProperty('parent');
  });

  it('decodes names of terms, accepts per_page=100 and gives each member one type or null', async () => {
    await fixture.ask(`UPDATE wp_terms SET name = 'Rock &amp; Roll' WHERE slug = 'music'`);
    const [term] = await rowsOf('/categories?slug=music&_format=clean');
    expect(term).toMatchObject({ name: 'Rock & Roll', parent: 0, meta: [] });
    expect((await get(`/categories/${term?.id}?_format=clean`)).body).toMatchObject({ name: 'Rock & Roll' });
    expect((await get(`/categories/${term?.id}`)).body).toMatchObject({ name: 'Rock &amp; Roll' });
    expect(
      Object.keys((await rowsOf('/tags?_fields=tags,id,name&_format=clean'))[0] ?? {}).toSorted(),
    ).toEqual(Object.keys((await rowsOf('/tags?_fields=tags,id,name'))[0] ?? {}).toSorted());
    expect(await idsOf(`/events?${EVER}&per_page=200&_format=clean`)).toHaveLength(100);
    expect(await idsOf(`/events?${EVER}&per_page=200`)).toHaveLength(50);
    const { body, headers } = await get('/tags?per_page=2&hide_empty=0&_format=clean');
    expect(headers.get('link')).toContain(`<${body['next_rest_url']}>; rel="next"`);
    expect(body['next_rest_url']).toContain('_format=clean&per_page=2&hide_empty=0&page=2');
    const whole = await rowsOf(`/events?${EVER}&per_page=100&_format=clean`, 'admin');
    // Every member has one type in all records, or null.
    const types = new Map<string, Set<string>>();
    for (const [name, value] of whole.flatMap((row) => Object.entries(row))) {
      const type = Array.isArray(value) ? 'list' : typeof value;
      if (value !== null) types.set(name, (types.get(name) ?? new Set()).add(type));
    }
    expect([...types].filter(([, found]) => found.size > 1)).toEqual([]);
    expect(JSON.stringify(whole)).not.toContain('"false"');
  });
});
