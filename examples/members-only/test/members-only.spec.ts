import { startTestServer, type TestServer } from 'almanac/testing';
import MembersOnlyModule from '../src/members-only.module.js';

const API = '/cal/events/v1';
const DAY = { start_date: '2030-01-20 20:00:00', end_date: '2030-01-20 23:00:00' };

interface Event {
  id: number;
  slug: string;
  title: string;
  venue: { id: number };
}

describe('events for members only', () => {
  let server: TestServer;
  let assembly: Event;
  beforeAll(async () => {
    server = await startTestServer({ plugins: [MembersOnlyModule] });
    const sent = { ...DAY, title: 'Assembly', members_only: true, venue: { venue: 'Club' }, tags: 'inside' };
    ({ body: assembly } = await server.asAdmin().post<Event>(`${API}/events`, sent));
    await server.asAdmin().post(`${API}/events`, { ...DAY, title: 'Concert' });
  });
  afterAll(() => server?.close());

  const titles = async (client: Pick<TestServer, 'get'>) =>
    (await client.get<{ events: Event[] }>(`${API}/events`)).body.events.map(({ title }) => title);

  it('are listed and marked for members', async () => {
    expect(await titles(server.asAdmin())).toEqual(['Assembly (members only)', 'Concert']);
  });

  it('are neither listed nor counted for other users', async () => {
    expect(await titles(server)).toEqual(['Concert']);
    expect((await server.get<{ total: number }>(`${API}/events`)).body.total).toBe(1);
  });

  it.each([
    ['by its id', () => `/events/${assembly.id}`, 403],
    ['by its slug', () => `/events/by-slug/${assembly.slug}`, 403],
    ['by its venue', () => `/venues?event=${assembly.id}`, 400],
    ['by its tags', () => `/tags?event=${assembly.id}`, 400],
  ])('are hidden from other users %s', async (_, path, status) => {
    expect((await server.get(API + path())).status).toBe(status);
    expect((await server.asAdmin().get(API + path())).status).toBe(200);
  });

  it('do not count as events of their venue for other users', async () => {
    const having = (client: Pick<TestServer, 'get'>) =>
      client.get<{ total: number }>(`${API}/venues?has_events=1`);
    expect((await having(server)).body.total).toBe(0);
    expect((await having(server.asAdmin())).body.total).toBe(1);
  });

  it('are filtered by members_only for members only', async () => {
    expect((await server.get(`${API}/events?members_only=true`)).status).toBe(401);
    const { body } = await server.asAdmin().get<{ total: number }>(`${API}/events?members_only=true`);
    expect(body.total).toBe(1);
  });
});
