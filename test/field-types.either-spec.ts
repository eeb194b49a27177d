import { startApp, type TestApp } from './support/app.js';
import { type Caller, clientOf, credentials, type Send } from './support/calendar-client.js';
import { FieldsModule } from './support/field-plugin.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const DAY = { start_date: '2030-05-18 20:00:00', end_date: '2030-05-18 22:00:00' };

/** The input of each field, its JSON and its meta rows. */
const VALUES: [name: string, sent: unknown, returned: unknown, rows: string[]][] = [
  ['subtitle', '  A <b>second</b> title ', 'A second title', ['A second title']],
  ['seats', '12', 12, ['12']],
  ['price', 12.5, 12.5, ['12.5']],
  ['price', '1e3', 1000, ['1000']],
  ['price', -0.25, -0.25, ['-0.25']],
  ['indoors', false, false, ['']],
  ['indoors', 'true', true, ['1']],
  ['sale_start', '2030-05-18 20:00:00', '2030-05-18T20:00:00+02:00', ['2030-05-18 20:00:00']],
  ['sale_start', '2030-01-18T20:00:00Z', '2030-01-18T21:00:00+01:00', ['2030-01-18 21:00:00']],
  ['sale_start', '2030-01-18T20:00:00-05:00', '2030-01-19T02:00:00+01:00', ['2030-01-19 02:00:00']],
  ['sale_start', '1893456000', '2030-01-01T01:00:00+01:00', ['2030-01-01 01:00:00']],
  // The clock skips this hour.
  ['sale_start', '2030-03-31 02:30:00', '2030-03-31T03:30:00+02:00', ['2030-03-31 03:30:00']],
  ['level', 'hard', 'hard', ['hard']],
  [
    'address',
    {
      street: 'Main <i>St</i>',
      number: 5,
      opened: '2030-01-01',
      is_open: true,
      geo: { lat: 1.5 },
      floors: [1, 2],
    },
    {
      street: 'Main St',
      number: 5,
      opened: '2030-01-01T00:00:00+00:00',
      is_open: true,
      kind: null,
      host: null,
      geo: { lat: 1.5, lng: null },
      floors: [1, 2],
    },
    [
      'a:6:{s:6:"street";s:7:"Main St";s:6:"number";i:5;s:6:"opened";s:19:"2030-01-01 00:00:00";s:7:"is_open";b:1;' +
        's:3:"geo";a:1:{s:3:"lat";d:1.5;}s:6:"floors";a:2:{i:0;i:1;i:1;i:2;}}',
    ],
  ],
  ['colors', ['red', 'dark, blue'], ['red', 'dark, blue'], ['red', 'dark, blue']],
  ['colors', 'red, blue', ['red', 'blue'], ['red', 'blue']],
  ['sizes', [1.5, 2], [1.5, 2], ['1.5', '2']],
  [
    'contacts',
    [{ name: 'Ida' }, { name: 'Bo', phone: '1' }],
    [
      { name: 'Ida', phone: null },
      { name: 'Bo', phone: '1' },
    ],
    ['a:1:{s:4:"name";s:3:"Ida";}', 'a:2:{s:4:"name";s:2:"Bo";s:5:"phone";s:1:"1";}'],
  ],
];

/** Fields without a value. */
const UNSET = {
  subtitle: 'None',
  seats: null,
  price: null,
  indoors: true,
  sale_start: null,
  level: null,
  hotel: null,
  theme: null,
  address: null,
  colors: [],
  sizes: [],
  hosts: [],
  contacts: [],
};

