import { execFile } from 'node:child_process';
import { createReadStream, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { startApp } from '../support/app.js';
import { mariadbMissing } from '../support/mariadb.js';
import { query } from '../support/own-mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';
import { loadRecording } from '../support/replay.js';
import { makeSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';

// docs/maintenance.md: the commands of its chapters "Backup", "Restore" and "The embedded file".

const run = promisify(execFile);
const EVENT = {
  title: 'Before the copy',
  start_date: '2091-05-01 10:00:00',
  end_date: '2091-05-01 12:00:00',
};

/** The commands of a block of the guide that begins with a word, without their line breaks. */
function guideCommand(word: string): string[] {
  const text = readFileSync(join(__dirname, '..', '..', 'docs', 'maintenance.md'), 'utf8').replaceAll(
    '\\\n',
    '',
  );
  const line = text.split('\n').find((one) => one.trim().startsWith(`${word} `));
  if (line === undefined) throw new Error(`docs/maintenance.md does not name ${word}`);
  return line.trim().split(/\s+/);
}

async function startWriter(databaseUrl: string) {
  const app = await startApp({ databaseUrl });
  const { login, password } = loadRecording('site-a/write').users['admin'] ?? { login: '', password: '' };
  const headers = {
    Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
    'Content-Type': 'application/json',
  };
  const create = async (title: string) => {
    const body = JSON.stringify({ ...EVENT, title });
    const response = await fetch(`${app.url}/cal/events/v1/events`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
  };
  const list = async () => {
    const response = await fetch(`${app.url}/cal/events/v1/events?per_page=50&start_date=2000-01-01`);
    return (await response.json()) as { total: number; events: { title: string }[] };
  };
  return { app, create, list };
}

/** Writes until `work` ends, and returns how many events were created meanwhile. */
async function writeDuring(
  create: (title: string) => Promise<void>,
  work: Promise<unknown>,
): Promise<number> {
  let [written, isDone] = [0, false];
  const ended = work.finally(() => {
    isDone = true;
  });
  do await create(`Meanwhile ${++written}`);
  while (!isDone);
  await ended;
  return written;
}

(mariadbMissing() ? describe.skip : describe)('a copy by mariadb-dump', () => {
  let server: OwnServer;
  beforeAll(async () => {
    server = await startOwnServer('mariadb');
  });
  afterAll(() => server?.kill());

  it('made while events are written restores all events that were there, each whole', async () => {
    const first = await startWriter(server.url);
    await first.create('Before the copy');
    const before = await first.list();
    const file = join(testFolder(), 'copy.sql');
    const [program = '', ...options] = guideCommand('mariadb-dump');
    const own = options.filter((option) => option.startsWith('--') && !option.startsWith('--result-file'));
    const login = ['--no-defaults', '--user=root', `--socket=${server.socket}`];
    await writeDuring(first.create, run(program, [...login, ...own, `--result-file=${file}`, 'site']));
    await first.app.close();
    await query(server.url, 'CREATE DATABASE restored CHARACTER SET utf8mb4');
    const restore = run('mariadb', [...login, '--default-character-set=utf8mb4', 'restored']);
    const { stdin } = restore.child;
    if (!stdin) throw new Error('mariadb has no standard input');
    await Promise.all([pipeline(createReadStream(file), stdin), restore]);
    const second = await startWriter(server.url.replace(/site$/, 'restored'));
    const after = await second.list();
    expect(after.total).toBeGreaterThanOrEqual(before.total);
    const titles = after.events.map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(before.events.map(({ title }) => title)));
    const halves = await query(
      server.url,
      `SELECT p.ID FROM restored.wp_posts p LEFT JOIN restored.wp_tec_occurrences o ON o.post_id = p.ID
       WHERE p.post_title LIKE 'Meanwhile%' AND p.post_type = 'tribe_events' AND o.post_id IS NULL`,
    );
    expect(halves).toEqual([]);
    await second.create('After the restore');
    expect((await second.list()).total).toBe(after.total + 1);
    await second.app.close();
  });
});

describe('a copy of the embedded file', () => {
  let site: Site;
  beforeAll(async () => {
    site = await makeSite('SQLite');
  });
  afterAll(() => site?.drop());

  it('made by VACUUM INTO while events are written is a complete site', async () => {
    const first = await startWriter(site.url);
    await first.create('Before the copy');
    const before = await first.list();
    const [program = ''] = guideCommand('sqlite3');
    const copy = join(testFolder(), 'copy.db');
    await rm(copy, { force: true });
    await writeDuring(
      first.create,
      run(program, [site.url.replace(/^sqlite:/, ''), `VACUUM INTO '${copy}'`]),
    );
    await first.app.close();
    const second = await startWriter(`sqlite:${copy}`);
    const after = await second.list();
    expect(after.total).toBeGreaterThanOrEqual(before.total);
    await second.create('After the restore');
    expect((await second.list()).total).toBe(after.total + 1);
    await second.app.close();
  });
});
