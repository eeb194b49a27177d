import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { REST_BASE_URL } from '../support/app.js';
import { type BuiltServer, builtPackage, startBuilt } from '../support/built-server.js';
import { clientOf } from '../support/calendar-client.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';
import { metaValues, seriesOn } from '../support/series-rows.js';

/** Weekly for two years. */
const SERIES = {
  title: 'Choir',
  timezone: 'Europe/Berlin',
  start_date: '2091-01-02 19:00:00',
  end_date: '2091-01-02 21:00:00',
  recurrence: { rrule: ['FREQ=WEEKLY;COUNT=100'] },
};
/** Kills per kind of write, later ones after a longer time, in milliseconds. */
const KILLS = Array.from({ length: 8 }, (_, number) => number * 8);

/** Recurring events whose horizon moves. */
const EVENTS = 100;

/** Moves the horizon in a process of its own, which is killed so many milliseconds later; tells whether it was done. */
async function moveHorizon(databaseUrl: string, after: number): Promise<boolean> {
  const dist = join(await builtPackage(), 'dist');
  const script = `
    const { withSite } = await import('${dist}/cli/site-application.js');
    const { ScheduleRun } = await import('${dist}/scheduler/schedule-run.service.js');
    await withSite(async (app) => {
      process.send('begun');
      while ((await app.get(ScheduleRun).once()).hasMore);
      process.send('done');
    });`;
  const env = { ...process.env, DATABASE_URL: databaseUrl, REST_BASE_URL, RECURRENCE: 'on' };
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  const messages: unknown[] = [];
  child.on('message', (message) => messages.push(message));
  await Promise.race([once(child, 'message'), exit]);
  await Promise.race([sleep(after), exit]);
  child.kill('SIGKILL');
  await exit;
  expect(messages[0]).toBe('begun');
  return messages.includes('done');
}

(serverMissing() ? describe.skip : describe)('killed while a series is written', () => {
  let mariadb: OwnServer;
  let server: BuiltServer;
  beforeAll(async () => {
    mariadb = await startOwnServer(SERVER);
    server = await startBuilt(mariadb.url, [], { env: { RECURRENCE: 'on' } });
  });
  afterAll(async () => {
    await server?.kill();
    await mariadb?.kill();
  });

  const send = (method: string, path: string, fields?: object) =>
    clientOf(server.url)('admin', method, path, fields);
  const ask: OwnServer['ask'] = (sql) => mariadb.ask(sql);
  const { rowsOf, make, date } = seriesOn(() => ({ ask, send: clientOf(server.url) }), SERIES);
  const events = async () =>
    (await ask("SELECT ID AS id FROM wp_posts WHERE post_type = 'tribe_events' ORDER BY ID")).map(({ id }) =>
      Number(id),
    );
  /** Kills the server so many milliseconds after a write was sent; tells whether it was answered. */
  const killed = async (work: () => Promise<{ status: number }>, after: number) => {
    const answer = work().then(
      ({ status }) => status < 300,
      () => false,
    );
    await sleep(after);
    await server.kill();
    const isAnswered = await answer;
    await server.restart();
    return isAnswered;
  };

  it('new: with all its dates, or not at all', async () => {
    for (const after of KILLS) {
      const before = await events();
      const isAnswered = await killed(() => send('POST', '/events', SERIES), after);
      const added = (await events()).filter((id) => !before.includes(id));
      if (isAnswered) expect(added).toHaveLength(1);
      for (const id of added) {
        expect(await rowsOf(id)).toHaveLength(100);
        expect(await metaValues(ask, id, '_almanac_recurrence')).toHaveLength(1);
      }
    }
  });

  it.each(['this', 'following'])('divided (%s): each date is there once, with its id', async (scope) => {
    for (const after of KILLS) {
      const { id, rows } = await make();
      const before = await events();
      const path = date(rows[50]);
      const isAnswered = await killed(() => send('PATCH', path, { scope, title: 'Part' }), after);
      const added = (await events()).filter((one) => !before.includes(one));
      if (isAnswered) expect(added).toHaveLength(1);
      const all = await Promise.all([id, ...added].map(rowsOf));
      expect(all.flat().sort((a, b) => a.utc.localeCompare(b.utc))).toEqual(rows);
      const [rule] = await metaValues(ask, id, '_almanac_recurrence');
      expect(rule?.includes('COUNT=100') && !rule.includes('EXDATE')).toBe(added.length === 0);
    }
  });

  it('trashed and restored: each date is there once, with its id', async () => {
    for (const after of KILLS) {
      const { id, rows } = await make();
      const { body } = await send('DELETE', `${date(rows[50])}?scope=following`);
      const part = body['id'];
      const isAnswered = await killed(() => send('PATCH', `/events/${part}`, { status: 'publish' }), after);
      const back = await rowsOf(id);
      if (isAnswered) expect(back).toHaveLength(100);
      expect([...back, ...(await rowsOf(part))]).toEqual(rows);
      expect([50, 100]).toContain(back.length);
      expect(await metaValues(ask, part, '_almanac_series_undo')).toHaveLength(back.length === 100 ? 0 : 1);
    }
  });

  it('moved on by the scheduler: each event has all of its next dates or none, and the others keep their ids', async () => {
    const soon = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const times = { timezone: 'UTC', start_date: `${soon} 10:00:00`, end_date: `${soon} 11:00:00` };
    const all = [];
    for (let number = 0; number < EVENTS; number += 1)
      all.push(await make({ ...times, title: `Endless ${number}`, recurrence: { rrule: ['FREQ=WEEKLY'] } }));
    // As if the last three dates had not been within reach yet.
    const removed = all.flatMap(({ rows }) => rows.slice(-3).map(({ id }) => id));
    await ask(`DELETE FROM wp_tec_occurrences WHERE occurrence_id IN (${removed.join()})`);
    await ask(
      "UPDATE wp_postmeta SET meta_value = '2026-01-01 00:00:00' WHERE meta_key = '_almanac_recurrence_due'",
    );
    const moved = new Set<number>();
    let kills = 0;
    for (; moved.size < EVENTS && kills < 60; kills += 1) {
      const isDone = await moveHorizon(mariadb.url, 1 + kills * 3);
      for (const { id, rows } of all) {
        const now = await rowsOf(id);
        const stored = rows.length - 3;
        expect(now.slice(0, stored)).toEqual(rows.slice(0, stored));
        expect([stored, rows.length]).toContain(now.length);
        if (now.length === rows.length) moved.add(id);
        else expect(moved.has(id) || isDone).toBe(false);
      }
    }
    expect([moved.size, kills > 3]).toEqual([EVENTS, true]);
  });

  it('moved to another time: all dates, or none', async () => {
    for (const after of KILLS) {
      const { id, rows } = await make();
      const dates = { start_date: '2091-01-02 20:00:00', end_date: '2091-01-02 22:00:00' };
      await killed(() => send('PATCH', `/events/${id}`, dates), after);
      const later = await rowsOf(id);
      expect(new Set(later.map((row) => row.start.slice(11))).size).toBe(1);
      expect(later.map((row) => row.id)).toEqual(rows.map((row) => row.id));
    }
  });
});