/** Input that is rejected, with the message. */
const INVALID: [name: string, sent: unknown, message: string][] = [
  ['seats', 'many', 'seats is not of type integer.'],
  ['price', 'cheap', 'price is not of type number.'],
  ['price', '1e999', 'price is not of type number.'],
  ['price', 2e6, 'price must not be greater than 1000000'],
  ['price', [1], 'price is not of type number.'],
  ['sale_start', 'soon-ish', 'sale_start must be a date and time, such as 2026-11-21 10:00:00.'],
  ['sale_start', ' ', 'sale_start must be a date and time, such as 2026-11-21 10:00:00.'],
  ['sale_start', '0000-00-00 00:00:00', 'sale_start must be a date and time, such as 2026-11-21 10:00:00.'],
  ['sale_start', { date: 1 }, 'sale_start must be a date and time, such as 2026-11-21 10:00:00.'],
  ['level', 'HARD', 'level must be one of easy, medium, hard.'],
  ['hotel', 999_999, 'hotel must be the id of an existing venue.'],
  ['hotel', 'x', 'hotel must be the id of an existing venue.'],
  ['theme', 999_999, 'theme must be the id of an existing category.'],
  ['address', 'Main St', 'address must be an object.'],
  ['address', [1], 'address must be an object.'],
  ['address', { street: 'x'.repeat(41) }, 'address.street must be shorter than or equal to 40 characters'],
  ['address', { street: { a: 1 } }, 'address.street is not of type string.'],
  ['address', { streat: 'Main' }, 'address.streat is unknown.'],
  ['address', { geo: {} }, 'address.geo.lat is missing.'],
  ['address', { geo: { lat: 'north' } }, 'address.geo.lat is not of type number.'],
  ['address', { geo: { lat: 1, alt: 2 } }, 'address.geo.alt is unknown.'],
  ['address', { floors: [1, 2, 3, 4] }, 'address.floors may hold at most 3 items.'],
  ['address', { floors: [1, 'two'] }, 'address.floors.1 is not of type integer.'],
  ['address', { host: 999_999 }, 'address.host must be the id of an existing organizer.'],
  ['colors', ['red', 'R2'], 'colors.1 must match /^[a-z ,]+$/ regular expression'],
  ['colors', ['red', null], 'colors.1 is null.'],
  ['colors', ['red', ['x']], 'colors.1 is not of type string.'],
  ['colors', ['a', 'b', 'c', 'd', 'e', 'f'], 'colors may hold at most 5 items.'],
  ['hosts', [], 'hosts must contain at least 1 elements'],
  ['hosts', [999_999], 'hosts.0 must be the id of an existing organizer.'],
  ['contacts', 'Ida', 'contacts must be a list of objects.'],
  ['contacts', { name: 'Ida' }, 'contacts must be a list of objects.'],
  ['contacts', [{ name: 'Ida' }, { phone: '1' }], 'contacts.1.name is missing.'],
  [
    'contacts',
    [{ name: 'Ida', phone: '1'.repeat(21) }],
    'contacts.0.phone must be shorter than or equal to 20 characters',
  ],
  [
    'contacts',
    Array.from({ length: 99 }, () => ({ name: 'x'.repeat(900) })),
    'contacts may hold at most 65535 characters as JSON.',
  ],
];

