import { credentials } from './support/calendar-client.js';
import { describeMariadbFirst } from './support/sites.js';
import { EVENT, openValidWriteFixture, type WriteFixture } from './support/write-fixture.js';

type Fields = Record<string, unknown>;

/** Fields that an inline venue or organizer accepts, and the meta stored for them. */
const ACCEPTED: readonly ['venue' | 'organizer', Fields, Fields][] = [
  ['venue', { show_map: true }, { _VenueShowMap: '1', _EventShowMap: '1' }],
  ['venue', { show_map: false }, { _VenueShowMap: 'false', _EventShowMap: '' }],
  ['venue', { show_map: 1, show_map_link: 0 }, { _VenueShowMap: '1', _VenueShowMapLink: 'false' }],
  ['venue', { show_map: 'yes', show_map_link: 'no' }, { _VenueShowMap: '1', _VenueShowMapLink: 'false' }],
  ['venue', { show_map: null, city: null, description: null, image: null }, { _VenueShowMap: '1' }],
  [
    'venue',
    { city: 'Ghent', zip: false, phone: 0, website: false },
    { _VenueCity: 'Ghent', _VenueZip: '', _VenuePhone: '', _VenueURL: '' },
  ],
  ['venue', { image: 4, author: '2' }, { _thumbnail_id: '4', _Venuepost_author: '2' }],
  [
    'organizer',
    { phone: null, email: null, website: null, status: null },
    { _OrganizerOrigin: 'events-calendar' },
  ],
  [
    'organizer',
    { phone: false, date: 3_776_000_000 },
    { _OrganizerPhone: '', _Organizerpost_date: '2089-08-27 12:53:20' },
  ],
];

/** Fields that both `POST /venues` and an inline record reject. */
const REJECTED: readonly ['venue' | 'organizer', Fields][] = [
  ['venue', { city: true }],
  ['venue', { zip: 69_001 }],
  ['venue', { show_map: [] }],
  ['venue', { show_map: { a: 1 } }],
  ['venue', { address: ['1 Rue X'] }],
  ['venue', { status: true }],
  ['venue', { date: false }],
  ['organizer', { email: 5 }],
  ['organizer', { website: true }],
];

describeMariadbFirst('inline records of an event', (database) => {
  let fixture: WriteFixture;
  let number = 0;
  const withName = (kind: string, fields: Fields): Fields => ({ [kind]: `Inline ${++number}`, ...fields });
  const metaOf = async (id: unknown): Promise<Fields> => {
    const rows = await fixture.ask(
      `SELECT meta_key AS k, meta_value AS v FROM wp_postmeta WHERE post_id = ${Number(id)}`,
    );
    return Object.fromEntries(rows.map((row) => [String(row['k']), row['v']]));
  };
  // Two requests may fall into two seconds.
  const metaWithoutTimes = async (id: unknown): Promise<Fields> => {
    const meta = await metaOf(id);
    const fields = String(meta['_tribe_modified_fields']).replaceAll(/i:\d+/g, 'i:time');
    return { ...meta, _tribe_modified_fields: fields };
  };
  const linkedRecord = (event: Fields, kind: string) => [event[kind]].flat()[0] as Fields;
  beforeAll(async () => {
    fixture = await openValidWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  it.each(ACCEPTED)(
    'accept a %s with %j, as types are checked for parameters only',
    async (kind, fields, rows) => {
      const event = await fixture.create({ [kind]: [withName(kind, fields)] });
      expect(await metaOf(linkedRecord(event, kind)['id'])).toMatchObject(rows);
    },
  );

  it.each(REJECTED)(
    'of type %s with %j are rejected with 400, alone and inside an event',
    async (kind, fields) => {
      const record = withName(kind, fields);
      expect(await fixture.refusal('admin', 'POST', '/events', { ...EVENT, [kind]: [record] })).toBe(
        `400 rest_invalid_param ${kind}`,
      );
      const [name] = Object.keys(fields);
      expect(await fixture.refusal('admin', 'POST', `/${kind}s`, record)).toBe(
        `400 rest_invalid_param ${name}`,
      );
    },
  );

  it('keep fields of an existing record of the same name that are null', async () => {
    const { id } = (await fixture.send('admin', 'POST', '/venues', withName('venue', { city: 'Bruges' })))
      .body;
    const venue = `Inline ${number}`;
    const event = await fixture.create({ venue: { venue, city: null, zip: '8000' } });
    expect(linkedRecord(event, 'venue')).toMatchObject({ id, city: 'Bruges', zip: '8000' });
  });

  it('of a form are stored as the same form without an event', async () => {
    const post = async (path: string, form: Record<string, string>) => {
      const response = await fetch(`${fixture.app.url}/cal/events/v1${path}`, {
        method: 'POST',
        headers: credentials('admin'),
        body: new URLSearchParams(form),
      });
      expect(response.status).toBe(201);
      return (await response.json()) as Fields;
    };
    const fields = { show_map: 'false', show_map_link: 'true', city: 'Lier', zip: '', phone: '0' };
    const inline = Object.entries(fields).map(([name, value]) => [`venue[${name}]`, value]);
    const alone = await post('/venues', { venue: 'Form alone', ...fields });
    const event = await post('/events', {
      ...EVENT,
      'venue[venue]': 'Form inside',
      ...Object.fromEntries(inline),
    });
    expect(await metaWithoutTimes(linkedRecord(event, 'venue')['id'])).toEqual(
      await metaWithoutTimes(alone['id']),
    );
  });
});
