import { Database } from 'almanac';
import { startTestServer, type TestClient, type TestResponse, type TestServer } from 'almanac/testing';
import sql from 'sql-template-tag';
import SpeakersModule from '../src/speakers.module.js';

const NAMESPACE = '/cal/events/v1';
const SPEAKERS = `${NAMESPACE}/speakers`;

interface Speaker {
  id: number;
  title: string;
  status: string;
  level: string | null;
  topics: string[];
  events: number[];
  venue: number | null;
  _embedded?: { events?: { id: number }[]; venue?: { id: number; venue: string }[] };
}
interface SpeakerList {
  speakers: Speaker[];
  total: number;
  next_rest_url?: string;
}

describe('speakers', () => {
  let server: TestServer;
  let admin: TestClient;
  let opening: number;
  let closing: number;
  let hidden: number;
  let hall: number;

  const createEvent = async (fields: object) => {
    const day = { start_date: '2030-01-20 20:00:00', end_date: '2030-01-20 23:00:00' };
    return (await admin.post<{ id: number }>(`${NAMESPACE}/events`, { ...day, ...fields })).body.id;
  };
  const createSpeaker = async (fields: object, client = admin) => {
    const { status, body } = await client.post<Speaker>(SPEAKERS, fields);
    expect(status).toBe(201);
    return body;
  };
  const read = async (id: number, client: TestClient = server) =>
    (await client.get<Speaker>(`${SPEAKERS}/${id}`)).body;
  const idsOf = async (query: string, client: TestClient = server) =>
    (await client.get<SpeakerList>(`${SPEAKERS}?${query}`)).body.speakers.map(({ id }) => id);

  /** All rows that a write of a record could change. */
  const rows = async () => {
    const database = server.app.get(Database);
    const posts = await database.query(sql`SELECT * FROM ${database.table('posts')} ORDER BY 1`);
    return [posts, await database.query(sql`SELECT * FROM ${database.table('postmeta')} ORDER BY 1`)];
  };
  const expectRejection = async (
    send: () => Promise<TestResponse>,
    status: number,
    code: string,
    data: object = {},
  ) => {
    const before = await rows();
    expect(await send()).toMatchObject({ status, body: { code, data } });
    expect(await rows()).toEqual(before);
  };

  beforeAll(async () => {
    server = await startTestServer({ plugins: [SpeakersModule] });
    admin = server.asAdmin();
    opening = await createEvent({ title: 'Opening' });
    closing = await createEvent({ title: 'Closing' });
    hidden = await createEvent({ title: 'Hidden', status: 'draft' });
    hall = (await admin.post<{ id: number }>(`${NAMESPACE}/venues`, { venue: 'Hall' })).body.id;
    for (const role of ['editor', 'author', 'contributor', 'subscriber']) await server.as(role).get(SPEAKERS);
  });
  afterAll(() => server?.close());

  describe('fields', () => {
    it('are stored, updated one by one and removed', async () => {
      const { id } = await createSpeaker({ title: 'Ada', level: 'experts', topics: ['math', 'engines'] });
      expect(await read(id)).toMatchObject({ title: 'Ada', level: 'experts', topics: ['math', 'engines'] });
      await admin.put(`${SPEAKERS}/${id}`, { topics: ['poetry'] });
      expect(await read(id)).toMatchObject({ level: 'experts', topics: ['poetry'] });
      await admin.put(`${SPEAKERS}/${id}`, { level: null, topics: [] });
      expect(await read(id)).toMatchObject({ level: 'beginners', topics: [] });
    });

    it('filter lists; without a value the default counts', async () => {
      const { id: expert } = await createSpeaker({ title: 'Expert', level: 'experts', topics: ['trains'] });
      const { id: beginner } = await createSpeaker({ title: 'Beginner', topics: ['trains', 'boats'] });
      expect(await idsOf('topics=trains&level=experts')).toEqual([expert]);
      expect(await idsOf('topics=trains&level=beginners')).toEqual([beginner]);
      expect(await idsOf('topics=boats,planes')).toEqual([beginner]);
    });

    it.each([
      ['level', 'nobody'],
      ['topics', ['x'.repeat(51)]],
      ['topics', ['a', 'b', 'c', 'd', 'e', 'f']],
    ])('are checked: %s', async (name, value) => {
      const { id } = await createSpeaker({ title: 'Checked' });
      const data = { params: { [name]: expect.any(String) } };
      const body = { title: 'Wrong', [name]: value };
      await expectRejection(() => admin.post(SPEAKERS, body), 400, 'rest_invalid_param', data);
      await expectRejection(() => admin.put(`${SPEAKERS}/${id}`, body), 400, 'rest_invalid_param', data);
    });

    it('and filters reject unknown values; a title is required', async () => {
      await expectRejection(() => server.get(`${SPEAKERS}?level=nobody`), 400, 'rest_invalid_param');
      await expectRejection(() => admin.post(SPEAKERS, {}), 400, 'rest_missing_callback_param');
    });
  });

  describe('rights', () => {
    it('are those that the roles were granted', async () => {
      const admins = await createSpeaker({ title: 'Of the administrator' });
      const drafted = await createSpeaker({ title: 'Drafted' }, server.as('contributor'));
      expect(drafted.status).toBe('draft');
      const own = await createSpeaker({ title: 'Own' }, server.as('author'));
      expect(own.status).toBe('publish');
      expect((await server.as('author').put(`${SPEAKERS}/${own.id}`, { title: 'Mine' })).status).toBe(200);
      expect((await server.as('editor').put(`${SPEAKERS}/${own.id}`, { title: 'Ours' })).status).toBe(200);

      const path = `${SPEAKERS}/${admins.id}`;
      for (const role of ['author', 'contributor', 'subscriber']) {
        const client = server.as(role);
        await expectRejection(() => client.put(path, { title: 'Mine' }), 403, 'rest_forbidden');
        await expectRejection(() => client.delete(path), 403, 'rest_forbidden');
      }
      const subscriber = server.as('subscriber');
      await expectRejection(() => subscriber.post(SPEAKERS, { title: 'No' }), 403, 'rest_forbidden');
      await expectRejection(() => server.post(SPEAKERS, { title: 'No' }), 401, 'rest_forbidden');
      await expectRejection(() => server.put(path, { title: 'No' }), 401, 'rest_forbidden');
      await expectRejection(() => server.delete(path), 401, 'rest_forbidden');
    });

    it('hide drafts, and refuse what is in the trash or unknown', async () => {
      const { id } = await createSpeaker({ title: 'Draft', status: 'draft' });
      const path = `${SPEAKERS}/${id}`;
      await expectRejection(() => server.get(path), 403, 'speaker-not-accessible');
      await admin.delete(path);
      await expectRejection(() => admin.delete(path), 410, 'speaker-is-in-trash');
      await expectRejection(() => server.get(`${SPEAKERS}?page=99`), 404, 'speaker-archive-page-not-found');
      await expectRejection(() => server.get(`${SPEAKERS}/9999`), 404, 'rest-speaker-not-found');
      await expectRejection(() => server.get(`${SPEAKERS}?status=draft`), 400, 'rest_invalid_param');
    });
  });

  it('may be written in a batch, which refuses each request on its own', async () => {
    const requests = [
      { path: SPEAKERS, body: { title: 'In a batch' } },
      { path: SPEAKERS, body: { level: 'nobody', title: 'Wrong' } },
    ];
    const { body } = await admin.post<{
      responses: { status: number; body: { id?: number; code?: string } }[];
    }>('/batch/v1', { requests });
    expect(body.responses).toMatchObject([
      { status: 201 },
      { status: 400, body: { code: 'rest_invalid_param' } },
    ]);
    expect((await server.get<SpeakerList>(`${SPEAKERS}?search=Wrong`)).body.total).toBe(0);
  });

  describe('relations', () => {
    it('keep their order, and omit events that the reader may not see', async () => {
      const { id } = await createSpeaker({
        title: 'Related',
        events: [closing, hidden, opening],
        venue: hall,
      });
      expect(await read(id)).toMatchObject({ events: [closing, opening], venue: hall });
      expect((await read(id, admin)).events).toEqual([closing, hidden, opening]);
      await admin.put(`${SPEAKERS}/${id}`, { events: [opening], venue: null });
      expect(await read(id, admin)).toMatchObject({ events: [opening], venue: null });
    });

    it('are embedded on request only', async () => {
      const { id } = await createSpeaker({
        title: 'Embedded',
        events: [closing, hidden, opening],
        venue: hall,
      });
      expect(await read(id)).not.toHaveProperty('_embedded');
      const { body } = await server.get<Speaker>(`${SPEAKERS}/${id}?_embed=events`);
      expect(body._embedded?.events?.map((event) => event.id)).toEqual([closing, opening]);
      expect(body._embedded).not.toHaveProperty('venue');
      const list = await server.get<SpeakerList>(`${SPEAKERS}?_embed=1&search=Embedded`);
      expect(list.body.speakers[0]?._embedded?.venue).toMatchObject([{ id: hall, venue: 'Hall' }]);
      expect(list.body.speakers[0]?._embedded?.events).toHaveLength(2);
    });

    it('filter lists, by one of several', async () => {
      const [gala, fair] = [await createEvent({ title: 'Gala' }), await createEvent({ title: 'Fair' })];
      const { id: first } = await createSpeaker({ title: 'First', events: [gala] });
      const { id: second } = await createSpeaker({ title: 'Second', events: [fair, gala] });
      expect((await idsOf(`events=${gala}`)).sort()).toEqual([first, second]);
      expect(await idsOf(`events=${fair}`)).toEqual([second]);
      const { body } = await server.get<SpeakerList>(`${SPEAKERS}?events=${gala},${fair}&per_page=1`);
      expect(body.total).toBe(2);
      expect(body.next_rest_url).toContain('events=');
      await expectRejection(() => server.get(`${SPEAKERS}?events=${hidden}`), 400, 'rest_invalid_param');
      await expectRejection(() => server.get(`${SPEAKERS}?events=9999`), 400, 'rest_invalid_param');
    });

    it('refuse ids of nothing, of another kind, and of what the caller may not read', async () => {
      const { id } = await createSpeaker({ title: 'Mine' }, server.as('author'));
      const path = `${SPEAKERS}/${id}`;
      const ofEvents = { params: { events: expect.any(String) } };
      const ofVenue = { params: { venue: expect.any(String) } };
      for (const events of [[9999], [hall], [opening, 9999]]) {
        const body = { title: 'Wrong', events };
        await expectRejection(() => admin.post(SPEAKERS, body), 400, 'rest_invalid_param', ofEvents);
        await expectRejection(() => admin.put(path, body), 400, 'rest_invalid_param', ofEvents);
      }
      await expectRejection(() => admin.put(path, { venue: opening }), 400, 'rest_invalid_param', ofVenue);
      const author = server.as('author');
      await expectRejection(
        () => author.put(path, { events: [hidden] }),
        400,
        'rest_invalid_param',
        ofEvents,
      );
    });

    it('lose sight of a trashed event until it is restored', async () => {
      const event = await createEvent({ title: 'Trashed' });
      const { id } = await createSpeaker({ title: 'Patient', events: [event, opening] });
      const path = `${NAMESPACE}/events/${event}`;
      expect((await admin.delete(path)).status).toBe(200);
      expect((await read(id, admin)).events).toEqual([opening]);
      expect((await admin.put(path, { status: 'publish' })).status).toBe(200);
      expect((await read(id)).events).toEqual([event, opening]);
    });

    it('keep a venue out of the trash while a speaker names it, even a draft', async () => {
      const venue = (await admin.post<{ id: number }>(`${NAMESPACE}/venues`, { venue: 'Needed' })).body.id;
      const path = `${NAMESPACE}/venues/${venue}`;
      const { id } = await createSpeaker({ title: 'Resident', venue, status: 'draft' });
      await expectRejection(() => admin.delete(path), 409, 'venue-in-use');
      await expectRejection(() => server.as('editor').delete(path), 409, 'venue-in-use');
      expect((await admin.delete(`${SPEAKERS}/${id}`)).status).toBe(200);
      expect((await admin.delete(path)).status).toBe(200);
    });
  });
});
