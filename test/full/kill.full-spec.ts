import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { clientOf, type Reply } from '../support/calendar-client.js';
import { brokenRows } from '../support/invariants.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';

/** The number of confirmed writes of two writers while the server is killed repeatedly. */
const WRITES = 300;
/** The number of requests, 20 ms apart, of which the last must succeed: less than two seconds on an idle machine. */
const MAX_TRIES = 80;
/** How often the database is killed under load, and for how long, in milliseconds. */
const OUTAGES = [0, 500, 3000];

/** The parts of an event, each with the same version, so that a mixture shows. */
interface Version {
  title: string;
  description: string;
  cost: string;
  start_date: string;
  end_date: string;
  categories: string[];
  tags: string[];
  venue: { venue: string; city: string };
  organizer: { organizer: string }[];
}

function version(name: string, number: number): Version {
  const day = String(1 + (number % 28)).padStart(2, '0');
  return {
    title: `${name} ${number}`,
    description: `Description ${number}`,
    cost: `${number + 1}`,
    start_date: `2091-05-${day} 10:00:00`,
    end_date: `2091-05-${day} 12:00:00`,
    categories: [`Category ${number % 7}`],
    tags: [`Tag ${number % 5}`, `Tag of ${name} ${number}`],
    venue: { venue: `Hall ${number % 9}`, city: `City ${number % 9}` },
    organizer: [{ organizer: `People ${number % 9}` }, { organizer: `People of ${name} ${number}` }],
  };
}

/** A writer that knows the confirmed versions of its events. */
class Writer {
  /** The last confirmed version of each event, and later ones without a response. */
  readonly events = new Map<number, Version[]>();
  answered = 0;
  /** Statuses other than 200 and 201. */
  readonly rejections: Reply[] = [];
  private readonly send;

  constructor(
    private readonly name: string,
    url: string,
  ) {
    this.send = clientOf(url);
  }

  /** One write: a new event or a change of an older one; waits when the server is away. */
  async write(number: number): Promise<void> {
    const next = version(this.name, number);
    const ids = [...this.events.keys()];
    const id = number % 2 === 0 ? undefined : ids[number % ids.length];
    if (id !== undefined) this.events.get(id)?.push(next);
    try {
      const reply = await this.send('admin', id ? 'PUT' : 'POST', `/events${id ? `/${id}` : ''}`, next);
      if (reply.status < 300) {
        this.answered++;
        this.events.set(Number(reply.body['id']), [next]);
        return;
      }
      this.rejections.push(reply);
      // The response is true: written, not written, or unknown.
      if (id === undefined) return;
      if (reply.body['code'] === 'database_unavailable') this.events.get(id)?.pop();
      if (reply.body['code'] === 'write_not_shown') this.events.set(id, [next]);
    } catch {
      // The end of the test shows whether it was written.
    }
    await sleep(50);
  }
}

/** An event's response as a version. */
function versionOf(body: Reply['body']): Version {
  const names = (list: unknown, key: string) =>
    [list].flat().map((item) => String((item as Record<string, unknown>)[key]));
  const venue = body['venue'] as Version['venue'];
  const text = (name: string) => String(body[name]);
  return {
    title: text('title'),
    description: text('description').replace(/<\/?p>/g, ''),
    cost: text('cost').replace('$', ''),
    start_date: text('start_date'),
    end_date: text('end_date'),
    categories: names(body['categories'], 'name'),
    tags: names(body['tags'], 'name'),
    venue: { venue: venue.venue, city: venue.city },
    organizer: names(body['organizer'], 'organizer').map((organizer) => ({ organizer })),
  };
}

(serverMissing() ? describe.skip : describe)('killed in the middle of writes', () => {
  let mariadb: OwnServer;
  let server: BuiltServer;
  let broken: string[];

  beforeAll(async () => {
    mariadb = await startOwnServer(SERVER);
    broken = await brokenRows(mariadb.ask);
    server = await startBuilt(mariadb.url);
  });
  afterAll(async () => {
    await server?.kill();
    await mariadb?.kill();
  });

  /** Every confirmed write is stored whole; one without a response is stored whole or not at all. */
  async function intact(writers: Writer[]): Promise<void> {
    expect(await brokenRows(mariadb.ask)).toEqual(broken);
    const send = clientOf(server.url);
    for (const writer of writers)
      for (const [id, versions] of writer.events) {
        const { status, body } = await send('admin', 'GET', `/events/${id}`);
        expect(status).toBe(200);
        expect(versions).toContainEqual(versionOf(body));
      }
  }

  it('leaves no partial write when the server is killed at random moments of 300 writes by two writers', async () => {
    const writers = [new Writer('One', server.url), new Writer('Two', server.url)];
    const answered = () => writers.reduce((sum, writer) => sum + writer.answered, 0);
    let number = 0;
    let kills = 0;
    const writing = writers.map(async (writer) => {
      while (answered() < WRITES) await writer.write(number++);
    });
    let isDone = false;
    const done = Promise.all(writing).then(() => {
      isDone = true;
    });
    while (!isDone) {
      const due = answered() + 5 + Math.random() * 30;
      while (!isDone && answered() < due) await sleep(1);
      await sleep(Math.random() * 30);
      await server.kill();
      kills++;
      await server.restart();
    }
    await done;
    expect(kills).toBeGreaterThan(3);
    expect(writers.flatMap(({ rejections }) => rejections)).toEqual([]);
    await intact(writers);
  });

  it.each(OUTAGES)(
    'answers 503 while the database is away for %d ms, then serves within 2 s without a restart',
    async (away) => {
      const writers = [new Writer(`Before ${away}`, server.url), new Writer(`Beside ${away}`, server.url)];
      const pid = server.pid();
      let stopped = false;
      let number = 0;
      const writing = writers.map(async (writer) => {
        while (!stopped) await writer.write(number++);
      });
      while (writers.some(({ answered }) => answered < 3)) await sleep(20);
      await mariadb.kill();
      const reading = await clientOf(server.url)('anonymous', 'GET', '/events');
      expect([reading.status, reading.body['code'], reading.headers.get('Retry-After')]).toEqual([
        503,
        'database_unavailable',
        '1',
      ]);
      await sleep(away);
      await mariadb.start();
      let attempts = 0;
      const send = clientOf(server.url);
      for (const [method, path, body] of [
        ['GET', '/events', undefined],
        ['POST', '/tags', { name: `Back after ${away}` }],
      ] as const)
        while ((await send('admin', method, path, body)).status >= 500 && ++attempts < MAX_TRIES)
          await sleep(20);
      expect(attempts).toBeLessThan(MAX_TRIES);
      await sleep(300);
      stopped = true;
      await Promise.all(writing);
      expect(server.runs() && server.pid()).toBe(pid);
      for (const writer of writers) {
        for (const { status, body, headers } of writer.rejections)
          expect([
            '503 database_unavailable 1',
            '503 write_unconfirmed null',
            '503 write_not_shown null',
          ]).toContain(`${status} ${body['code']} ${headers.get('Retry-After')}`);
      }
      await intact(writers);
    },
  );
});
