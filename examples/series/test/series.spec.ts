import { startTestServer, type TestServer } from 'almanac/testing';
import SeriesModule from '../src/series.module.js';

const API = '/cal/events/v1';
const EVENT = { title: 'First', start_date: '2030-01-20 20:00:00', end_date: '2030-01-20 23:00:00' };

interface Series {
  id: number;
  title: string;
  slug: string;
  status: string;
  season: string | null;
}

describe('series of events', () => {
  let server: TestServer;
  let jazz: Series;
  beforeAll(async () => {
    server = await startTestServer({ plugins: [SeriesModule] });
    const sent = { title: 'Jazz & more', description: 'Every week', season: 'summer' };
    const { status, body } = await server.asAdmin().post<Series>(`${API}/series`, sent);
    expect(status).toBe(201);
    jazz = body;
    await server.asAdmin().post(`${API}/series`, { title: 'Choirs', season: 'winter' });
    await server.asAdmin().post(`${API}/series`, { title: 'Plans', status: 'draft' });
  });
  afterAll(() => server?.close());

  const list = async (query: string) =>
    (await server.get<{ series: Series[]; total: number }>(`${API}/series${query}`)).body;

  it('are created by the rules of posts', async () => {
    expect(jazz).toMatchObject({
      title: 'Jazz &#038; more',
      slug: 'jazz-more',
      status: 'publish',
      season: 'summer',
    });
    expect((await server.get(`${API}/series/${jazz.id}`)).body).toMatchObject({
      description: '<p>Every week</p>',
      url: 'http://localhost:3000/acme_series/jazz-more/',
    });
  });

  it('are listed, searched and filtered, drafts only for users who may read them', async () => {
    expect((await list('')).series.map(({ title }) => title)).toEqual(['Jazz &#038; more', 'Choirs']);
    expect((await list('?search=jazz')).total).toBe(1);
    expect((await list('?season=winter')).series.map(({ title }) => title)).toEqual(['Choirs']);
    const all = await server.asAdmin().get<{ total: number }>(`${API}/series`);
    expect(all.body.total).toBe(3);
  });

  it('are updated in the sent fields only', async () => {
    const { body } = await server.asAdmin().put<Series>(`${API}/series/${jazz.id}`, { season: 'autumn' });
    expect(body).toMatchObject({ title: 'Jazz &#038; more', season: 'autumn' });
  });

  it.each([
    ['a title is missing', { season: 'summer' }, 'rest_missing_callback_param'],
    ['a season is invalid', { title: 'X', season: 'monsoon' }, 'rest_invalid_param'],
  ])('are rejected with 400 when %s, and nothing is written', async (_, sent, code) => {
    const before = (await list('')).total;
    expect(await server.asAdmin().post(`${API}/series`, sent)).toMatchObject({ status: 400, body: { code } });
    expect((await list('')).total).toBe(before);
  });

  it('are rejected with 401 when anonymous users write them', async () => {
    expect((await server.post(`${API}/series`, { title: 'Mine' })).status).toBe(401);
    expect((await server.delete(`${API}/series/${jazz.id}`)).status).toBe(401);
  });

  it('contain events, which lists filter by series', async () => {
    const { body } = await server
      .asAdmin()
      .post<{ id: number }>(`${API}/events`, { ...EVENT, series: jazz.id });
    await server.asAdmin().post(`${API}/events`, { ...EVENT, title: 'Alone' });
    const found = await server.get<{ events: { id: number; series: number }[]; total: number }>(
      `${API}/events?series=${jazz.id}`,
    );
    expect(found.body).toMatchObject({ total: 1, events: [{ id: body.id, series: jazz.id }] });
    expect((await server.asAdmin().post(`${API}/events`, { ...EVENT, series: 999_999 })).status).toBe(400);
  });

  it('are moved to the trash once and then rejected with 410', async () => {
    const { body } = await server.asAdmin().post<Series>(`${API}/series`, { title: 'Short' });
    expect((await server.asAdmin().delete(`${API}/series/${body.id}`)).body).toMatchObject({
      status: 'trash',
    });
    expect(await server.asAdmin().delete(`${API}/series/${body.id}`)).toMatchObject({
      status: 410,
      body: { code: 'series-is-in-trash' },
    });
  });
});
