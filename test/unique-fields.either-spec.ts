import { Module } from '@nestjs/common';
import {
  defineFields,
  EVENT,
  EventsModule,
  Hooks,
  postHooks,
  ResourceModule,
  VENUE,
  VenuesModule,
} from 'almanac';
import { startApp, type TestApp } from './support/app.js';
import { type Caller, clientOf, type Send } from './support/calendar-client.js';
import { TUESDAY, WEEKLY } from './support/series-rows.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const DAY = { start_date: '2030-05-18 20:00:00', end_date: '2030-05-18 22:00:00' };
const HIDDEN = '_x_hidden';

const fields = defineFields({
  external_id: { meta: '_x_external', type: 'string', description: 'Id elsewhere.', unique: true },
  ticket_number: { meta: '_x_number', type: 'number', description: 'Number.', unique: true },
  opens: { meta: '_x_opens', type: 'date', description: 'Opens.', unique: true },
  hall: { meta: '_x_hall', type: 'reference', to: VENUE, description: 'Hall.', unique: true },
  contact: { meta: '_x_contact', type: 'string', description: 'Contact.', required: true },
});
const code = { meta: '_x_code', type: 'string', description: 'Code.', unique: true, required: true } as const;

@Module({
  imports: [
    EventsModule,
    VenuesModule,
    ResourceModule.withFields(EVENT, fields),
    ResourceModule.withFields(VENUE, { code }),
  ],
})
class UniqueModule {}