describeEither('fields of each type', (database) => {
  let site: Site;
  let app: TestApp;
  let send: Send;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, plugins: [FieldsModule] });
    send = clientOf(app.url);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const ask = <Row>(text: string): Promise<Row[]> => app.dataSource.query(text);
  const rowsOf = async (id: number, key: string) => {
    const rows = await ask<{ meta_value: string }>(
      `SELECT meta_value FROM wp_postmeta WHERE post_id = ${id} AND meta_key = '${key}' ORDER BY meta_id`,
    );
    return rows.map((row) => row.meta_value);
  };
  const createOf = async (
    path: string,
    fields: object,
  ): Promise<Record<string, unknown> & { id: number }> => {
    const { status, body } = await send('editor', 'POST', path, fields);
    if (status !== 201) throw new Error(JSON.stringify(body));
    return body as Record<string, unknown> & { id: number };
  };
  let created = 0;
  const create = (fields: object) => createOf('/events', { ...DAY, title: `Event ${++created}`, ...fields });
  const put = async (id: number, fields: object) =>
    (await send('editor', 'PUT', `/events/${id}`, fields)).body;
  const read = async (id: number, caller: Caller = 'anonymous') =>
    (await send(caller, 'GET', `/events/${id}`)).body;
  const idsOf = async (query: string, caller: Caller = 'anonymous', path = '/events') => {
    const window = path === '/events' ? 'start_date=2000-01-01&end_date=2099-01-01' : 'hide_empty=0';
    const { status, body } = await send(caller, 'GET', `${path}?per_page=50&${window}&${query}`);
    if (status !== 200) return [status, body['code']];
    return (body[path.slice(1)] as { id: number }[]).map(({ id }) => id);
  };

  it('are stored, and returned by creates, updates, reads and lists', async () => {
    for (const [name, sent, returned, rows] of VALUES) {
      const meta = `_x_${name === 'sale_start' ? 'sale' : name}`;
      const { id, [name]: onCreate } = await create({ [name]: sent });
      const stored = await rowsOf(id, meta);
      const { id: other } = await create({});
      const { [name]: onUpdate } = await put(other, { [name]: sent });
      const { [name]: onRead } = await read(id);
      const listed = await send('anonymous', 'GET', `/events?include=${id}`);
      const [{ [name]: inList }] = listed.body['events'] as [Record<string, unknown>];
      expect({ name, onCreate, stored, onUpdate, onRead, inList }).toEqual({
        name,
        onCreate: returned,
        stored: rows,
        onUpdate: returned,
        onRead: returned,
        inList: returned,
      });
      expect(await rowsOf(other, meta)).toEqual(rows);
    }
  });

  it('keep their values when they are sent back as they were returned, and without them', async () => {
    const sent = Object.fromEntries(VALUES.map(([name, value]) => [name, value]));
    const { id } = await create(sent);
    const meta = () =>
      ask(`SELECT * FROM wp_postmeta WHERE post_id = ${id} AND meta_key LIKE '_x_%' ORDER BY meta_id`);
    const before = await meta();
    const returned = await read(id);
    await put(id, Object.fromEntries(VALUES.map(([name]) => [name, returned[name]])));
    await put(id, { title: 'Renamed' });
    const after = await read(id);
    for (const [name] of VALUES) expect([name, after[name]]).toEqual([name, returned[name]]);
    expect(await meta()).toEqual(before);
  });

  it('refer to records that the reader may see only', async () => {
    const open = await createOf('/venues', { venue: 'Inn' });
    const draft = await createOf('/venues', { venue: 'Closed inn', status: 'draft' });
    const host = await createOf('/organizers', { organizer: 'Host' });
    const theme = await createOf('/categories', { name: 'A theme' });
    const { id } = await create({
      hotel: draft.id,
      theme: theme.id,
      hosts: [host.id, String(host.id)],
      address: { street: 'A', host: host.id },
    });
    expect(await rowsOf(id, '_x_hosts')).toEqual([String(host.id)]);
    const whole = { hotel: draft.id, theme: theme.id, hosts: [host.id], address: { host: host.id } };
    expect(await read(id, 'editor')).toMatchObject(whole);
    expect(await read(id)).toMatchObject({ ...whole, hotel: null });
    const own = await send('author', 'POST', '/events', { ...DAY, title: 'Own', hotel: draft.id });
    expect([own.status, own.body['code']]).toEqual([400, 'rest_invalid_param']);
    // Cached records of anonymous readers follow each change of what they refer to.
    for (const [path, fields, returned] of [
      [`/venues/${draft.id}`, { status: 'publish' }, { hotel: draft.id }],
      [`/venues/${draft.id}`, { status: 'draft' }, { hotel: null }],
      [`/organizers/${host.id}`, { status: 'private' }, { hosts: [], address: { street: 'A', host: null } }],
      [`/organizers/${host.id}`, { status: 'publish' }, { hosts: [host.id], address: { host: host.id } }],
    ] as const) {
      await send('editor', 'PUT', path, fields);
      const list = await send(
        'anonymous',
        'GET',
        '/events?start_date=2030-01-01&end_date=2031-01-01&per_page=50',
      );
      const found = (list.body['events'] as { id: number }[]).find((one) => one.id === id);
      expect([path, found, await read(id)]).toMatchObject([path, returned, returned]);
    }
    await send('editor', 'DELETE', `/categories/${theme.id}`);
    await send('editor', 'DELETE', `/organizers/${host.id}`);
    expect(await read(id)).toMatchObject({ theme: null, hosts: [], address: { host: null } });
    expect(open.id).not.toBe(draft.id);
  });

  it('find a text by the value that was sent, though it is stored cleaned', async () => {
    for (const [sent, returned] of [
      ['C:\\x <i>one</i>', 'C:x one'],
      ['c%20d', 'cd'],
      ['a<b', 'a&lt;b'],
      ['wide   blanks', 'wide blanks'],
    ] as const) {
      const { id } = await create({ subtitle: sent });
      expect(await read(id)).toMatchObject({ subtitle: returned });
      for (const text of [sent, returned])
        expect([text, await idsOf(`subtitle=${encodeURIComponent(text)}`)]).toEqual([text, [id]]);
    }
    const { id } = await create({});
    await ask(
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_x_subtitle', 'by  PHP')`,
    );
    expect(await idsOf('subtitle=by++PHP')).toEqual([id]);
  });

  it('show null for rows that PHP stored in other forms, and keep the members it added', async () => {
    const { id } = await create({});
    const rows = {
      _x_seats: 'many',
      _x_price: '12 EUR',
      _x_indoors: 'yes',
      _x_sale: 'next week',
      _x_level: 'HARD',
      _x_hotel: 'a:1:{i:0;s:1:"5";}',
      _x_theme: '-1',
      _x_address: 'O:8:"stdClass":0:{}',
      _x_sizes: 'XL',
      _x_hosts: '0',
      _x_contacts: 'a:9:{',
    };
    for (const [key, value] of Object.entries(rows))
      await ask(
        `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '${key}', '${value}')`,
      );
    await ask(`INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_x_colors', NULL)`);
    const { status, body } = await send('anonymous', 'GET', `/events/${id}`);
    expect([status, body]).toMatchObject([
      200,
      {
        ...{
          seats: null,
          price: null,
          indoors: false,
          sale_start: null,
          level: null,
          hotel: null,
          theme: null,
        },
        ...{ address: null, sizes: [], hosts: [], contacts: [] },
      },
    ]);
    const clean = await send('anonymous', 'GET', `/events/${id}?_format=clean`);
    expect(clean.body).toMatchObject({ price: null, address: null, sizes: [] });
    expect(await idsOf('price=12')).not.toContain(id);
    expect(await idsOf('min_price=0&max_price=100')).not.toContain(id);
    expect(await idsOf('min_seats=0')).not.toContain(id);
    expect(await idsOf('min_sale_start=2000-01-01')).not.toContain(id);
    // Numbers and texts as other programs write them.
    const php =
      'a:4:{s:6:"street";s:1:"A";s:6:"number";s:1:"7";s:5:"floor";i:3;s:3:"geo";a:1:{s:3:"lat";s:3:"1.5";}}';
    await ask(
      `UPDATE wp_postmeta SET meta_value = '${php}' WHERE post_id = ${id} AND meta_key = '_x_address'`,
    );
    await ask(`UPDATE wp_postmeta SET meta_value = ' 7.50' WHERE post_id = ${id} AND meta_key = '_x_price'`);
    expect(await read(id, 'editor')).toMatchObject({
      address: { street: 'A', number: 7, geo: { lat: 1.5, lng: null } },
      price: 7.5,
    });
    expect(await idsOf('price=7.5', 'editor')).toEqual([id]);
    await put(id, { address: { street: 'B' } });
    expect(await rowsOf(id, '_x_address')).toEqual(['a:2:{s:6:"street";s:1:"B";s:5:"floor";i:3;}']);
  });

  it('filter lists by equality, by several values and by range, and links repeat the filters', async () => {
    const inn = await createOf('/venues', { venue: 'Filter inn' });
    const away = await createOf('/venues', { venue: 'Away', status: 'draft' });
    const host = await createOf('/organizers', { organizer: 'Filter host' });
    const theme = await createOf('/categories', { name: 'Filter theme' });
    const one = await create({
      ...{ subtitle: 'Filter', seats: 500, price: 99.5, indoors: false, sale_start: '2031-03-01 10:00:00' },
      ...{
        level: 'hard',
        hotel: inn.id,
        theme: theme.id,
        colors: ['teal', 'dark, blue'],
        sizes: [41.5],
        hosts: [host.id],
      },
    });
    const two = await create({
      ...{ subtitle: 'Filter', seats: 600, price: -3, sale_start: '2031-04-01 10:00:00', level: 'medium' },
      ...{ colors: ['teal', 'lime'], sizes: [42], hotel: away.id },
    });
    const both = [one.id, two.id];
    for (const [query, expected] of [
      ['subtitle=filter', both],
      ['subtitle=filter&indoors=0', [one.id]],
      ['subtitle=filter&indoors=1', [two.id]],
      ['seats=500', [one.id]],
      ['min_seats=500', both],
      ['min_seats=501', [two.id]],
      ['min_seats=500&max_seats=599', [one.id]],
      ['price=99.50', [one.id]],
      ['min_price=99.5&subtitle=filter', [one.id]],
      ['max_price=-3', [two.id]],
      ['min_price=-3&subtitle=filter', both],
      ['sale_start=2031-03-01T09:00:00Z', [one.id]],
      ['min_sale_start=2031-03-01+10:00:00&max_sale_start=2031-03-31', [one.id]],
      ['min_sale_start=2031-03-15', [two.id]],
      ['level=hard,medium&subtitle=filter', both],
      ['level=medium&subtitle=filter', [two.id]],
      [`hotel=${inn.id}`, [one.id]],
      [`theme=${theme.id}`, [one.id]],
      [`hosts=${host.id}`, [one.id]],
      ['colors=lime,nothing', [two.id]],
      ['colors=teal', both],
      ['colors[]=dark,+blue&subtitle=filter', [one.id]],
      ['sizes=41.5,42', both],
      ['sizes=42.0', [two.id]],
      ['level=purple', [400, 'rest_invalid_param']],
      ['sizes=big', [400, 'rest_invalid_param']],
      ['min_price=cheap', [400, 'rest_invalid_param']],
      ['max_sale_start=sometime-soon', [400, 'rest_invalid_param']],
      ['colors=', [400, 'rest_invalid_param']],
      ['hotel=999999', [400, 'rest_invalid_param']],
      // A venue that the reader may not see does not exist.
      [`hotel=${away.id}`, [400, 'rest_invalid_param']],
    ] as const)
      expect([query, await idsOf(query)]).toEqual([query, expected]);
    expect(await idsOf(`hotel=${inn.id},${away.id}`, 'editor')).toEqual(both);
    const { body } = await send(
      'anonymous',
      'GET',
      '/events?start_date=2030-01-01&per_page=1&colors=teal&min_seats=1',
    );
    const next = new URL(String(body['next_rest_url'])).searchParams;
    expect([body['total'], next.get('colors'), next.get('min_seats')]).toEqual([2, 'teal', '1']);
  });

  it('match by their default where nothing is stored', async () => {
    const unset = await create({});
    const other = await create({ subtitle: 'Other', indoors: false });
    const ids = (query: string) => idsOf(`include=${unset.id},${other.id}&${query}`);
    for (const [query, expected] of [
      ['subtitle=none', [unset.id]],
      ['subtitle=other', [other.id]],
      ['indoors=1', [unset.id]],
      ['indoors=0', [other.id]],
    ] as const)
      expect([query, await ids(query)]).toEqual([query, expected]);
  });

  it('of posts that a password locks are null and match no filter', async () => {
    const { id } = await create({ level: 'easy', price: 4321, colors: ['mauve'] });
    await ask(`UPDATE wp_posts SET post_password = 'secret' WHERE ID = ${id}`);
    const { body } = await send('anonymous', 'GET', `/events?include=${id}`);
    expect(body['events']).toMatchObject([{ level: null, price: null, colors: null }]);
    for (const query of ['price=4321', 'min_price=4321', 'colors=mauve'])
      expect([query, await idsOf(query), await idsOf(`${query}&password=secret`)]).toEqual([query, [], [id]]);
  });

  it('obey _fields, _format=clean and forms', async () => {
    const { id } = await create({ address: { street: 'A &amp; B', number: 3 }, colors: ['red'], price: 5 });
    const part = await send('anonymous', 'GET', `/events/${id}?_fields=address.street,colors`);
    expect(part.body).toEqual({ address: { street: expect.stringContaining('A') }, colors: ['red'] });
    const clean = await send('anonymous', 'GET', `/events/${id}?_format=clean`);
    expect(clean.body).toMatchObject({
      ...{ address: { street: 'A & B', number: 3, kind: null, floors: [] }, colors: ['red'], price: 5 },
      ...{ sale_start: null, indoors: true, subtitle: 'None' },
    });
    const form = new URLSearchParams([
      ...Object.entries({
        ...DAY,
        title: 'Form',
        price: '2.50',
        'address[street]': 'C',
        'address[geo][lat]': '2',
      }),
      ['colors[]', 'red'],
      ['colors[]', 'blue'],
      ['contacts[0][name]', 'Ida'],
    ]);
    const headers = { ...credentials('editor') };
    const sent = await fetch(`${app.url}/cal/events/v1/events`, { method: 'POST', body: form, headers });
    expect([sent.status, await sent.json()]).toMatchObject([
      201,
      {
        price: 2.5,
        address: { street: 'C', geo: { lat: 2 } },
        colors: ['red', 'blue'],
        contacts: [{ name: 'Ida' }],
      },
    ]);
  });

  it('of terms are stored and part of events, filter lists and refer to records', async () => {
    const head = await createOf('/organizers', { organizer: 'Head', status: 'draft' });
    const fields = { since: '2020-01-01T00:00:00Z', head: head.id, labels: ['a', 'b'] };
    const category = await createOf('/categories', { name: 'Kinds', ...fields });
    const returned = { since: '2020-01-01T00:00:00+00:00', head: null, labels: ['a', 'b'] };
    expect(category).toMatchObject({ ...returned, head: head.id });
    const { id } = await create({ categories: [category.id] });
    const list = async () => {
      const { body } = await send('anonymous', 'GET', `/events?include=${id}`);
      return (body['events'] as { categories: object[] }[])[0]?.categories;
    };
    expect(await list()).toMatchObject([returned]);
    await send('editor', 'PUT', `/organizers/${head.id}`, { status: 'publish' });
    expect(await list()).toMatchObject([{ ...returned, head: head.id }]);
    expect((await send('anonymous', 'GET', `/categories/${category.id}`)).body).toMatchObject({
      head: head.id,
    });
    for (const query of [`head=${head.id}`, 'labels=b,c', 'min_since=2019-01-01&max_since=2020-01-02'])
      expect([query, await idsOf(query, 'anonymous', '/categories')]).toEqual([query, [category.id]]);
    expect(await idsOf('min_since=2021-01-01', 'anonymous', '/categories')).toEqual([]);
    const coded = await createOf('/categories', { name: 'Coded', code: 'K1' });
    const again = await send('editor', 'POST', '/categories', { name: 'Coded again', code: 'k1' });
    expect([again.status, again.body['code']]).toEqual([409, 'duplicate_field_value']);
    expect(await ask("SELECT 1 FROM wp_terms WHERE name = 'Coded again'")).toEqual([]);
    await send('editor', 'DELETE', `/categories/${coded.id}`);
    const deleted = await send('editor', 'DELETE', `/categories/${category.id}`);
    expect([deleted.status, deleted.body['head']]).toEqual([200, head.id]);
    expect((await createOf('/categories', { name: 'Coded again', code: 'k1' }))['code']).toBe('k1');
  });

  it('are unset before the first write and after null, with their defaults', async () => {
    const { id } = await create({});
    expect(await read(id)).toMatchObject(UNSET);
    for (const [name, sent] of VALUES) await put(id, { [name]: sent });
    for (const [name] of VALUES) {
      const { [name]: returned } = await put(id, { [name]: null });
      expect([name, returned]).toEqual([name, UNSET[name as keyof typeof UNSET]]);
    }
    expect(
      await ask(`SELECT meta_key FROM wp_postmeta WHERE post_id = ${id} AND meta_key LIKE '_x_%'`),
    ).toEqual([]);
    // As forms clear a value.
    await put(id, { sale_start: '2030-01-01', level: 'easy', address: { number: 1 }, colors: ['red'] });
    expect(await put(id, { sale_start: '', level: '', address: '', colors: '' })).toMatchObject(UNSET);
  });

  it('reject invalid values with 400, naming the path, and write nothing', async () => {
    const count = () => ask('SELECT COUNT(*) AS n FROM wp_posts');
    const meta = () => ask('SELECT COUNT(*) AS n FROM wp_postmeta');
    const { id } = await create({});
    const before = [await count(), await meta()];
    for (const [name, sent, message] of INVALID)
      for (const [method, path] of [
        ['POST', '/events'],
        ['PUT', `/events/${id}`],
      ] as const) {
        const { status, body } = await send('editor', method, path, { ...DAY, title: 'Odd', [name]: sent });
        const params = (body['data'] as { params?: Record<string, string> }).params ?? {};
        expect([name, sent, status, body['code'], params[name]]).toEqual([
          name,
          sent,
          400,
          'rest_invalid_param',
          message.startsWith(`${name}.`) ? `${name} holds data that are not valid: ${message}` : message,
        ]);
      }
    expect([await count(), await meta()]).toEqual(before);
  });
});
