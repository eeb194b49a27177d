import { startTestServer, type TestServer } from 'almanac/testing';
import DressCodeModule from '../src/dress-code.module.js';

const EVENTS = '/cal/events/v1/events';
const BALL = { title: 'Ball', start_date: '2030-01-20 20:00:00', end_date: '2030-01-20 23:00:00' };

interface Event {
  id: number;
  dress_code: string | null;
  wardrobe_note?: string | null;
}

describe('the dress code of events', () => {
  let server: TestServer;
  let ball: Event;
  beforeAll(async () => {
    server = await startTestServer({ plugins: [DressCodeModule] });
    const sent = { ...BALL, dress_code: 'Black <b>tie</b>', wardrobe_note: 'Lend ties' };
    ({ body: ball } = await server.asAdmin().post<Event>(EVENTS, sent));
    await server.asAdmin().post(EVENTS, { ...BALL, title: 'Picnic' });
  });
  afterAll(() => server?.close());

  it('is stored as plain text and shown alone and in lists', async () => {
    expect(ball).toMatchObject({ dress_code: 'Black tie', wardrobe_note: 'Lend ties' });
    const { body } = await server.get<Event>(`${EVENTS}/${ball.id}`);
    expect(body.dress_code).toBe('Black tie');
    const list = await server.get<{ events: Event[] }>(EVENTS);
    expect(list.body.events.map((event) => event.dress_code)).toEqual(['Black tie', null]);
  });

  it('filters lists, whose links keep the filter', async () => {
    const { body } = await server.get<{ events: Event[]; total: number; rest_url: string }>(
      `${EVENTS}?dress_code=black%20tie`,
    );
    expect([body.total, body.events[0]?.id]).toEqual([1, ball.id]);
    expect(new URL(body.rest_url).searchParams.get('dress_code')).toBe('black tie');
  });

  it('stays when an update does not name it, and an empty text removes it', async () => {
    const { body } = await server.asAdmin().post<Event>(EVENTS, { ...BALL, dress_code: 'White' });
    const updated = await server.asAdmin().put<Event>(`${EVENTS}/${body.id}`, { title: 'Ball again' });
    expect(updated.body.dress_code).toBe('White');
    const cleared = await server.asAdmin().put<Event>(`${EVENTS}/${body.id}`, { dress_code: '' });
    expect(cleared.body.dress_code).toBeNull();
    await server.asAdmin().delete(`${EVENTS}/${body.id}`);
  });

  it('is refused when it is too long, and nothing is written', async () => {
    const answer = await server.asAdmin().post(EVENTS, { ...BALL, dress_code: 'x'.repeat(101) });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param', data: { params: { dress_code: expect.stringContaining('100') } } },
    });
    expect((await server.get<{ total: number }>(EVENTS)).body.total).toBe(2);
  });

  it('keeps the note from everybody else: not shown, not asked for, not sent', async () => {
    const { body } = await server.get<Event>(`${EVENTS}/${ball.id}`);
    expect(body).not.toHaveProperty('wardrobe_note');
    const refused = await server.post(EVENTS, { ...BALL, wardrobe_note: 'Mine' });
    expect(refused.status).toBe(401);
  });

  it('stands in the index and in the documents', async () => {
    const index = await server.get<{ routes: Record<string, { endpoints: { args: object }[] }> }>(
      '/cal/events/v1',
    );
    const [list, create] = index.body.routes['/cal/events/v1/events']?.endpoints ?? [];
    expect(list?.args).toMatchObject({ dress_code: { type: 'string' } });
    expect(list?.args).not.toHaveProperty('wardrobe_note');
    expect(create?.args).toMatchObject({ dress_code: {}, wardrobe_note: {} });
    const document = await server.get<{
      paths: Record<string, { get: { parameters: { name?: string }[] } }>;
    }>('/openapi.json');
    const parameters = document.body.paths['/events']?.get.parameters ?? [];
    expect(parameters.map(({ name }) => name)).toContain('dress_code');
  });
});
