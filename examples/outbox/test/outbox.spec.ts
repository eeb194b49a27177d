import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { getRepositoryToken } from '@nestjs/typeorm';
import { conflict, EVENT, EventsModule, Hooks, Jobs, postHooks } from 'almanac';
import { startTestServer, type TestServer } from 'almanac/testing';
import type { Repository } from 'typeorm';
import { Message } from '../src/message.entity.js';
import OutboxModule from '../src/outbox.module.js';
import { Receiver } from './receiver.js';

const EVENTS = '/cal/events/v1/events';
const day = { start_date: '2030-01-20 20:00:00', end_date: '2030-01-20 23:00:00' };

/** A second plugin: when it is switched on, it rejects each write after the outbox has queued its message. */
let veto = false;
@Injectable()
class Veto implements OnModuleInit {
  constructor(private readonly hooks: Hooks) {}

  onModuleInit(): void {
    const reject = () => {
      if (veto) throw conflict('Not today.', 'acme_veto');
    };
    this.hooks.addAction(postHooks(EVENT).beforeCommit, reject, { priority: 20 });
  }
}
@Module({ imports: [EventsModule], providers: [Veto] })
class VetoModule {}

describe('the outbox', () => {
  const receiver = new Receiver();
  let server: TestServer;
  let messages: Repository<Message>;

  const create = async (title: string) => {
    const { status, body } = await server.asAdmin().post<{ id: number }>(EVENTS, { ...day, title });
    expect(status).toBe(201);
    return body.id;
  };
  const update = async (id: number, title: string) => {
    expect((await server.asAdmin().put(`${EVENTS}/${id}`, { title })).status).toBe(200);
  };
  const run = () => server.app.get(Jobs).runDue();

  beforeAll(async () => {
    await receiver.start();
    process.env['OUTBOX_URL'] = receiver.url;
    server = await startTestServer({ plugins: [OutboxModule, VetoModule] });
    messages = server.app.get(getRepositoryToken(Message), { strict: false });
  });
  afterAll(async () => {
    receiver.kill();
    await server?.close();
  });
  beforeEach(async () => {
    receiver.received.length = 0;
    veto = false;
  });

  it('sends creates, updates, removals and restorations in order', async () => {
    const event = await create('Ball');
    await update(event, 'Grand ball');
    await server.asAdmin().delete(`${EVENTS}/${event}`);
    expect((await server.asAdmin().put(`${EVENTS}/${event}`, { status: 'publish' })).status).toBe(200);
    expect(receiver.received).toEqual([]);
    await run();
    expect(receiver.received.map(({ event: id, change }) => [id, change])).toEqual([
      [event, 'create'],
      [event, 'update'],
      [event, 'trash'],
      [event, 'update'],
    ]);
    expect(await messages.count()).toBe(0);
  });

  it('survives two deaths of the receiver, at least once and in order per event', async () => {
    const first = await create('First');
    receiver.kill();
    await run();
    expect(await messages.count()).toBe(1);

    await update(first, 'First, changed');
    const second = await create('Second');
    await run();
    expect(receiver.received).toEqual([]);
    expect(await messages.count()).toBe(3);

    await receiver.start();
    receiver.dieAfterReading = true;
    for (let attempt = 0; attempt < 4; attempt++) {
      server.clock.advance(60_000);
      await run();
    }
    expect(await messages.count()).toBe(3);
    expect(receiver.received).toHaveLength(1);

    await receiver.start();
    for (let attempt = 0; attempt < 8; attempt++) {
      server.clock.advance(600_000);
      await run();
    }
    expect(await messages.count()).toBe(0);
    const of = (id: number) => receiver.received.filter(({ event }) => event === id);
    const withoutRepetitions = (id: number) => [
      ...new Map(of(id).map((one) => [one.key, one.change])).values(),
    ];
    expect(withoutRepetitions(first)).toEqual(['create', 'update']);
    expect(withoutRepetitions(second)).toEqual(['create']);
    expect(receiver.received).toHaveLength(4);
    expect(await server.app.get(Jobs).failed()).toEqual([]);
  });

  it('does not let a new change overtake one that waits for its next attempt', async () => {
    receiver.status = 500;
    const event = await create('Slow');
    await run();
    receiver.status = 204;
    await update(event, 'Slow, changed');
    await run();
    expect(receiver.received.map(({ change }) => change)).toEqual(['create', 'update']);
    server.clock.advance(60_000);
    await run();
    expect(receiver.received).toHaveLength(2);
  });

  it('sends what a job gave up, with the next change of the event', async () => {
    receiver.status = 500;
    const event = await create('Stuck');
    for (let attempt = 0; attempt < 20; attempt++) {
      await run();
      server.clock.advance(3_600_000);
    }
    const jobs = server.app.get(Jobs);
    expect(await jobs.failed()).toHaveLength(1);
    receiver.status = 204;
    await update(event, 'Stuck, changed');
    await run();
    expect(receiver.received.map(({ change }) => change)).toEqual(['create', 'update']);
  });

  it('sends nothing for writes that are rolled back', async () => {
    const event = await create('Kept');
    await run();
    receiver.received.length = 0;
    veto = true;
    const admin = server.asAdmin();
    const responses = [
      await admin.post(EVENTS, { ...day, title: 'Lost' }),
      await admin.put(`${EVENTS}/${event}`, { title: 'Lost' }),
      await admin.delete(`${EVENTS}/${event}`),
    ];
    for (const response of responses)
      expect(response).toMatchObject({ status: 409, body: { code: 'acme_veto' } });
    expect(await messages.count()).toBe(0);
    server.clock.advance(60_000);
    expect(await run()).toBe(0);
    expect(receiver.received).toEqual([]);
    expect((await server.get(`${EVENTS}/${event}`)).body).toMatchObject({ title: 'Kept', status: 'publish' });
    expect((await server.get(`${EVENTS}?search=Lost`)).body).toMatchObject({ total: 0 });
  });

  it('sends nothing for a request that fails its checks', async () => {
    const response = await server.asAdmin().post(EVENTS, { title: 'No date' });
    expect(response).toMatchObject({ status: 400, body: { code: 'rest_missing_callback_param' } });
    expect((await server.post(EVENTS, { ...day, title: 'Anonymous' })).body).toMatchObject({
      code: 'rest_forbidden',
    });
    expect(await messages.count()).toBe(0);
    expect(await run()).toBe(0);
  });
});

describe('a start without a receiver', () => {
  it('is refused', async () => {
    delete process.env['OUTBOX_URL'];
    await expect(startTestServer({ plugins: [OutboxModule] })).rejects.toThrow('OUTBOX_URL');
  });
});
