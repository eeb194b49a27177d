import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { builtPackage, killed } from '../support/built-server.js';
import { basic, request } from '../support/calendar-client.js';
import { freePort } from '../support/free-port.js';
import { imageBytes } from '../support/image-bytes.js';
import { brokenRows } from '../support/invariants.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { askOf } from '../support/own-mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';
import { testFolder } from '../support/test-folder.js';

const TIMEOUT_MS = 240_000;
const LOGIN = /Log in as "admin" with the application password "([^"]+)"/g;

/** A server process on its own port, and its output. */
interface Started {
  child: ChildProcess;
  url: string;
  printed(): string;
  /** Resolves when it has ended and its output was read. */
  over: Promise<unknown>;
}

async function start(databaseUrl: string, cwd: string, env: Record<string, string> = {}): Promise<Started> {
  const main = join(await builtPackage(), 'dist', 'main.js');
  const port = await freePort();
  const own = { DATABASE_URL: databaseUrl, HOST: '127.0.0.1', PORT: String(port), LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [main], { cwd, env: { ...process.env, ...own, ...env } });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      printed += String(data);
    });
  const over = new Promise((resolve) => child.once('close', resolve));
  return { child, url: `http://127.0.0.1:${port}`, printed: () => printed, over };
}

const hasEnded = ({ child }: Started) => child.exitCode !== null || child.signalCode !== null;

async function answering(started: Started): Promise<void> {
  const isUp = () =>
    fetch(`${started.url}/cal/events/v1`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const giveUp = Date.now() + TIMEOUT_MS; !(await isUp()); await sleep(50))
    if (hasEnded(started) || Date.now() > giveUp) throw new Error(`It did not start: ${started.printed()}`);
}

async function ended({ child, over, printed }: Started): Promise<[code: number | null, printed: string]> {
  await over;
  return [child.exitCode, printed()];
}

async function cutOff({ child, over }: Started): Promise<void> {
  await killed(child);
  await over;
}

const logins = (...all: Started[]) =>
  all.flatMap((one) => [...one.printed().matchAll(LOGIN)].map(([, password]) => String(password)));

/** Checks that the site works: the last printed password is the administrator's, and no row is duplicated. */
async function expectOneSite(started: Started, passwords: string[], total: number): Promise<void> {
  const admin = basic('admin', passwords.at(-1) ?? '');
  const { status, body } = await request(
    started.url,
    'GET',
    '/events?start_date=2000-01-01&status=publish',
    admin,
  );
  expect([status, body['total']]).toEqual([200, total]);
  const created = await request(started.url, 'POST', '/tags', admin, { name: 'The first' });
  expect([created.status, created.body['slug']]).toEqual([201, 'the-first']);
}

describe('a first start of the demo', () => {
  const demo = () => mkdtempSync(join(testFolder(), 'first-'));

  it('completes a first start that was interrupted at any moment', async () => {
    const whole = await start('', demo());
    const begun = Date.now();
    await answering(whole);
    const took = Date.now() - begun;
    const { body } = await request(whole.url, 'GET', '/events?start_date=2000-01-01', {});
    await killed(whole.child);
    for (const part of [4, 7, 9, 10, 11]) {
      const cwd = demo();
      const cut = await start('', cwd);
      await sleep((took * part) / 12);
      await cutOff(cut);
      const next = await start('', cwd);
      await answering(next);
      await expectOneSite(next, logins(cut, next), Number(body['total']));
      expect(logins(next).length).toBeLessThanOrEqual(1);
      await killed(next.child);
    }
  });

  it('creates one calendar and one login when several processes start at once', async () => {
    const cwd = demo();
    const all = await Promise.all([1, 2, 3].map(() => start('', cwd)));
    await Promise.all(all.map(answering));
    const totals = await Promise.all(
      all.map(async ({ url }) => (await request(url, 'GET', '/venues', {})).body['total']),
    );
    expect(totals).toEqual([13, 13, 13]);
    for (const one of all) await cutOff(one);
    expect(logins(...all)).toHaveLength(1);
  });
});

