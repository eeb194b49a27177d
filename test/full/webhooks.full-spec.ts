import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, builtPackage, startBuilt } from '../support/built-server.js';
import { clientOf } from '../support/calendar-client.js';
import { makeJournalTables } from '../support/journal-site.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';
import { testFolder } from '../support/test-folder.js';
import { SeededRandom } from '../support/unusual-values.js';
import { type Received, type Receiver, startReceiver, verified } from '../support/webhook-receiver.js';

const EVENTS = 400;
/** Changes of each event after its creation. */
const UPDATES = 24;
const WRITERS = 8;
const KILLS = 8;
/** Attempts without an answer, each of which takes a sender fifteen seconds. */
const SILENCES = 12;

/** Writes a plugin that lets a built server post to the test's own receivers. */
async function receiversPlugin(): Promise<string> {
  const file = join(testFolder(), 'receivers-plugin.mjs');
  const dist = join(await builtPackage(), 'dist');
  writeFileSync(
    file,
    `import { SafeFetch } from '${dist}/wordpress/media/safe-fetch.js';
import { ModuleRef } from '${dist}/../node_modules/@nestjs/core/index.js';
export default class ReceiversPlugin {
  static inject = [ModuleRef];
  constructor(modules) { this.modules = modules; }
  onModuleInit() {
    const alsoAllow = (address) => address === '127.0.0.1';
    Object.assign(this.modules.get(SafeFetch, { strict: false }), new SafeFetch({ alsoAllow }));
  }
}
Reflect.defineMetadata('design:paramtypes', [ModuleRef], ReceiversPlugin);
`,
  );
  return file;
}

/** Answers each message with success sooner or later, after all kinds of failures. */
class FailingReceiver {
  /** Messages in the order in which they were first answered with success. */
  readonly accepted = new Map<string, Received>();
  attempts = 0;
  /** The secret of the webhook, and what its signature does not fit. */
  secret = '';
  readonly forged: unknown[] = [];
  private silences = 0;
  private readonly random = new SeededRandom(27);
  private readonly failures = new Map<string, number>();

  respond(message: Received, response: ServerResponse): void {
    this.attempts += 1;
    try {
      verified(this.secret, message);
    } catch (error) {
      this.forged.push(error);
    }
    const failed = this.failures.get(message.id) ?? 0;
    const fate = failed < 4 ? this.random.roll(100) : 99;
    if (fate < 30) this.failures.set(message.id, failed + 1);
    if (fate < 12) response.writeHead([500, 502, 429, 404, 302][fate % 5] ?? 500).end('no');
    else if (fate < 20) response.socket?.destroy();
    else if (fate < 29)
      response.writeHead(200, { 'Content-Length': 10 }).write('half', () => response.socket?.destroy());
    else if (fate < 30 && this.silences < SILENCES) this.silences += 1;
    else if (fate < 40) setTimeout(() => this.accept(message, response), this.random.roll(300));
    else this.accept(message, response);
  }

  private accept(message: Received, response: ServerResponse): void {
    if (response.socket?.destroyed) return;
    if (!this.accepted.has(message.id)) this.accepted.set(message.id, message);
    response.writeHead(this.random.roll(2) === 0 ? 200 : 204).end();
  }
}

