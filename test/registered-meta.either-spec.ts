import { describeEither } from './support/sites.js';
import { EVENT, openValidWriteFixture, type WriteFixture } from './support/write-fixture.js';

type Fields = Record<string, unknown>;

/** Costs as sent, and the rows that sites with block and classic themes store. */
const COSTS: readonly [cost: unknown, block: string[], classic: string[]][] = [
  [' 9 ', ['9'], [' 9 ']],
  ['\t9\n', ['9'], ['\t9\n']],
  ['9  €', ['9 €'], ['9  €']],
  [
    [' 5 ', '10'],
    ['5', '10'],
    [' 5 ', '10'],
  ],
  ['Free  entry', ['Free entry'], ['Free  entry']],
  ['$9', ['$9'], ['$9']],
];

describe.each([
  ['block', ['1', ''], ''],
  ['classic', ['yes', 'no'], 'false'],
] as const)('rows of events on a site with a %s theme', (theme, [set, unset], hidden) =>
  describeEither('as stored by WordPress', (database) => {
    let fixture: WriteFixture;
    beforeAll(async () => {
      fixture = await openValidWriteFixture(database, { THEME_SUPPORT: theme });
    });
    afterAll(() => fixture?.close());

    const allDay = async (id: unknown) => (await fixture.rows(id))['meta._EventAllDay'];

    it('contain _EventAllDay for all-day events, and for others after an update to false', async () => {
      const { id } = await fixture.create({ all_day: true });
      expect(await allDay(id)).toEqual([set]);
      await fixture.update(id, { all_day: false });
      expect(await allDay(id)).toEqual([unset]);
      await fixture.update(id, { all_day: true, start_date: '2091-05-01', end_date: '2091-05-02' });
      expect(await allDay(id)).toEqual([set]);
      const { id: timed } = await fixture.create({ all_day: false });
      expect(await allDay(timed)).toBeUndefined();
      await fixture.update(timed, { start_date: '2091-05-01 11:00:00' });
      expect(await allDay(timed)).toBeUndefined();
      expect(await fixture.update(timed, { all_day: false })).toMatchObject({ all_day: false });
      expect(await allDay(timed)).toEqual([unset]);
    });

    it.each(COSTS)('contain the cost %j after create and update', async (cost, block, classic) => {
      const stored = theme === 'block' ? block : classic;
      const { id, ...event } = await fixture.create({ cost });
      expect((await fixture.rows(id))['meta._EventCost']).toEqual(stored);
      const { id: other } = await fixture.create();
      expect((await fixture.update(other, { cost }))['cost']).toEqual(event['cost']);
      expect((await fixture.rows(other))['meta._EventCost']).toEqual(stored);
    });

    it('contain the hidden map of a venue under two prefixes of keys', async () => {
      const sent = { venue: `Hidden map ${theme}`, show_map: 'false', show_map_link: 'false' };
      const { body } = await fixture.send('admin', 'POST', '/venues', sent);
      expect(body).toMatchObject({ show_map: false, show_map_link: false });
      const rows: Fields[] = await fixture.ask(
        `SELECT meta_key AS k, meta_value AS v FROM wp_postmeta WHERE post_id = ${Number(body['id'])} AND meta_key LIKE '%ShowMap%' ORDER BY meta_id`,
      );
      expect(rows.map(({ k, v }) => [k, v])).toEqual([
        ['_EventShowMapLink', hidden],
        ['_EventShowMap', hidden],
        ['_VenueShowMapLink', 'false'],
        ['_VenueShowMap', 'false'],
      ]);
    });
  }),
);

describeEither('the text "0"', (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openValidWriteFixture(database);
  });
  afterAll(() => fixture?.close());

  it.each(['title', 'description', 'excerpt', 'slug'])(
    'is rejected as %s of an event with 400 and writes nothing',
    async (name) => {
      const rejection = `400 rest_invalid_param ${name}`;
      const { id, slug } = await fixture.create({ title: `Zero ${name}` });
      expect(await fixture.refusal('admin', 'POST', '/events', { ...EVENT, [name]: '0' })).toBe(rejection);
      for (const path of [`/events/${id}`, `/events/by-slug/${slug}`])
        expect(await fixture.refusal('admin', 'PUT', path, { [name]: '0' })).toBe(rejection);
    },
  );

  it('is accepted as description of a venue or organizer, alone and inside an event', async () => {
    for (const kind of ['venue', 'organizer'] as const) {
      const fields = { [kind]: `Zero ${kind}`, description: '0' };
      expect(await fixture.send('admin', 'POST', `/${kind}s`, fields)).toMatchObject({ status: 201 });
      const event = await fixture.create({ [kind]: [fields] });
      const { id } = [event[kind]].flat()[0] as Fields;
      expect((await fixture.rows(id))['post.post_content']).toBe('0');
    }
  });

  it('is accepted as cost and rendered as Free', async () => {
    expect(await fixture.create({ cost: '0' })).toMatchObject({ cost: 'Free' });
  });
});
