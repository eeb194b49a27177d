import { describeEither } from './support/sites.js';
import { EVENT, openValidWriteFixture, type WriteFixture } from './support/write-fixture.js';

type Fields = Record<string, unknown>;

/** Costs as sent, and what a block theme's site and another one store of them. */
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
  describeEither('are what WordPress makes of them', (database) => {
    let ground: WriteFixture;
    beforeAll(async () => {
      ground = await openValidWriteFixture(database, { THEME_SUPPORT: theme });
    });
    afterAll(() => ground?.close());

    const allDay = async (id: unknown) => (await ground.rows(id))['meta._EventAllDay'];

    it('have a flag for all-day events only, until an update says that one is none', async () => {
      const { id } = await ground.create({ all_day: true });
      expect(await allDay(id)).toEqual([set]);
      await ground.update(id, { all_day: false });
      expect(await allDay(id)).toEqual([unset]);
      await ground.update(id, { all_day: true, start_date: '2091-05-01', end_date: '2091-05-02' });
      expect(await allDay(id)).toEqual([set]);
      const { id: timed } = await ground.create({ all_day: false });
      expect(await allDay(timed)).toBeUndefined();
      await ground.update(timed, { start_date: '2091-05-01 11:00:00' });
      expect(await allDay(timed)).toBeUndefined();
      expect(await ground.update(timed, { all_day: false })).toMatchObject({ all_day: false });
      expect(await allDay(timed)).toEqual([unset]);
    });

    it.each(COSTS)('have a cost of %j, on create and on update', async (cost, block, classic) => {
      const stored = theme === 'block' ? block : classic;
      const { id, ...event } = await ground.create({ cost });
      expect((await ground.rows(id))['meta._EventCost']).toEqual(stored);
      const { id: other } = await ground.create();
      expect((await ground.update(other, { cost }))['cost']).toEqual(event['cost']);
      expect((await ground.rows(other))['meta._EventCost']).toEqual(stored);
    });

    it('have the hidden map of a venue in two forms', async () => {
      const sent = { venue: `Hidden map ${theme}`, show_map: 'false', show_map_link: 'false' };
      const { body } = await ground.send('admin', 'POST', '/venues', sent);
      expect(body).toMatchObject({ show_map: false, show_map_link: false });
      const rows: Fields[] = await ground.ask(
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
  let ground: WriteFixture;
  beforeAll(async () => {
    ground = await openValidWriteFixture(database);
  });
  afterAll(() => ground?.close());

  it.each(['title', 'description', 'excerpt', 'slug'])(
    'is refused as %s of an event with 400, and nothing is written',
    async (name) => {
      const refused = `400 rest_invalid_param ${name}`;
      const { id, slug } = await ground.create({ title: `Zero ${name}` });
      expect(await ground.refusal('admin', 'POST', '/events', { ...EVENT, [name]: '0' })).toBe(refused);
      for (const path of [`/events/${id}`, `/events/by-slug/${slug}`])
        expect(await ground.refusal('admin', 'PUT', path, { [name]: '0' })).toBe(refused);
    },
  );

  it('is a description of a venue or organizer, alone and inside an event', async () => {
    for (const kind of ['venue', 'organizer'] as const) {
      const fields = { [kind]: `Zero ${kind}`, description: '0' };
      expect(await ground.send('admin', 'POST', `/${kind}s`, fields)).toMatchObject({ status: 201 });
      const event = await ground.create({ [kind]: [fields] });
      const { id } = [event[kind]].flat()[0] as Fields;
      expect((await ground.rows(id))['post.post_content']).toBe('0');
    }
  });

  it('is a cost, shown as Free', async () => {
    expect(await ground.create({ cost: '0' })).toMatchObject({ cost: 'Free' });
  });
});