(serverMissing() ? describe.skip : describe)('webhooks whose senders are killed', () => {
  let mariadb: OwnServer;
  let servers: BuiltServer[] = [];
  let receiver: Receiver;
  beforeAll(async () => {
    mariadb = await startOwnServer(SERVER);
    await makeJournalTables(mariadb.url);
    receiver = await startReceiver();
    const env = { CHANGES: 'on', PLUGINS: await receiversPlugin() };
    servers = await Promise.all([0, 1].map(() => startBuilt(mariadb.url, [], { env })));
    // The records of five types are known.
    const known = 'SELECT record_type FROM wp_almanac_records WHERE record_id = 0';
    for (const giveUp = Date.now() + 60_000; (await mariadb.ask(known)).length < 6; await sleep(50))
      if (Date.now() > giveUp) throw new Error('the journal is not ready');
  });
  afterAll(async () => {
    for (const server of servers) await server.kill();
    await receiver?.close();
    await mariadb?.kill();
  });

  /** Sends a request to one of the servers until one has accepted it; it may be done twice. */
  const write = async (random: SeededRandom, method: string, path: string, fields: object) => {
    for (;;) {
      const server = servers[random.roll(2)];
      const reply = await clientOf(server?.url ?? '')('admin', method, path, fields).catch(() => undefined);
      if (reply && reply.status < 300) return reply.body;
      if (reply && reply.status < 500) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
      await sleep(50);
    }
  };

  it(`deliver ${EVENTS * (UPDATES + 1)} changes at least once each, in order per record, signed`, async () => {
    const failing = new FailingReceiver();
    receiver.answer((message, response) => failing.respond(message, response));
    const hook = await write(new SeededRandom(1), 'POST', '/webhooks', { url: receiver.url });
    failing.secret = String(hook['secret']);
    const [{ seq: start } = { seq: 0 }] = await mariadb.ask(
      'SELECT journal_position AS seq FROM wp_almanac_webhooks',
    );
    let written = 0;
    const writer = async (number: number) => {
      const random = new SeededRandom(number + 2);
      for (let event = number; event < EVENTS; event += WRITERS) {
        const dates = { start_date: '2091-05-01 10:00:00', end_date: '2091-05-01 12:30:00' };
        const { id } = await write(random, 'POST', '/events', { title: `Event ${event}`, ...dates });
        for (let update = 0; update < UPDATES; update += 1) {
          await write(random, 'PATCH', `/events/${id}`, {
            title: `Event ${event} ${update} ${random.roll(1e9)}`,
          });
          written += 1;
        }
      }
    };
    const writing = Promise.all(Array.from({ length: WRITERS }, (_, number) => writer(number)));
    let isDone = false;
    const killing = (async () => {
      for (let kills = 0; kills < KILLS; kills += 1) {
        // A killed sender is replaced once its lease has expired.
        const before = failing.accepted.size;
        for (
          const giveUp = Date.now() + 90_000;
          failing.accepted.size < before + 200 && !isDone;
          await sleep(50)
        )
          if (Date.now() > giveUp) throw new Error(`no message arrived after ${kills} kills, of ${before}`);
        for (const server of kills % 4 === 3 ? servers : [servers[kills % 2]]) await server?.kill();
        await sleep(500);
        for (const server of servers) if (!server.runs()) await server.restart();
      }
    })();
    // Retries are brought forward: the test does not take two days.
    const forward = (async () => {
      while (!isDone) {
        await sleep(2_000);
        await mariadb.ask(
          "UPDATE wp_almanac_deliveries SET next_at = next_at - 7200000 WHERE status = 'pending' AND attempts > 0",
        );
      }
    })();
    await writing;
    const journal = await mariadb.ask(
      `SELECT seq, record_id AS id, change_kind AS kind, changed_at AS at FROM wp_almanac_changes WHERE seq > ${start} ORDER BY seq`,
    );
    for (const giveUp = Date.now() + 600_000; failing.accepted.size < journal.length; await sleep(200))
      if (Date.now() > giveUp) break;
    isDone = true;
    await killing;
    await forward;
    expect(written).toBe(EVENTS * UPDATES);
    expect(journal.length).toBeGreaterThanOrEqual(EVENTS * (UPDATES + 1));
    const entry = (kind: unknown, at: unknown) => `${kind} ${at}`;
    const byRecord = <T>(items: Iterable<T>, of: (item: T) => [id: unknown, text: string]) => {
      const found = new Map<number, string[]>();
      for (const item of items) {
        const [id, text] = of(item);
        found.set(Number(id), [...(found.get(Number(id)) ?? []), text]);
      }
      return found;
    };
    const delivered = byRecord(failing.accepted.values(), ({ body: { data, timestamp } }) => [
      data['id'],
      entry(data['change'], Date.parse(timestamp)),
    ]);
    expect(delivered).toEqual(byRecord(journal, ({ id, kind, at }) => [id, entry(kind, at)]));
    expect(failing.forged).toEqual([]);
    const { body } = await clientOf(servers[0]?.url ?? '')('admin', 'GET', `/webhooks/${hook['id']}`);
    expect(body).toMatchObject({ enabled: true, disabled_reason: null, missed_changes: 0 });
    // The failures are real, and few messages were sent twice although they had arrived.
    expect(failing.attempts).toBeGreaterThan(journal.length * 1.2);
    process.stderr.write(
      `${journal.length} changes, ${failing.attempts} attempts, ${receiver.received.length} requests\n`,
    );
  }, 1_800_000);
});
