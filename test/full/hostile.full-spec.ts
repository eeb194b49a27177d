import { setTimeout as sleep } from 'node:timers/promises';
import { credentials } from '../support/calendar-client.js';
import { BODIES, type Shape } from '../support/hostile/bodies.js';
import {
  answerTo,
  BASE,
  type HostileFixture,
  multipart,
  openHostileFixture,
  send,
  summary,
} from '../support/hostile/hostile-fixture.js';
import { LIMITS, PACKED } from '../support/hostile/limits.js';
import { runRandom } from '../support/hostile/run.js';
import { TEXTS } from '../support/hostile/texts.js';
import { brokenRows } from '../support/invariants.js';
import { serverMissing } from '../support/mariadb.js';
import { drip, exchange, head, openRaw, type RawConnection } from '../support/raw-socket.js';

/** Sizes of bodies: the first is rejected before it is read, the other accepted. */
const [OVER, UNDER] = [8_000_000, 999_000];
const MEGABYTE = 1024 * 1024;
/** The memory limit of the server with 150 pending bodies, in bytes: its heap and each body once. */
const MAX_MEMORY = 800 * MEGABYTE;
/** The time limit of a response without work on a busy machine, in milliseconds. */
const AT_ONCE = 5_000;
const READERS = 20;

const describeHere = serverMissing() ? describe.skip : describe;

