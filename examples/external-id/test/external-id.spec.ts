import { Database, type EventJson, type VenueJson } from 'almanac';
import { startTestServer, type TestClient, type TestServer } from 'almanac/testing';
import sql from 'sql-template-tag';
import ExternalIdModule from '../src/external-id.module.js';

const EVENTS = '/cal/events/v1/events';
const VENUES = '/cal/events/v1/venues';
const day = { start_date: '2030-01-20 20:00:00', end_date: '2030-01-20 23:00:00' };
const source = {
  system: 'erp',
  url: 'https://erp.example.org/1',
  imported_at: '2030-07-01 09:00:00',
  tags: ['a', 'b'],
};
const stored = { ...source, imported_at: '2030-07-01T09:00:00+02:00' };

interface Failure {
  code: string;
  data: { params?: Record<string, string> };
}
/** What both resources return of it. */
type Stored = Pick<EventJson & VenueJson, 'id' | 'external_id' | 'source'>;

/** All rows that a write of an event or a venue changes. */
async function rows(server: TestServer): Promise<unknown[]> {
  const database = server.app.get(Database);
  const tables = ['posts', 'postmeta', 'tec_events', 'tec_occurrences', 'terms', 'term_relationships'];
  return Promise.all(tables.map((table) => database.query(sql`SELECT * FROM ${database.table(table)}`)));
}

/** Sends a write, and expects this failure and that nothing is written. */
async function expectRefused(
  server: TestServer,
  [path, body]: readonly [string, object],
  [status, code]: readonly [number, string],
  client: TestClient = server.asAdmin(),
): Promise<Failure> {
  const before = await rows(server);
  const response = await client.post<Failure>(path, body);
  expect([response.status, response.body.code]).toEqual([status, code]);
  expect(await rows(server)).toEqual(before);
  return response.body;
}

describe.each([
  ['events', EVENTS, 'title', day],
  ['venues', VENUES, 'venue', {}],
])('external ids of %s', (plural, path, titled, others) => {
  let server: TestServer;
  let count = 0;
  /** A record with a name of its own, because creates of venues find one of the same name. */
  const record = () => ({ ...others, [titled]: `Number ${++count}` });
  beforeAll(async () => {
    server = await startTestServer({ plugins: [ExternalIdModule] });
  });
  afterAll(() => server?.close());

  const create = async (more: object) =>
    (await server.asAdmin().post<Stored>(path, { ...record(), ...more })).body;
  const ids = async (query: string) => {
    const { body } = await server.get<Record<string, Stored[]>>(`${path}?${query}`);
    return body[plural]?.map(({ id }) => id);
  };

  it('are stored with the source, and returned alone and in lists', async () => {
    const { status, body } = await server
      .asAdmin()
      .post<Stored>(path, { ...record(), external_id: 'A-1', source });
    expect([status, body.external_id, body.source]).toEqual([201, 'A-1', stored]);
    const read = await server.get<Stored>(`${path}/${body.id}`);
    expect([read.body.external_id, read.body.source]).toEqual(['A-1', stored]);
  });

  it('filter lists', async () => {
    const { id } = await create({ external_id: 'filter me' });
    expect(await ids('external_id=filter+me')).toEqual([id]);
    expect(await ids('external_id=nobody')).toEqual([]);
  });

  it('are 409 when taken, by a create and by an update', async () => {
    const first = await create({ external_id: 'taken' });
    const second = await create({ external_id: 'free' });
    const taken = [409, 'duplicate_field_value'] as const;
    await expectRefused(server, [path, { ...record(), external_id: 'taken' }], taken);
    await expectRefused(server, [`${path}/${second.id}`, { external_id: 'taken' }], taken);
    const same = await server.asAdmin().put<Stored>(`${path}/${first.id}`, { external_id: 'taken' });
    expect([same.status, same.body.external_id]).toEqual([200, 'taken']);
  });

  it('are unique under parallel writes', async () => {
    const parallel = await Promise.all(
      Array.from({ length: 12 }, () =>
        server.asAdmin().post<Stored & Failure>(path, { ...record(), external_id: 'race' }),
      ),
    );
    expect(parallel.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)]);
    const failed = parallel.filter(({ status }) => status !== 201);
    expect(new Set(failed.map(({ body }) => body.code))).toEqual(new Set(['duplicate_field_value']));
    expect(await ids('external_id=race')).toHaveLength(1);
    const three = await Promise.all([create({}), create({}), create({})]);
    const updates = await Promise.all(
      three.map(({ id }) => server.asAdmin().put<Stored>(`${path}/${id}`, { external_id: 'race 2' })),
    );
    expect(updates.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it('are free again once their record is in the trash', async () => {
    const { id } = await create({ external_id: 'trashed' });
    expect((await server.asAdmin().delete(`${path}/${id}`)).status).toBe(200);
    expect((await create({ external_id: 'trashed' })).external_id).toBe('trashed');
  });

  it.each([
    ['a system without a url', { system: 'erp' }, 'source.url'],
    ['a system with an empty url', { system: 'erp', url: '' }, 'source.url'],
    ['a system with a null url', { system: 'erp', url: null }, 'source.url'],
    ['a url that is none', { system: 'erp', url: 'here' }, 'source.url'],
    ['an unknown system', { ...source, system: 'fax' }, 'source.system'],
    ['no date', { ...source, imported_at: 'never' }, 'source.imported_at'],
    ['tags that are no texts', { ...source, tags: ['a', {}] }, 'source.tags.1'],
    ['an unknown member', { ...source, color: 'red' }, 'color'],
    ['a text', 'erp', 'source'],
  ])('refuse %s', async (_, wrong, named) => {
    const { id } = await create({ source });
    for (const address of [path, `${path}/${id}`]) {
      const write = [address, { ...record(), source: wrong }] as const;
      const { data } = await expectRefused(server, write, [400, 'rest_invalid_param']);
      expect(data.params?.['source']).toContain(named);
    }
  });

  it('need no url without a system, and null removes the source', async () => {
    const { id, source: tagged } = await create({ source: { tags: ['a'] } });
    expect(tagged).toMatchObject({ tags: ['a'] });
    const { body } = await server.asAdmin().put<Stored>(`${path}/${id}`, { source: null });
    expect(body.source).toBeNull();
  });

  it('are refused to callers without rights', async () => {
    await expectRefused(server, [path, { ...record(), external_id: 'B-1' }], [401, 'rest_forbidden'], server);
  });
});

describe('a venue inside an event', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ plugins: [ExternalIdModule] });
  });
  afterAll(() => server?.close());

  it('has its own external id, and is checked by the same rule', async () => {
    const ball = { title: 'Ball', ...day, external_id: 'X' };
    const hall = { venue: 'Hall', external_id: 'X' };
    const wrong = { ...hall, source: { system: 'erp' } };
    await expectRefused(server, [EVENTS, { ...ball, venue: wrong }], [400, 'rest_invalid_param']);
    const { body } = await server.asAdmin().post<EventJson>(EVENTS, { ...ball, venue: hall });
    expect([body.external_id, [body.venue].flat()[0]?.external_id]).toEqual(['X', 'X']);
    const other = { title: 'Concert', ...day, venue: { ...hall, venue: 'Another hall' } };
    await expectRefused(server, [EVENTS, other], [409, 'duplicate_field_value']);
  });
});