describeEither('unique and required fields', (database) => {
  let site: Site;
  let apps: [TestApp, TestApp];
  let send: Send;
  let sendElsewhere: Send;

  beforeAll(async () => {
    site = await makeSite(database);
    const start = () =>
      startApp({ databaseUrl: site.url, plugins: [UniqueModule], env: { RECURRENCE: 'on' } });
    apps = [await start(), await start()];
    [send, sendElsewhere] = apps.map(({ url }) => clientOf(url)) as [Send, Send];
    apps[0].nest
      .get(Hooks)
      .addFilter(postHooks(EVENT).query, (list, { context }) =>
        context.access.can('manage_options') ? list : list.withoutMeta(HIDDEN),
      );
  });
  afterAll(async () => {
    for (const app of apps ?? []) await app.close();
    await site?.drop();
  });

  const ask = <Row>(text: string): Promise<Row[]> => apps[0].dataSource.query(text);
  const counts = async () => [
    await ask('SELECT COUNT(*) AS n FROM wp_posts'),
    await ask('SELECT COUNT(*) AS n FROM wp_postmeta'),
  ];
  const create = (given: object, caller: Caller = 'editor') =>
    send(caller, 'POST', '/events', { ...DAY, title: 'Event', contact: 'Ida', ...given });
  const idOf = async (given: object): Promise<number> => {
    const { status, body } = await create(given);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return Number(body['id']);
  };
  const put = (id: number, given: object) => send('editor', 'PUT', `/events/${id}`, given);

  it('reject a value of another record with 409, naming the field, and write nothing', async () => {
    const venues = await Promise.all(
      ['A', 'B'].map((name) => send('editor', 'POST', '/venues', { venue: `Hall ${name}`, code: name })),
    );
    const [hall, other] = venues.map(({ body }) => Number(body['id']));
    const long = 'x'.repeat(1990);
    const id = await idOf({ external_id: 'ABC-1', ticket_number: 5, opens: '2030-01-01T12:00:00Z', hall });
    await idOf({ external_id: `${long}1` });
    const free = await idOf({ external_id: 'DEF', ticket_number: 6, hall: other });
    for (const [name, value] of [
      ['external_id', 'ABC-1'],
      ['external_id', 'abc-1'],
      ['external_id', `${long}1`],
      ['ticket_number', '5.0'],
      ['opens', '2030-01-01T13:00:00+01:00'],
      ['hall', hall],
    ] as const) {
      const before = await counts();
      for (const reply of [await create({ [name]: value }), await put(free, { [name]: value, title: 'New' })])
        expect([name, reply.status, reply.body]).toEqual([
          name,
          409,
          {
            code: 'duplicate_field_value',
            message: `${name} must be unique: another record has this value.`,
            data: {
              status: 409,
              params: { [name]: `${name} must be unique: another record has this value.` },
            },
          },
        ]);
      expect(await counts()).toEqual(before);
    }
    expect((await send('editor', 'GET', `/events/${free}`)).body).toMatchObject({
      title: 'Event',
      external_id: 'DEF',
    });
    expect((await create({ external_id: `${long}2` })).status).toBe(201);
    // A record keeps its own value.
    expect((await put(id, { external_id: 'abc-1', ticket_number: 5 })).status).toBe(200);
    expect((await put(id, { external_id: null })).status).toBe(200);
    expect((await create({ external_id: 'ABC-1' })).status).toBe(201);
  });

  it('reject a text that cleaning would change with 400, and write nothing', async () => {
    const id = await idOf({ external_id: 'exact-1' });
    const before = await counts();
    for (const text of ['C:\\x', 'c%20d', 'a<b', '<b>exact-1</b>', 'a  b', ' a', 'a ', 'a\nb', ' '])
      for (const { status, body } of [
        await create({ external_id: text }),
        await put(id, { external_id: text, title: 'New' }),
      ])
        expect([text, status, body]).toMatchObject([
          text,
          400,
          {
            code: 'rest_invalid_param',
            data: {
              params: { external_id: expect.stringContaining('holds characters that are not stored') },
            },
          },
        ]);
    expect(await counts()).toEqual(before);
    for (const text of ['a&b', 'a&lt;b', '100%', 'ü/ß', "it's", 'a > b'])
      expect((await create({ external_id: text })).body).toMatchObject({ external_id: text });
  });

  it('compare texts without ASCII case, but with accents, on every database', async () => {
    await idOf({ external_id: 'Acc-1' });
    expect((await create({ external_id: 'Äcc-1' })).body).toMatchObject({ external_id: 'Äcc-1' });
    expect((await create({ external_id: 'äcc-1' })).status).toBe(201);
    expect((await create({ external_id: 'ÄCC-1' })).status).toBe(409);
    expect((await create({ external_id: 'aCC-1' })).status).toBe(409);
  });

  it('of an existing venue are never overwritten by a create of its name', async () => {
    const venue = async (given: object): Promise<number> => {
      const { status, body } = await send('editor', 'POST', '/venues', { venue: 'Twin hall', ...given });
      expect([given, status]).toEqual([given, 201]);
      return Number(body['id']);
    };
    const codeOf = async (id: number) => (await send('editor', 'GET', `/venues/${id}`)).body['code'];
    const first = await venue({ code: 'twin-1' });
    const second = await venue({ code: 'twin-2' });
    expect(second).not.toBe(first);
    // Without a value and with the same one the name finds as before.
    expect([await venue({}), await venue({ code: 'TWIN-1' }), await venue({ code: 'twin-2' })]).toEqual([
      first,
      first,
      second,
    ]);
    expect([await codeOf(first), await codeOf(second)]).toEqual(['TWIN-1', 'twin-2']);
    // Inline data, and a record without a value that a create gives one.
    const inline = await create({ venue: { venue: 'Twin hall', code: 'twin-3', city: 'Bonn' } });
    const third = Number((inline.body['venue'] as { id: number }).id);
    expect([first, second]).not.toContain(third);
    await ask(`DELETE FROM wp_postmeta WHERE post_id = ${first} AND meta_key = '_x_code'`);
    expect([await venue({ code: 'twin-3' }), await venue({ code: 'twin-4' })]).toEqual([third, first]);
    expect(await codeOf(first)).toBe('twin-4');
    // A taken value of another name is a conflict, and nothing is written.
    const before = await counts();
    const taken = await send('editor', 'POST', '/venues', { venue: 'Other hall', code: 'twin-3' });
    expect([taken.status, taken.body['code']]).toEqual([409, 'duplicate_field_value']);
    expect(await counts()).toEqual(before);
  });

  it('count records that the caller cannot see, without their ids', async () => {
    for (const given of [{ status: 'draft' }, { status: 'private' }, {}]) {
      const name = `secret-${JSON.stringify(given).length}`;
      const { body } = await create({ external_id: name, ...given }, 'admin');
      await ask(
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${body['id']}, '${HIDDEN}', '1')`,
      );
      const reply = await create({ external_id: name }, 'author');
      expect([reply.status, JSON.stringify(reply.body).includes(String(body['id']))]).toEqual([409, false]);
    }
  });

  it('do not count records in the trash, whose restore is rejected while the value is taken', async () => {
    const id = await idOf({ external_id: 'trash-1' });
    await send('editor', 'DELETE', `/events/${id}`);
    const other = await idOf({ external_id: 'TRASH-1' });
    const reply = await put(id, { status: 'publish' });
    expect([reply.status, reply.body['code']]).toEqual([409, 'duplicate_field_value']);
    expect(await ask(`SELECT post_status FROM wp_posts WHERE ID = ${id}`)).toEqual([
      { post_status: 'trash' },
    ]);
    await put(other, { external_id: 'trash-2' });
    expect((await put(id, { status: 'publish' })).body).toMatchObject({
      external_id: 'trash-1',
      status: 'publish',
    });
    await send('editor', 'DELETE', `/events/${id}`);
    await put(other, { external_id: 'trash-1' });
    expect((await put(id, { status: 'publish', external_id: 'trash-3' })).status).toBe(200);
  });

  it('hold under parallel writes of two servers: one creates the record, all others get 409', async () => {
    for (const round of [1, 2, 3]) {
      const writes = Array.from({ length: 12 }, (_, at) =>
        (at % 2 === 0 ? send : sendElsewhere)('editor', 'POST', '/events', {
          ...DAY,
          title: `Parallel ${at}`,
          contact: 'Ida',
          external_id: `parallel-${round}`,
        }),
      );
      const statuses = (await Promise.all(writes)).map(({ status }) => status).sort();
      expect(statuses).toEqual([201, ...Array.from({ length: 11 }, () => 409)]);
      const rows = await ask(`SELECT post_id FROM wp_postmeta WHERE meta_value = 'parallel-${round}'`);
      expect(rows).toHaveLength(1);
    }
  });

  it('are needed by creates and not removed by updates if required, also of inline records', async () => {
    const before = await counts();
    for (const contact of [undefined, null, '', ' ']) {
      const { status, body } = await create({ contact });
      expect([contact, status, body]).toMatchObject([
        contact,
        400,
        { code: 'rest_missing_callback_param', data: { params: ['contact'] } },
      ]);
    }
    const inline = await create({ venue: { venue: 'Inline hall' } });
    expect([inline.status, inline.body]).toMatchObject([400, { data: { params: ['code'] } }]);
    expect(await counts()).toEqual(before);
    const id = await idOf({ venue: { venue: 'Inline hall', code: 'inline' } });
    for (const contact of [null, '', ' ']) {
      const { status, body } = await put(id, { contact });
      expect([contact, status, body]).toMatchObject([
        contact,
        400,
        { code: 'rest_invalid_param', data: { params: { contact: 'contact must not be empty.' } } },
      ]);
    }
    expect((await put(id, { title: 'Renamed' })).body).toMatchObject({ contact: 'Ida', title: 'Renamed' });
    // A create that finds an existing venue needs no code.
    expect((await send('editor', 'POST', '/venues', { venue: 'Inline hall' })).body).toMatchObject({
      code: 'inline',
    });
  });

  it('stay with the whole when a date of an event becomes an event of its own', async () => {
    const id = await idOf({ ...TUESDAY, recurrence: WEEKLY, external_id: 'series-1' });
    const list = await send(
      'anonymous',
      'GET',
      '/events?start_date=2091-10-01&end_date=2091-12-01&per_page=50',
    );
    const [, second] = (list.body['events'] as { id: number; external_id: string }[]).filter(
      (event) => event.external_id === 'series-1',
    );
    const part = await put(Number(second?.id), { scope: 'this', title: 'Part' });
    expect(part.body).toMatchObject({ title: 'Part', external_id: null, contact: 'Ida' });
    expect((await send('anonymous', 'GET', `/events/${id}`)).body).toMatchObject({ external_id: 'series-1' });
  });
});
