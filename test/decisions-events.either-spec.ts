import { userId } from './support/calendar-client.js';
import { census } from './support/event-rows.js';
import { describeMariadbFirst } from './support/sites.js';
import {
  EVENT,
  openValidWriteFixture,
  openWriteFixture,
  type WriteFixture,
} from './support/write-fixture.js';

// W1, W2, W3, W13, W15 and later decisions have decisions-event-*.either-spec.ts of their own.

type Fields = Record<string, unknown>;

const FULL = {
  description: 'Long text',
  excerpt: 'Short text',
  cost: '$10',
  website: 'https://example.com/a',
  image: '4',
  venue: 9,
  organizer: [35, 36],
};
const ids = (linked: unknown) => [linked].flat().map((record) => (record as Fields)['id']);

describeMariadbFirst('decisions on events', (database) => {
  let fixture: WriteFixture;
  let number = 0;
  const uniqueName = (word: string) => `${word}-${++number}`;
  beforeAll(async () => {
    fixture = await openValidWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  it.each<[Fields, Fields, Fields]>([
    [{ description: '' }, { description: '' }, { 'post.post_content': '' }],
    [{ excerpt: '' }, { excerpt: '' }, { 'post.post_excerpt': '' }],
    [{ cost: '' }, { cost: '' }, { 'meta._EventCost': undefined }],
    [{ cost: [] }, { cost: '' }, { 'meta._EventCost': undefined }],
    [{ website: '' }, { website: '' }, { 'meta._EventURL': [''] }],
    [{ image: '' }, { image: false }, { 'meta._thumbnail_id': undefined }],
    [{ venue: '' }, { venue: [] }, { 'meta._EventVenueID': undefined }],
    [{ venue: [] }, { venue: [] }, { 'meta._EventVenueID': undefined }],
    [{ organizer: '' }, { organizer: [] }, { 'meta._EventOrganizerID': undefined }],
    [{ organizer: [] }, { organizer: [] }, { 'meta._EventOrganizerID': undefined }],
  ])('W4: an update with %j clears the field', async (fields, response, rows) => {
    const { id } = await fixture.create(FULL);
    expect(await fixture.update(id, fields)).toMatchObject(response);
    const after = await fixture.rows(id);
    for (const [name, value] of Object.entries(rows)) expect(after[name]).toEqual(value);
  });

  it('W4: an empty slug is derived from the title, and a create accepts empty fields', async () => {
    const [title, slug] = [uniqueName('From the title'), uniqueName('chosen')];
    const event = await fixture.create({ title, slug });
    expect(await fixture.update(event['id'], { slug: '' })).toMatchObject({
      slug: title.toLowerCase().replaceAll(' ', '-'),
    });
    const emptyFields = {
      description: '',
      excerpt: '',
      cost: '',
      website: '',
      image: '',
      venue: '',
      slug: '',
    };
    expect(await fixture.create({ ...emptyFields, organizer: '' })).toMatchObject({
      description: '',
      cost: '',
      image: false,
      venue: [],
      organizer: [],
    });
  });

  it.each(['title', 'start_date', 'end_date'])('W4: an empty %s returns 400', async (name) => {
    const id = await fixture.target();
    const rejected = `400 rest_invalid_param ${name}`;
    expect(await fixture.refusal('admin', 'POST', '/events', { ...EVENT, [name]: '' })).toBe(rejected);
    expect(await fixture.refusal('admin', 'PATCH', `/events/${id}`, { [name]: '' })).toBe(rejected);
  });

  it('W5: a write by slug checks permissions on the record itself', async () => {
    const slug = uniqueName('of-the-admin');
    const { id } = await fixture.create({ slug });
    const rows = await fixture.rows(id);
    for (const caller of ['anonymous', 'subscriber', 'contributor', 'author'] as const)
      for (const method of ['PUT', 'DELETE'])
        expect(await fixture.refusal(caller, method, `/events/by-slug/${slug}`, { title: 'Mine' })).toBe(
          caller === 'anonymous' ? '401 rest_forbidden' : '403 rest_forbidden',
        );
    expect(await fixture.rows(id)).toEqual(rows);
    const ownSlug = uniqueName('of-the-contributor');
    await fixture.create({ slug: ownSlug }, 'contributor');
    const { body } = await fixture.send('contributor', 'PUT', `/events/by-slug/${ownSlug}`, {
      title: 'Still mine',
    });
    expect(body).toMatchObject({ title: 'Still mine', status: 'draft' });
    expect(await fixture.send('contributor', 'DELETE', `/events/by-slug/${ownSlug}`)).toMatchObject({
      status: 200,
    });
    expect(await fixture.refusal('admin', 'PUT', '/events/by-slug/none', {})).toBe(
      '404 rest-event-not-found',
    );
    expect(await fixture.refusal('admin', 'DELETE', '/events/by-slug/none')).toBe(
      '400 rest_invalid_param slug',
    );
  });

  it('W6: a write changes the record that the path names and ignores other ids', async () => {
    const [one, other] = [await fixture.create({ slug: uniqueName('one') }), await fixture.create()];
    const untouched = await fixture.rows(other['id']);
    const redirect = { id: other['id'], title: 'By path' };
    const slug = uniqueName('renamed');
    for (const [path, body] of [
      [`/events/${one['id']}`, redirect],
      [`/events/${one['id']}?id=${other['id']}`, { title: 'By path' }],
      [`/events/by-slug/${one['slug']}`, { ...redirect, slug }],
    ] as const)
      expect((await fixture.send('admin', 'PUT', path, body)).body).toMatchObject({
        id: one['id'],
        title: 'By path',
      });
    const deleted = await fixture.send(
      'admin',
      'DELETE',
      `/events/by-slug/${slug}?id=${other['id']}`,
      redirect,
    );
    expect(deleted.body).toMatchObject({ id: one['id'], status: 'trash' });
    expect(await fixture.rows(other['id'])).toEqual(untouched);
  });

  it("W7: setting another author requires the capability to edit others' events", async () => {
    const { id, slug } = await fixture.create({}, 'author');
    for (const [method, path] of [
      ['POST', '/events'],
      ['PUT', `/events/${id}`],
      ['PUT', `/events/by-slug/${slug}`],
    ] as const)
      expect(await fixture.refusal('author', method, path, { ...EVENT, author: userId('admin') })).toBe(
        '403 rest_cannot_edit_others',
      );
    expect(await fixture.update(id, { author: userId('author') }, 'author')).toMatchObject({ author: '3' });
    expect(await fixture.update(id, { author: userId('contributor') }, 'editor')).toMatchObject({
      author: '4',
    });
    expect((await fixture.rows(id))['post.post_author']).toBe(4);
  });

  it.each([
    [undefined, 'draft'],
    ['draft', 'draft'],
    ['pending', 'pending'],
    ['publish', 'pending'],
    ['future', 'pending'],
    ['private', 'pending'],
  ])('W8: status %s from a contributor is stored as %s', async (status, stored) => {
    const { id, ...event } = await fixture.create(status ? { status } : {}, 'contributor');
    expect(event['status']).toBe(stored);
    expect((await fixture.rows(id))['post.post_status']).toBe(stored);
    const updated = await fixture.update(id, status ? { status } : { title: 'x' }, 'contributor');
    expect(updated['status']).toBe(stored);
  });

  it.each(['trash', 'inherit', 'auto-draft', 'tribe-ignored', 'foo', ''])(
    'W8: status %j returns 400',
    async (status) => {
      const id = await fixture.target();
      const rejected = '400 rest_invalid_param status';
      expect(await fixture.refusal('admin', 'POST', '/events', { ...EVENT, status })).toBe(rejected);
      expect(await fixture.refusal('admin', 'PUT', `/events/${id}`, { status })).toBe(rejected);
    },
  );

  const NEW = expect.any(Number);
  it.each<[unknown, unknown[]]>([
    [9, [9]],
    ['9', [9]],
    [[9], [9]],
    ['9,10', [9, 10]],
    [
      [10, '9'],
      [10, 9],
    ],
    [[9, 9], [9]],
    [{ id: 9 }, [9]],
    [{ venue: 'Inline hall' }, [NEW]],
    [
      [{ venue: 'Inline barn' }, { id: 9 }, 10],
      [NEW, 9, 10],
    ],
  ])('W10: venue %j links the expected venues', async (venue, linked) => {
    for (const event of [
      await fixture.create({ venue }),
      await fixture.update((await fixture.create())['id'], { venue }),
    ]) {
      expect(ids(event['venue'])).toEqual(linked);
      expect(Array.isArray(event['venue'])).toBe(linked.length > 1);
      expect((await fixture.rows(event['id']))['meta._EventVenueID']).toEqual(
        ids(event['venue']).map(String),
      );
    }
  });

  it.each<[unknown, unknown[]]>([
    [35, [35]],
    ['36,35', [36, 35]],
    [
      [36, '35', 36],
      [36, 35],
    ],
    [{ organizer: 'Inline people' }, [NEW]],
    [
      [{ organizer: 'Inline crew' }, { id: 37 }, '35'],
      [NEW, 37, 35],
    ],
  ])('W10: organizer %j links the expected organizers', async (organizer, linked) => {
    const event = await fixture.create({ organizer });
    expect(ids(event['organizer'])).toEqual(linked);
    const rows = await fixture.rows(event['id']);
    expect(rows['meta._EventOrganizerID']).toEqual(ids(event['organizer']).map(String));
  });

  it.each<[Fields, string[]]>([
    [{ categories: [2], tags: ['20'] }, ['post_tag:outdoor', 'tribe_events_cat:music']],
    [{ categories: 'MUSIC, all-that-jazz' }, ['tribe_events_cat:all-that-jazz', 'tribe_events_cat:music']],
    [{ categories: ['Rock & Roll'] }, ['tribe_events_cat:rock-roll']],
    [{ tags: ['outdoor', 'Late Night'] }, ['post_tag:late-night', 'post_tag:outdoor']],
    [{ categories: [9_999_999, 2], tags: [9_999_999] }, ['tribe_events_cat:music']],
    [{ categories: -2, tags: 2.5 }, []],
    [{ categories: ['-2', '2.5', 2], tags: '1e3, 20' }, ['post_tag:outdoor', 'tribe_events_cat:music']],
  ])('W11: %j selects existing terms', async (fields, terms) => {
    const { terms: before } = await census(fixture.ask);
    const { id } = await fixture.create(fields);
    expect((await fixture.rows(id))['terms']).toEqual(terms);
    expect((await census(fixture.ask))['terms']).toBe(before);
  });

  it('W11: an unknown term name creates a term', async () => {
    const name = uniqueName('Unheard of');
    const { categories, tags } = await fixture.create(
      { categories: [name], tags: [20, name] },
      'contributor',
    );
    expect(categories).toMatchObject([{ name, count: 0, taxonomy: 'tribe_events_cat' }]);
    expect(tags).toMatchObject([{ id: 20 }, { name, taxonomy: 'post_tag' }]);
    expect(await fixture.create({ categories: [name] })).toMatchObject({ categories: [{ name, count: 1 }] });
  });

  it.each<[unknown, string[], string, string]>([
    [0, ['0'], 'Free', ''],
    ['0', ['0'], 'Free', ''],
    [[0, 10], ['0', '10'], 'Free – $10', ''],
    ['$1,234.56', ['1234.56'], '$1234.56', '$'],
    ['1.234,56', ['1234.56'], '$1234.56', ''],
    ['12,50 - 30', ['12.50 - 30'], '$12.50 – $30', ''],
    ['5, 10, 15', ['5 - 10 - 15'], '$5 – $15', ''],
    ['$5, $10', ['5 - 10'], '$5 – $10', '$'],
    [['5', '10', '15'], ['5', '10', '15'], '$5 – $15', ''],
    ['Donation', ['Donation'], 'Donation', ''],
  ])('W12: the cost %j is stored and rendered as expected', async (cost, rows, rendered, currency_symbol) => {
    const { id } = await fixture.create({ cost: '€ 7' });
    for (const event of [await fixture.create({ cost }), await fixture.update(id, { cost })]) {
      expect(event).toMatchObject({ cost: rendered, cost_details: { currency_symbol } });
      expect((await fixture.rows(event['id']))['meta._EventCost']).toEqual(rows);
    }
  });

  it('W12: a single separator before three digits is read by the language of the site', async () => {
    const german = await openWriteFixture(database, async (ask) => {
      await ask(
        "INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('WPLANG', 'de_DE', 'on')",
      );
    });
    try {
      const { id } = await german.create({ cost: '7' });
      for (const [cost, row] of [
        ['1.000', '1000'],
        ['1,000', '1.00'],
        [1.125, '1.1250'],
        ['5, 1.000', '5 - 1000'],
      ]) {
        for (const event of [await german.create({ cost }), await german.update(id, { cost })])
          expect((await german.rows(event['id']))['meta._EventCost']).toEqual([row]);
        if (cost !== '1.000') continue;
        const onEnglishSite = await fixture.create({ cost });
        expect((await fixture.rows(onEnglishSite['id']))['meta._EventCost']).toEqual([cost]);
      }
    } finally {
      await german.close();
    }
  });

  it('W12: a cost of maximum length is stored and rendered', async () => {
    const cost = '5, '.repeat(666) + '10';
    const event = await fixture.create({ cost });
    expect(event).toMatchObject({ cost: '$5 – $10' });
    const [row] = (await fixture.rows(event['id']))['meta._EventCost'] as string[];
    expect(row).toBe(`${'5 - '.repeat(666)}10`);
  });
});
