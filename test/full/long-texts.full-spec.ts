import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { clientOf, type Reply, type Send } from '../support/calendar-client.js';
import { serverMissing } from '../support/mariadb.js';
import { makeSite, SERVER_NAME, type Site } from '../support/sites.js';
import { WORST_TEXTS } from '../support/worst-texts.js';
import { EVENT } from '../support/write-fixture.js';

const LENGTH = 490_000;

interface Turn {
  clock: number;
  busy: number;
}

const describeHere = serverMissing() ? describe.skip : describe;

/** Prints how long the event loop was blocked, for information: machines differ. */
describeHere('worst-case texts of 490,000 characters', () => {
  let site: Site;
  let server: BuiltServer;
  let send: Send;
  const table: string[] = [];

  beforeAll(async () => {
    site = await makeSite(SERVER_NAME);
    const watch = pathToFileURL(join(__dirname, '..', 'support', 'watch-turns.mjs')).href;
    server = await startBuilt(site.url, ['--import', watch]);
    send = clientOf(server.url);
    // The first requests compile code.
    for (let n = 0; n < 20; n++) await send('author', 'POST', '/events', EVENT);
  });
  afterAll(async () => {
    process.stdout.write(`longest turns of the event loop in ms (by the clock)\n${table.join('\n')}\n`);
    await server?.kill();
    await site?.drop();
  });

  async function watched(work: () => Promise<Reply>): Promise<[Reply, Turn]> {
    await longestTurn();
    const reply = await work();
    return [reply, await longestTurn()];
  }

  async function longestTurn(): Promise<Turn> {
    const before = server.log().length;
    process.kill(server.pid() ?? 0, 'SIGWINCH');
    for (;;) {
      const said = /^\{"clock".*\}$/m.exec(server.log().slice(before))?.[0];
      if (said !== undefined) return JSON.parse(said) as Turn;
      await sleep(5);
    }
  }

  it.each(Object.keys(WORST_TEXTS))('render within the time limit: %s', async (kind) => {
    const description = fitting(WORST_TEXTS[kind]?.(LENGTH) ?? '');
    const [created, write] = await watched(() =>
      send('author', 'POST', '/events', { ...EVENT, description }),
    );
    if (created.body['code'] === 'text_too_hard') {
      // HTML of fifteen times its length cannot be stored.
      expect([kind, created.status]).toEqual(['players on lines', 400]);
      table.push(`${kind.padEnd(28)} write ${write.busy.toFixed(0)}: refused`);
      return;
    }
    expect(created.status).toBe(201);
    const path = `/events/${created.body['id']}`;
    const [read, again] = [
      await watched(() => send('author', 'GET', path)),
      await watched(() => send('author', 'GET', path)),
    ];
    const [list, listed] = await watched(() =>
      send('author', 'GET', `/events?include=${created.body['id']}`),
    );
    expect([read[0].status, again[0].status, list.status]).toEqual([200, 200, 200]);
    expect(read[0].body['description']).toBe(created.body['description']);
    const figure = ({ busy, clock }: Turn) => `${busy.toFixed(0)} (${clock.toFixed(0)})`.padStart(10);
    table.push(
      `${kind.padEnd(28)} write ${figure(write)} read ${figure(read[1])} again ${figure(again[1])} list ${figure(listed)}`,
    );
    await send('author', 'DELETE', path);
  });
});

/** The part of a text that fits a body. */
function fitting(text: string): string {
  const share = Math.min(1, 990_000 / Buffer.byteLength(JSON.stringify(text)));
  // Never within a surrogate pair.
  return text.slice(0, Math.floor(text.length * share)).replace(/[\ud800-\udbff]$/, '');
}
