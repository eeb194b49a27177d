import { get } from 'node:http';
import { currentAbortState } from '../src/common/context/abort.js';
import { Database } from '../src/database/database.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const nextTick = () => new Promise((resolve) => setImmediate(resolve));
const POOL = 8;
/** A quarter of the pool. */
const LISTS = 2;
const CLIENTS = 12;

/** Lists that no index answers, as nothing is kept, each another one. */
const path = (at: number) => `/events?search=e&start_date=2000-01-${10 + at}&end_date=2099-12-31`;

describeEither('lists that take long', (database) => {
  let fixture: WriteFixture;
  /** What lets the statements of lists go on. */
  let release: () => void = () => undefined;
  let underway = 0;
  afterEach(async () => {
    release();
    jest.restoreAllMocks();
    await fixture.close();
  });

  /** A server whose statements of lists of events wait to be released; all others go on. */
  const open = async (env: Record<string, string>) => {
    underway = 0;
    fixture = await openWriteFixture(database, undefined, {
      CACHE: 'off',
      DATABASE_POOL_SIZE: String(POOL),
      ...env,
    });
    const requested = fixture.app.nest.get(Database);
    const query = requested.query.bind(requested);
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    jest.spyOn(requested, 'query').mockImplementation(async (statement, manager) => {
      const isList = statement.sql.includes('tec_occurrences') && statement.sql.includes('LIKE');
      if (!isList) return query(statement, manager);
      underway += 1;
      await released;
      return query(statement, manager);
    });
  };
  const settled = async (count: number) => {
    while (underway < count) await new Promise((resolve) => setImmediate(resolve));
  };

  it('are read by a few at once, whoever asks, and leave connections to all others', async () => {
    await open({});
    const lists = Array.from({ length: CLIENTS }, (_, at) => fixture.send('anonymous', 'GET', path(at)));
    await settled(LISTS);
    const others = await Promise.all([
      fixture.send('anonymous', 'GET', '/venues'),
      fixture.send('anonymous', 'GET', '/categories'),
      fixture.send('anonymous', 'GET', '/events/53'),
      fixture.send('anonymous', 'GET', '/events?include=53'),
    ]);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(underway).toBe(LISTS);
    // Who is signed in does not wait for strangers.
    const own = fixture.send('admin', 'GET', path(0));
    await settled(LISTS + 1);
    release();
    const responses = await Promise.all([...lists, own]);
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: CLIENTS + 1 }, () => 200));
    expect(new Set(responses.map(({ body }) => Number(body['total']) > 0))).toEqual(new Set([true]));
  });

  it('are refused to who has waited for as long as for a connection', async () => {
    await open({ DATABASE_TIMEOUT: '1s' });
    const lists = Array.from({ length: CLIENTS }, (_, at) => fixture.send('anonymous', 'GET', path(at)));
    const rejected = await Promise.all(
      lists.slice(LISTS).map(async (list) => {
        const { status, body } = await list;
        return `${status} ${String(body['code'])}`;
      }),
    );
    expect(new Set(rejected)).toEqual(new Set(['503 database_unavailable']));
    expect(underway).toBe(LISTS);
    release();
    const done = await Promise.all(lists.slice(0, LISTS));
    expect(done.map(({ status }) => status)).toEqual([200, 200]);
    const { status } = await fixture.send('anonymous', 'GET', path(CLIENTS));
    expect(status).toBe(200);
  });

  it('keep their turn while something is counted for them, though nobody waits any more', async () => {
    fixture = await openWriteFixture(database, undefined, { CACHE: 'off', DATABASE_POOL_SIZE: String(POOL) });
    let [counting, looking, gone, isReleased] = [0, 0, 0, false];
    const released = new Promise<void>((resolve) => {
      release = () => {
        isReleased = true;
        resolve();
      };
    });
    const requested = fixture.app.nest.get(Database);
    const query = requested.query.bind(requested);
    jest.spyOn(requested, 'query').mockImplementation(async (statement, manager) => {
      const { sql } = statement;
      if (/COUNT\(.*tec_occurrences/s.test(sql)) {
        counting += 1;
        await released;
      } else if (/ AS edge FROM .*tec_occurrences/.test(sql)) {
        looking += 1;
        // The page is looked for by several statements: who goes away goes between two of them.
        const caller = currentAbortState();
        while (!caller?.aborted && !isReleased) await nextTick();
        if (caller?.aborted) gone += 1;
      }
      return query(statement, manager);
    });
    const plain = (at: number) => path(at).replace('search=e&', '');
    const leaving = Array.from({ length: LISTS }, (_, at) =>
      get(`${fixture.app.url}/cal/events/v1${plain(at)}`).on('error', () => undefined),
    );
    while (looking < LISTS || counting < LISTS) await nextTick();
    for (const request of leaving) request.destroy();
    while (gone < LISTS) await nextTick();
    const next = fixture.send('anonymous', 'GET', plain(LISTS));
    for (let attempts = 0; attempts < 5; attempts++)
      expect(await fixture.send('anonymous', 'GET', '/venues')).toMatchObject({ status: 200 });
    expect([looking, counting]).toEqual([LISTS, LISTS]);
    release();
    expect(await next).toMatchObject({ status: 200 });
  });
});
