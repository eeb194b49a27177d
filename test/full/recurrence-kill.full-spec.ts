import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, startBuilt } from '../support/built-server.js';
import { clientOf } from '../support/calendar-client.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';
import { dateRows, metaValues } from '../support/series-rows.js';

/** Weekly for two years. */
const SERIES = {
  title: 'Choir',
  timezone: 'Europe/Berlin',
  start_date: '2091-01-02 19:00:00',
  end_date: '2091-01-02 21:00:00',
  recurrence: { rrule: ['FREQ=WEEKLY;COUNT=100'] },
};
const BASE = 10_000_000;
/** Kills per kind of write, later ones after a longer time, in milliseconds. */
const KILLS = Array.from({ length: 8 }, (_, number) => number * 8);

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
  const rowsOf = (id: unknown) => dateRows(ask, id);
  const make = async () => {
    const { body } = await send('POST', '/events', SERIES);
    return { id: Number(body['id']), rows: await rowsOf(body['id']) };
  };
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
      const path = `/events/${BASE + Number(rows[50]?.id)}`;
      const isAnswered = await killed(() => send('PATCH', path, { scope, title: 'Part' }), after);
      const added = (await events()).filter((one) => !before.includes(one));
      if (isAnswered) expect(added).toHaveLength(1);
      const all = await Promise.all([id, ...added].map(rowsOf));
      expect(all.flat().sort((a, b) => a.utc.localeCompare(b.utc))).toEqual(rows);
      const [rule] = await metaValues(ask, id, '_almanac_recurrence');
      expect(rule?.includes('COUNT=100') && !rule.includes('EXDATE')).toBe(added.length === 0);
    }
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
