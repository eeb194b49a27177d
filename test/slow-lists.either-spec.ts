import { get } from 'node:http';
import { currentCaller } from '../src/common/context/abort.js';
import { Database } from '../src/database/database.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const nextTick = () => new Promise((resolve) => setImmediate(resolve));
const POOL_SIZE = 8;
/** A quarter of the pool. */
const MAX_CONCURRENT_LISTS = 2;
const CLIENTS = 12;

/** A list that must run SQL: without a cache, and different for each client. */
const path = (at: number) => `/events?search=e&start_date=2000-01-${10 + at}&end_date=2099-12-31`;

describeEither('slow lists', (database) => {
  let fixture: WriteFixture;
  /** Lets the list statements continue. */
  let release: () => void = () => undefined;
  let runningLists = 0;
  afterEach(async () => {
    release();
    jest.restoreAllMocks();
    await fixture.close();
  });

  /** Starts a server whose statements for event lists wait for `release`; all others run at once. */
  const startServer = async (env: Record<string, string>) => {
    runningLists = 0;
    fixture = await openWriteFixture(database, undefined, {
      CACHE: 'off',
      DATABASE_POOL_SIZE: String(POOL_SIZE),
      ...env,
    });
    const service = fixture.app.nest.get(Database);
    const query = service.query.bind(service);
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    jest.spyOn(service, 'query').mockImplementation(async (statement, manager) => {
      const isList = statement.sql.includes('tec_occurrences') && statement.sql.includes('LIKE');
      if (!isList) return query(statement, manager);
      runningLists += 1;
      await released;
      return query(statement, manager);
    });
  };
  const untilRunning = async (count: number) => {
    while (runningLists < count) await new Promise((resolve) => setImmediate(resolve));
  };

  it('run a few at a time and leave connections to other requests', async () => {
    await startServer({});
    const lists = Array.from({ length: CLIENTS }, (_, at) => fixture.send('anonymous', 'GET', path(at)));
    await untilRunning(MAX_CONCURRENT_LISTS);
    const others = await Promise.all([
      fixture.send('anonymous', 'GET', '/venues'),
      fixture.send('anonymous', 'GET', '/categories'),
      fixture.send('anonymous', 'GET', '/events/53'),
      fixture.send('anonymous', 'GET', '/events?include=53'),
    ]);
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(runningLists).toBe(MAX_CONCURRENT_LISTS);
    // Authenticated requests do not wait behind anonymous ones.
    const authenticated = fixture.send('admin', 'GET', path(0));
    await untilRunning(MAX_CONCURRENT_LISTS + 1);
    release();
    const responses = await Promise.all([...lists, authenticated]);
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: CLIENTS + 1 }, () => 200));
    expect(new Set(responses.map(({ body }) => Number(body['total']) > 0))).toEqual(new Set([true]));
  });

  it('return 503 database_unavailable after waiting DATABASE_TIMEOUT', async () => {
    await startServer({ DATABASE_TIMEOUT: '1s' });
    const lists = Array.from({ length: CLIENTS }, (_, at) => fixture.send('anonymous', 'GET', path(at)));
    const rejected = await Promise.all(
      lists.slice(MAX_CONCURRENT_LISTS).map(async (list) => {
        const { status, body } = await list;
        return `${status} ${String(body['code'])}`;
      }),
    );
    expect(new Set(rejected)).toEqual(new Set(['503 database_unavailable']));
    expect(runningLists).toBe(MAX_CONCURRENT_LISTS);
    release();
    const finished = await Promise.all(lists.slice(0, MAX_CONCURRENT_LISTS));
    expect(finished.map(({ status }) => status)).toEqual([200, 200]);
    const { status } = await fixture.send('anonymous', 'GET', path(CLIENTS));
    expect(status).toBe(200);
  });

  it('keep their slot while their count runs after the client has disconnected', async () => {
    fixture = await openWriteFixture(database, undefined, {
      CACHE: 'off',
      DATABASE_POOL_SIZE: String(POOL_SIZE),
    });
    let [counting, paging, disconnected, isReleased] = [0, 0, 0, false];
    const released = new Promise<void>((resolve) => {
      release = () => {
        isReleased = true;
        resolve();
      };
    });
    const service = fixture.app.nest.get(Database);
    const query = service.query.bind(service);
    jest.spyOn(service, 'query').mockImplementation(async (statement, manager) => {
      const { sql } = statement;
      if (/COUNT\(.*tec_occurrences/s.test(sql)) {
        counting += 1;
        await released;
      } else if (/ AS edge FROM .*tec_occurrences/.test(sql)) {
        paging += 1;
        // The page takes several statements; the client disconnects between two of them.
        const caller = currentCaller();
        while (!caller?.aborted && !isReleased) await nextTick();
        if (caller?.aborted) disconnected += 1;
      }
      return query(statement, manager);
    });
    const plain = (at: number) => path(at).replace('search=e&', '');
    const abandoned = Array.from({ length: MAX_CONCURRENT_LISTS }, (_, at) =>
      get(`${fixture.app.url}/cal/events/v1${plain(at)}`).on('error', () => undefined),
    );
    while (paging < MAX_CONCURRENT_LISTS || counting < MAX_CONCURRENT_LISTS) await nextTick();
    for (const request of abandoned) request.destroy();
    while (disconnected < MAX_CONCURRENT_LISTS) await nextTick();
    const next = fixture.send('anonymous', 'GET', plain(MAX_CONCURRENT_LISTS));
    for (let attempts = 0; attempts < 5; attempts++)
      expect(await fixture.send('anonymous', 'GET', '/venues')).toMatchObject({ status: 200 });
    expect([paging, counting]).toEqual([MAX_CONCURRENT_LISTS, MAX_CONCURRENT_LISTS]);
    release();
    expect(await next).toMatchObject({ status: 200 });
  });
});
