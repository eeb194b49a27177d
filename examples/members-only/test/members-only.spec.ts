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
  let hidden: Event;
  beforeAll(async () => {
    server = await startTestServer({ plugins: [MembersOnlyModule] });
    const sent = { ...DAY, title: 'Assembly', members_only: true, venue: { venue: 'Club' }, tags: 'inside' };
    ({ body: hidden } = await server.asAdmin().post<Event>(`${API}/events`, sent));
    await server.asAdmin().post(`${API}/events`, { ...DAY, title: 'Concert' });
  });
  afterAll(() => server?.close());

  const titles = async (client: Pick<TestServer, 'get'>) =>
    (await client.get<{ events: Event[] }>(`${API}/events`)).body.events.map(({ title }) => title);

  it('are in the lists of members, and told to be so', async () => {
    expect(await titles(server.asAdmin())).toEqual(['Assembly (members only)', 'Concert']);
  });

  it('are in no list of anybody else, and in no total', async () => {
    expect(await titles(server)).toEqual(['Concert']);
    expect((await server.get<{ total: number }>(`${API}/events`)).body.total).toBe(1);
  });

  it.each([
    ['by its id', () => `/events/${hidden.id}`, 403],
    ['by its slug', () => `/events/by-slug/${hidden.slug}`, 403],
    ['by its place', () => `/venues?event=${hidden.id}`, 400],
    ['by its tags', () => `/tags?event=${hidden.id}`, 400],
  ])('do not exist %s', async (_, path, status) => {
    expect((await server.get(API + path())).status).toBe(status);
    expect((await server.asAdmin().get(API + path())).status).toBe(200);
  });

  it('do not make their venue one that has events', async () => {
    const having = (client: Pick<TestServer, 'get'>) =>
      client.get<{ total: number }>(`${API}/venues?has_events=1`);
    expect((await having(server)).body.total).toBe(0);
    expect((await having(server.asAdmin())).body.total).toBe(1);
  });

  it('can not be asked for by the flag', async () => {
    expect((await server.get(`${API}/events?members_only=true`)).status).toBe(401);
    const { body } = await server.asAdmin().get<{ total: number }>(`${API}/events?members_only=true`);
    expect(body.total).toBe(1);
  });
});