describeHere('hostile input', () => {
  let fixture: HostileFixture;
  let url: string;

  beforeAll(async () => {
    fixture = await openHostileFixture();
    url = fixture.server.url;
  });
  beforeEach(() => fixture.revive());
  afterAll(async () => {
    if (fixture)
      process.stdout.write(`Longest blocks of the event loop, most memory:\n${fixture.report()}\n`);
    await fixture?.close();
  });

  /** Sends it and expects its response, and no written row unless it was accepted. */
  async function rejected(shape: Shape): Promise<void> {
    const before = await fixture.rows();
    const answer = await answerTo(url, shape);
    await fixture.look(`${shape.name}: ${answer.slice(0, 60)}`);
    expect(answer).toMatch(shape.wanted);
    expect(await fixture.rows()).toEqual(before);
  }

  describe('bodies', () => {
    it.each(BODIES)('$name', rejected);
    it.each(PACKED)('$name', rejected);
  });

  describe('parameters', () => {
    it.each(LIMITS)('$name', rejected);
  });

  describe('connections', () => {
    const post = (headers: Record<string, string>) =>
      head('POST', `${BASE}/events`, {
        ...credentials('admin'),
        'Content-Type': 'application/json',
        ...headers,
      });

    it.each([
      ['8 MB', { 'Content-Length': String(OVER) }],
      ['a thousand terabytes', { 'Content-Length': String(1e15) }],
      ['8 MB, if the server wants them', { 'Content-Length': String(OVER), Expect: '100-continue' }],
    ])('rejects at once a body that announces %s and never begins', async (_, headers) => {
      const answer = await exchange(url, post(headers), AT_ONCE);
      await fixture.look('announced bodies');
      expect(summary(answer)).toMatch(/^413 rest_content_too_large/);
    });

    it.each([
      ['in large chunks', 65_536],
      ['in chunks of a byte', 1],
    ])('stops reading a body without a length at the limit, %s', async (_, size) => {
      const chunk = `${size.toString(16)}\r\n${'1'.repeat(size)}\r\n`;
      const count = Math.ceil((size === 1 ? 2_000_000 : OVER) / size);
      const before = await fixture.rows();
      const bytes = `${post({ 'Transfer-Encoding': 'chunked' })}${chunk.repeat(count)}0\r\n\r\n`;
      const answer = await exchange(url, bytes, 20_000);
      await fixture.look(`chunks of ${size}`);
      expect(summary(answer)).toMatch(/^413 rest_content_too_large/);
      expect(await fixture.rows()).toEqual(before);
    });

    it.each([
      ['far above the limit', OVER, OVER / 2],
      ['just below the limit', UNDER, UNDER - 1],
    ])('withstands 150 bodies %s that never end', async (_, announced, sent) => {
      const bytes = Buffer.from(`${post({ 'Content-Length': String(announced) })}${'1'.repeat(sent)}`);
      const open = Array.from({ length: 150 }, () => openRaw(url, bytes));
      // A client that still sends is not waited for any longer.
      await sleep(7000);
      const seen = await fixture.server.seen();
      const other = await exchange(url, head('GET', `${BASE}/tags?per_page=1`, {}), AT_ONCE);
      // Connections with a response are closed soon; a busy machine takes longer.
      const isSettled = ({ socket }: RawConnection) =>
        socket.closed || (announced === UNDER && socket.bytesRead === 0);
      for (let attempts = 0; attempts < 600 && !open.every(isSettled); attempts++) await sleep(100);
      const closed = open.filter(({ socket }) => socket.closed).length;
      for (const { socket } of open) socket.destroy();
      const statuses = (await Promise.all(open.map(({ answer }) => answer))).map(({ status }) => status);
      await fixture.look(`150 bodies of ${announced}, rss ${Math.round((seen?.rss ?? 0) / MEGABYTE)} MB`);
      expect(other.status).toBe(200);
      expect(seen?.rss).toBeLessThan(MAX_MEMORY);
      const answered = (status: number) => statuses.filter((one) => one === status).length;
      if (announced > UNDER) expect([answered(413), closed]).toEqual([open.length, open.length]);
      // Only some of the bodies are accepted; those wait for their end.
      else expect([answered(503) + answered(0), answered(503)]).toEqual([open.length, closed]);
    });

    it('uses the memory of the content for bodies in one-byte chunks, outside the interface', async () => {
      const type = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };
      const bytes = Buffer.from(head('POST', '/calendar', type) + '1\r\n \r\n'.repeat(400_000));
      await fixture.server.seen();
      const open = Array.from({ length: 10 }, () => openRaw(url, bytes));
      const arrives = ({ socket }: RawConnection) => socket.connecting || socket.writableLength > 0;
      for (let attempts = 0; attempts < 600 && open.some(arrives); attempts++) await sleep(100);
      // Its end waits in the system's buffers.
      await sleep(3000);
      const seen = await fixture.server.seen();
      for (const { socket } of open) socket.destroy();
      await fixture.look(`chunks of one byte outside, heap ${Math.round((seen?.heap ?? 0) / MEGABYTE)} MB`);
      expect(seen?.heap).toBeLessThan(200 * MEGABYTE);
    });

    it('limits 150 endless bodies outside the interface, and keeps serving writes', async () => {
      const type = { 'Content-Type': 'application/json', 'Content-Length': String(UNDER) };
      const bytes = Buffer.from(`${head('POST', '/calendar', type)}${'1'.repeat(UNDER - 1)}`);
      const open = Array.from({ length: 150 }, () => openRaw(url, bytes));
      await sleep(7000);
      const written = await send(url, 'admin', 'POST', '/tags', {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'Beside many bodies' }),
      });
      for (const { socket } of open) socket.destroy();
      const statuses = (await Promise.all(open.map(({ answer }) => answer))).map(({ status }) => status);
      await fixture.look('150 bodies outside');
      expect(written.status).toBe(201);
      expect(statuses).toContain(503);
      expect(statuses).toContain(0);
    });

    it('reads bodies of one byte per second to their end while serving others', async () => {
      const bytes = '{"a":1}';
      const slow = Array.from({ length: 8 }, () => openRaw(url, post({ 'Content-Length': '7' })));
      const dripping = slow.map(({ socket }) => drip(socket, bytes, 1000));
      await sleep(2000);
      const other = await exchange(url, head('GET', `${BASE}/tags?per_page=1`, {}), AT_ONCE);
      await Promise.all(dripping);
      const answers = await Promise.all(slow.map(({ answer }) => answer));
      await fixture.look('slow bodies');
      expect(other.status).toBe(200);
      for (const answer of answers) expect(summary(answer)).toMatch(/^400 rest_missing_callback_param/);
    });

    it('answers soon after 300 clients of large lists have disconnected', async () => {
      const lists = Array.from({ length: 300 }, (_, n) =>
        head(
          'GET',
          `${BASE}/events?start_date=1990-01-01&per_page=50&search=e+a+o&tags=20,21&categories=3&x=${n}`,
          {},
        ),
      );
      const open = lists.map((list) => openRaw(url, list));
      await sleep(30);
      for (const { socket } of open) socket.destroy();
      const next = await exchange(url, head('GET', `${BASE}/tags?per_page=1`, {}), 20_000);
      await fixture.look(`300 lists given up, the next answer after ${Math.round(next.took ?? 0)} ms`);
      expect(next.status).toBe(200);
    });
  });

  describe('the longest texts', () => {
    const EVENT = { title: 'Long', start_date: '2091-05-01 10:00:00', end_date: '2091-05-01 12:00:00' };
    const ids: unknown[] = [];

    /** Reads concurrently; each reader must get the response. */
    async function readers(path: string, count: number): Promise<void> {
      const answers = await Promise.all(
        Array.from({ length: count }, () => send(url, 'anonymous', 'GET', path)),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    }

    it.each(Object.keys(TEXTS))('writes and reads %s', async (name) => {
      const description = TEXTS[name]?.() ?? '';
      const created = [];
      for (const caller of ['author', 'admin'] as const) {
        created.push(await send(url, caller, 'POST', '/events', multipart({ ...EVENT, description })));
        await fixture.look(`written by ${caller}, ${name}`);
      }
      // A text that renders to a thousand times its length cannot be stored.
      if (created.some(({ body }) => body['code'] === 'text_too_hard')) {
        expect([name.slice(0, 9), ...created.map(({ status }) => status)]).toEqual(['galleries', 400, 400]);
        return;
      }
      expect(created.map(({ status }) => status)).toEqual([201, 201]);
      const [other, id] = created.map(({ body }) => body['id']);
      await readers(`/events/${id}`, 1);
      await fixture.look(`read once, ${name}`);
      await readers(`/events/${id}`, READERS);
      await readers(`/events?include=${id}`, READERS);
      await fixture.look(`read by ${READERS}, ${name}`);
      ids.push(id);
      await send(url, 'admin', 'DELETE', `/events/${other}`);
    });

    it('lists all of them', async () => {
      await readers(`/events?per_page=50&include=${ids.join()}`, 3);
      await fixture.look(`a list of ${ids.length} long texts`);
    });
  });

  it('withstands 20,000 random requests', async () => {
    await runRandom(fixture);
    expect(await brokenRows(fixture.ask)).toEqual(fixture.broken);
  });

  it('logged no server error', () => {
    expect(fixture.server.log()).toBe('');
  });
});