describe('the pictures of the demo', () => {
  /** A module for Node's `--import` with which sharp cannot be loaded. */
  const withoutSharp = () => {
    const dataUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
    const hooks = `export function resolve(specifier, context, next) {
      if (specifier === 'sharp') throw Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' });
      return next(specifier, context);
    }`;
    return `--import=${dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))});`)}`;
  };

  interface Picture {
    alt_text: string;
    source_url: string;
    media_details: { sizes: Record<string, object> };
  }

  const picturesOf = async ({ url }: Started): Promise<Picture[]> =>
    (await fetch(`${url}/wp/v2/media?per_page=50`)).json() as Promise<Picture[]>;

  it.each([
    [
      'are at its events and are served, once, also after a restart',
      {},
      ['full', 'large', 'medium', 'medium_large', 'thumbnail'],
    ],
    ['have no smaller sizes without sharp', { NODE_OPTIONS: withoutSharp() }, []],
  ])('%s', async (_, env, sizes) => {
    const cwd = mkdtempSync(join(testFolder(), 'pictures-'));
    const first = await start('', cwd, env);
    await answering(first);
    const { body } = await request(
      first.url,
      'GET',
      '/events?start_date=2000-01-01&search=jazz&per_page=50',
      {},
    );
    const events = (body['events'] as { title: string; image: false | { url: string } }[]).filter(
      ({ title }) => title === 'Tuesday Night Jazz',
    );
    expect(events.map(({ image }) => image && image.url.endsWith('/jazz.webp'))).toEqual(Array(7).fill(true));
    const pictures = await picturesOf(first);
    expect(pictures).toHaveLength(8);
    for (const { alt_text, source_url, media_details } of pictures) {
      expect([source_url, alt_text]).toEqual([source_url, expect.stringMatching(/^Poster: \w/)]);
      expect([source_url, Object.keys(media_details.sizes).sort()]).toEqual([source_url, sizes]);
      const file = await fetch(first.url + new URL(source_url).pathname);
      expect([source_url, file.status, file.headers.get('content-type')]).toEqual([
        source_url,
        200,
        'image/webp',
      ]);
    }
    await killed(first.child);
    const next = await start('', cwd, env);
    await answering(next);
    expect(await picturesOf(next)).toHaveLength(8);
    await cutOff(next);
  });

  it('are joined by uploads of those who may', async () => {
    const cwd = mkdtempSync(join(testFolder(), 'pictures-'));
    const started = await start('', cwd);
    await answering(started);
    const bytes = await imageBytes('webp', 400, 300);
    const response = await fetch(`${started.url}/wp/v2/media`, {
      method: 'POST',
      headers: {
        ...basic('admin', logins(started)[0] ?? ''),
        'Content-Type': 'image/webp',
        'Content-Disposition': 'attachment; filename="mine.webp"',
      },
      body: new Uint8Array(bytes),
    });
    expect(response.status).toBe(201);
    expect(await picturesOf(started)).toHaveLength(9);
    await cutOff(started);
  });
});

(serverMissing() ? describe.skip : describe)(`a first start on ${SERVER}`, () => {
  let mariadb: OwnServer;
  let databases = 0;
  beforeAll(async () => {
    mariadb = await startOwnServer(SERVER);
  });
  afterAll(() => mariadb?.kill());

  const empty = async () => {
    const name = `first_${++databases}`;
    await mariadb.ask(`CREATE DATABASE ${name}`);
    return { name, url: mariadb.url.replace(/site$/, name) };
  };
  const tablesOf = async (name: string) =>
    (await mariadb.ask(`SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '${name}'`))
      .length;
  const keysOf = async (name: string) =>
    mariadb.ask(
      `SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME, SUB_PART, NON_UNIQUE FROM information_schema.STATISTICS
       WHERE TABLE_SCHEMA = '${name}' AND TABLE_NAME LIKE 'wp%' ORDER BY 1, 2, SEQ_IN_INDEX`,
    );

  it('completes a first start that was interrupted at any moment', async () => {
    const whole = await empty();
    const first = await start(whole.url, testFolder());
    await answering(first);
    await killed(first.child);
    const all = await tablesOf(whole.name);
    for (const tables of [1, 2, 5, 9, all - 1, all]) {
      const { name, url } = await empty();
      const cut = await start(url, testFolder());
      while ((await tablesOf(name)) < tables) await sleep(1);
      await cutOff(cut);
      const next = await start(url, testFolder());
      await answering(next);
      await expectOneSite(next, logins(cut, next), 0);
      await killed(next.child);
      expect(await keysOf(name)).toEqual(await keysOf(whole.name));
      expect(await brokenRows(askOf(url))).toEqual([]);
      expect(await mariadb.ask(`SELECT user_login FROM ${name}.wp_users`)).toHaveLength(1);
    }
  });

  it('creates one site and one login when several processes of several workers start at once', async () => {
    const { name, url } = await empty();
    const all = await Promise.all(
      ['2', '1', '2'].map((workers) => start(url, testFolder(), { WORKERS: workers })),
    );
    await Promise.all(all.map(answering));
    expect(logins(...all)).toHaveLength(1);
    const admin = basic('admin', logins(...all)[0] ?? '');
    for (const { url: root } of all)
      expect((await request(root, 'GET', '/events?status=draft', admin)).status).toBe(200);
    for (const { child } of all) child.kill('SIGTERM');
    await Promise.all(all.map(ended));
    expect(await mariadb.ask(`SELECT user_login FROM ${name}.wp_users`)).toHaveLength(1);
    expect(
      await mariadb.ask(`SELECT option_id FROM ${name}.wp_options WHERE option_name = 'siteurl'`),
    ).toHaveLength(1);
    expect(await mariadb.ask(`SELECT id FROM ${name}.almanac_migrations`)).toHaveLength(1);
  });

  it.each([
    [
      'may not create tables',
      'SELECT, INSERT, UPDATE, DELETE',
      'The database is empty, and its user may not create the tables of a site.\n',
    ],
    [
      'may create tables and not fill them',
      'SELECT, CREATE, INDEX, DROP',
      'may not write: grant INSERT, UPDATE and DELETE.\n',
    ],
  ])('says in one line that the user %s', async (_name, rights, line) => {
    const { name, url } = await empty();
    await mariadb.ask(`CREATE USER IF NOT EXISTS u_${name}`);
    await mariadb.ask(`GRANT ${rights} ON ${name}.* TO u_${name}`);
    if (rights.includes('CREATE'))
      await mariadb.ask(`GRANT INSERT, CREATE ON ${name}.almanac_migrations TO u_${name}`);
    const [code, printed] = await ended(await start(url.replace('root@', `u_${name}@`), testFolder()));
    // The log may also contain the rejected statement.
    const said = printed
      .trim()
      .split('\n')
      .filter((text) => !text.includes(' WARN [Transactions] '));
    expect([code, said]).toEqual([1, [expect.stringContaining(line.trim())]]);
  });
});
