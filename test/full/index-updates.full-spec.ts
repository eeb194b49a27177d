import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { TableVersions } from '../../src/database/table-versions.service.js';
import type { ListEventsQuery } from '../../src/resources/events/event.dto.js';
import { CountCache } from '../../src/wordpress/posts/count-cache.service.js';
import { startApp, type TestApp } from '../support/app.js';
import { IndexQueries, randomQuery } from '../support/index-queries.js';
import { CROWD, crowd } from '../support/large-calendar.js';
import { retry } from '../support/retry.js';
import { describeDatabase, makeSite, SERVER_NAME, type Site } from '../support/sites.js';
import { SeededRandom } from '../support/unusual-values.js';

const ROUNDS = process.env['ALMANAC_LONG_TESTS'] === '1' ? 300 : 40;
const EVENTS = 2500;
const FIRST = 100_000;
/** Whether an id is that of an event with one date. */
const isSingle = (id: number) => id < 10_000_000;

/** A random change by another program to the rows of the index, in SQL. */
function change(dice: SeededRandom): string[] {
  const event = () => FIRST + dice.roll(EVENTS);
  const date = () => `'2091-0${1 + dice.roll(3)}-1${dice.roll(9)} 10:00:00'`;
  const term = () => dice.pick(CROWD.terms);
  const swap = (table: string, id: string, column: string, where = '') => {
    // Neighbours mostly share a chunk, whose digest must change.
    const one = event();
    const two = one + 1 + dice.roll(20);
    const value = (at: number) => `(SELECT MAX(${column}) AS v FROM ${table} WHERE ${id} = ${at} ${where})`;
    // A derived table is evaluated before the update.
    const read = `SELECT COALESCE(a.v, b.v) INTO @a FROM ${value(one)} a, ${value(two)} b`;
    return [
      read,
      `SELECT COALESCE(b.v, a.v) INTO @b FROM ${value(one)} a, ${value(two)} b`,
      `UPDATE ${table} SET ${column} = COALESCE(IF(${id} = ${one}, @b, @a), ${column}) WHERE ${id} IN (${one}, ${two}) ${where}`,
    ];
  };
  const meta = (key: string, value: string) =>
    `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${event()}, '${key}', ${value})`;
  // A derived table is read before the change.
  const ofSeveral = () =>
    `WHERE post_id IN (SELECT id FROM (SELECT post_id AS id FROM wp_tec_occurrences GROUP BY post_id HAVING COUNT(*) > 1 ORDER BY id LIMIT ${1 + dice.roll(60)}) s)`;
  const columns = `event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, hash`;
  return dice.pick([
    () => [`UPDATE wp_tec_occurrences SET start_date = ${date()} WHERE post_id = ${event()}`],
    () => [`UPDATE wp_tec_occurrences SET end_date = ${date()} WHERE post_id = ${event()}`],
    () => {
      const id = event();
      return [
        `INSERT INTO wp_tec_occurrences (${columns}) VALUES (${id}, ${id}, ${date()}, ${date()}, ${date()}, ${date()}, UUID())`,
      ];
    },
    () => [`DELETE FROM wp_tec_occurrences WHERE post_id = ${event()}`],
    () => [`DELETE FROM wp_tec_occurrences ${ofSeveral()} ORDER BY occurrence_id LIMIT 1`],
    () => [`UPDATE wp_tec_occurrences SET post_id = ${event()} ${ofSeveral()} LIMIT 1`],
    () => [
      `UPDATE wp_tec_occurrences SET occurrence_id = (SELECT id FROM (SELECT MAX(occurrence_id) + 1 AS id FROM wp_tec_occurrences) m) ${ofSeveral()} LIMIT 1`,
    ],
    () => [`UPDATE wp_posts SET post_status = '${dice.pick(['draft', 'publish'])}' WHERE ID = ${event()}`],
    () => [`UPDATE wp_posts SET post_date = ${date()} WHERE ID = ${event()}`],
    () => [`UPDATE wp_posts SET post_title = 'Nothing that the index knows' WHERE ID = ${event()}`],
    () => [`DELETE FROM wp_posts WHERE ID = ${event()}`],
    () => {
      const id = FIRST + EVENTS + dice.roll(5000);
      return [
        `INSERT IGNORE INTO wp_posts (ID, post_type, post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered, post_date) VALUES (${id}, 'tribe_events', 'New', '', '', '', '', '', ${date()})`,
        `INSERT INTO wp_tec_occurrences (${columns}) VALUES (${id}, ${id}, ${date()}, ${date()}, ${date()}, ${date()}, UUID())`,
      ];
    },
    () => [
      `INSERT IGNORE INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (${event()}, ${term()})`,
    ],
    () => [`DELETE FROM wp_term_relationships WHERE object_id = ${event()}`],
    () => [
      `UPDATE IGNORE wp_term_relationships SET term_taxonomy_id = ${term()} WHERE object_id = ${event()} LIMIT 1`,
    ],
    () => [meta('_EventVenueID', `'${dice.pick(CROWD.venues)}'`)],
    () => [meta('_EventOrganizerID', `'${dice.pick(CROWD.organizers)}'`)],
    () => [meta(dice.pick(['_tribe_featured', '_EventHideFromUpcoming']), dice.pick([`'1'`, `''`, 'NULL']))],
    () => [
      `UPDATE wp_postmeta SET meta_value = '${dice.pick(CROWD.venues)}' WHERE post_id = ${event()} AND meta_key = '_EventVenueID'`,
    ],
    () => [
      `UPDATE wp_postmeta SET meta_key = 'other' WHERE post_id = ${event()} AND meta_key IN ('_tribe_featured', '_EventHideFromUpcoming')`,
    ],
    () => [
      `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) SELECT post_id, meta_key, meta_value FROM wp_postmeta WHERE post_id = ${event()}`,
    ],
    () => [`DELETE FROM wp_postmeta WHERE post_id = ${event()} AND meta_key = '_EventVenueID' LIMIT 1`],
    () => [
      `UPDATE wp_postmeta SET post_id = ${event()} WHERE post_id = ${event()} AND meta_key LIKE '\\_Event%'`,
    ],
    () => swap('wp_posts', 'ID', 'post_date'),
    () => swap('wp_posts', 'ID', 'post_status'),
    () => swap('wp_tec_occurrences', 'post_id', 'start_date'),
    () => swap('wp_postmeta', 'post_id', 'meta_value', `AND meta_key = '_EventVenueID'`),
    () => swap('wp_postmeta', 'post_id', 'meta_value', `AND meta_key = '_EventOrganizerID'`),
  ])();
}

describeDatabase('the event index beside another writer', SERVER_NAME, (database) => {
  let site: Site;
  let app: TestApp;
  let queries: IndexQueries;
  const dice = new SeededRandom(8);
  const run = async (statements: readonly string[]) => {
    const other = app.dataSource.createQueryRunner();
    try {
      for (const statement of statements) await other.query(statement);
    } finally {
      await other.release();
    }
  };

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url });
    await crowd((sql) => app.dataSource.query(sql), EVENTS);
    app.nest.get(TableVersions).invalidate();
    queries = await IndexQueries.of(app);
    await queries.ready();
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  /** Lists with different results of index and SQL, and the number left to SQL. */
  const compare = async (count: number) => {
    const wrong: unknown[] = [];
    let leftToSql = 0;
    for (; count > 0; count--) {
      const query = randomQuery(dice, CROWD);
      const page = await queries.index.page(queries.list(query));
      const sqlResult = await queries.sql(query);
      const answer = page && { ids: [...page.ids], total: page.total };
      if (!answer) leftToSql += 1;
      else if (JSON.stringify(answer) !== JSON.stringify(sqlResult)) wrong.push({ query, answer, sqlResult });
    }
    return { wrong: wrong.slice(0, 3), leftToSql };
  };

  it('returns the results of SQL after each change', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      for (let changes = 1 + dice.roll(6); changes > 0; changes--) await run(change(dice));
      // Skips the second in which changes of other writers may go unnoticed.
      app.nest.get(TableVersions).invalidate();
      expect(await compare(5)).toEqual({ wrong: [], leftToSql: 0 });
    }
  });

  /** Pages of concurrent lists, and the results of SQL afterwards. */
  const concurrent = async (queries: IndexQueries) => {
    const lists = Array.from({ length: 8 }, () => randomQuery(dice, CROWD));
    const pages = await Promise.all(lists.map((query) => queries.index.page(queries.list(query))));
    const sqlResult = await Promise.all(lists.map((query) => queries.sql(query)));
    const found = pages.map((page) => page && { ids: [...page.ids], total: page.total });
    return { found, sqlResult };
  };

  it('makes concurrent lists wait for the first load, at most one excepted, and returns the results of SQL', async () => {
    const fresh = await startApp({ databaseUrl: site.url });
    try {
      const { found, sqlResult } = await concurrent(await IndexQueries.of(fresh));
      const leftToSql = found.filter((page) => page === undefined).length;
      expect(leftToSql).toBeLessThanOrEqual(1);
      expect(found.map((page, at) => page ?? sqlResult[at])).toEqual(sqlResult);
    } finally {
      await fresh.close();
    }
  });

  it('scans each table once for concurrent lists after a change of all events', async () => {
    await queries.ready();
    const querySpy = jest.spyOn(app.nest.get(Database), 'query');
    try {
      await retry(async () => {
        await run([
          `UPDATE wp_posts SET post_date = post_date + INTERVAL 1 MINUTE WHERE post_date > '2000-01-01'`,
        ]);
        app.nest.get(TableVersions).invalidate();
        querySpy.mockClear();
        const { found, sqlResult } = await concurrent(queries);
        expect(found).toEqual(sqlResult);
        const texts = querySpy.mock.calls.map(([statement]) => statement.sql);
        // One statement for each of the four tables.
        expect(texts.filter((text) => /index of dates.*BETWEEN/s.test(text))).toHaveLength(4);
      });
    } finally {
      querySpy.mockRestore();
    }
  });

  it('reads one chunk again after a change of one event, and leaves no list to SQL', async () => {
    const querySpy = jest.spyOn(app.nest.get(Database), 'query');
    const statements = async (query: Partial<ListEventsQuery>) => {
      querySpy.mockClear();
      expect(await queries.index.page(queries.list(query))).toBeDefined();
      const texts = querySpy.mock.calls.map(([statement]) => statement.sql);
      expect(texts.filter((text) => !/index of dates|information_schema/.test(text))).toEqual([]);
      return ['GROUP BY', 'BETWEEN'].map((part) => texts.filter((text) => text.includes(part)).length);
    };
    try {
      let minute = 10;
      const [event] = await app.dataSource.query<{ id: number }[]>(
        `SELECT p.ID AS id FROM wp_posts p JOIN wp_tec_occurrences o ON o.post_id = p.ID WHERE p.ID > ${FIRST} ORDER BY p.ID LIMIT 1`,
      );
      const id = event?.id;
      const [term] = CROWD.terms;
      await retry(async () => {
        const date = `2091-02-02 10:${minute++}:00`;
        // All four tables change, as each may still count as changed after the tests before.
        await run([
          `UPDATE wp_posts SET post_date = '${date}' WHERE ID = ${id}`,
          `UPDATE wp_tec_occurrences SET start_date = '${date}' WHERE post_id = ${id}`,
          `REPLACE INTO wp_term_relationships (object_id, term_taxonomy_id, term_order) VALUES (${id}, ${term}, ${minute})`,
          `INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, '_EventVenueID', '${minute}')`,
        ]);
        app.nest.get(TableVersions).invalidate();
        // One digest statement for each common part, one read of the changed chunk for each table.
        expect(await statements({})).toEqual([5, 4]);
        expect(await statements({})).toEqual([0, 0]);
        // Links to venues are compared when a list asks for them.
        const venue = { ids: CROWD.venues.slice(0, 1), text: String(CROWD.venues[0]) };
        expect(await statements({ venue })).toEqual([1, 0]);
        expect(await statements({ venue, featured: true })).toEqual([0, 0]);
      });
    } finally {
      querySpy.mockRestore();
    }
  });

  it('reads all tables in one snapshot: a concurrent transaction shows as a whole or not at all', async () => {
    app.nest.get(TableVersions).invalidate();
    const all = await queries.answer({});
    const id = all?.ids.find(isSingle);
    const moved = (year: number) => {
      const columns = ['start_date', 'end_date', 'start_date_utc', 'end_date_utc'];
      const set = columns.map((name) => `${name} = CONCAT('${year}', SUBSTR(${name}, 5))`);
      return `UPDATE wp_tec_occurrences SET ${set} WHERE post_id = ${id}`;
    };
    const hidden = `'_EventHideFromUpcoming'`;
    await run([`INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (${id}, ${hidden}, 'yes')`]);
    app.nest.get(TableVersions).invalidate();
    const before = await queries.answer({});
    expect(before?.ids).not.toContain(id);
    // It is never listed: either hidden, or long past.
    const swap = [
      'START TRANSACTION',
      `DELETE FROM wp_postmeta WHERE post_id = ${id} AND meta_key = ${hidden}`,
      moved(1991),
      'COMMIT',
    ];
    await run([`UPDATE wp_posts SET post_date = post_date + INTERVAL 1 SECOND WHERE ID = ${id}`]);
    app.nest.get(TableVersions).invalidate();
    const database = app.nest.get(Database);
    const query = database.query.bind(database);
    let isSwapped = false;
    const querySpy = jest.spyOn(database, 'query').mockImplementation(async (statement, manager) => {
      if (!isSwapped && /index of dates.*postmeta.*BETWEEN/s.test(statement.sql)) {
        isSwapped = true;
        await run(swap);
      }
      return query(statement, manager) as never;
    });
    try {
      const now = await queries.index.page(queries.list({}));
      expect([isSwapped, [...(now?.ids ?? [])], now?.total]).toEqual([true, before?.ids, before?.total]);
    } finally {
      querySpy.mockRestore();
      await run([moved(2091)]);
      app.nest.get(TableVersions).invalidate();
    }
  });

  it('is not needed for exact totals, counted in halves or at once', async () => {
    for (let count = 20; count > 0; count--) {
      const query = randomQuery(dice, CROWD);
      const [whole, halves] = [await queries.list(query).total(), await queries.list(query).total(true)];
      expect({ query, total: halves }).toEqual({ query, total: whole });
    }
    const querySpy = jest.spyOn(app.nest.get(Database), 'query');
    try {
      const totals = app.nest.get(CountCache, { strict: false });
      // Only the first of concurrent counts is split in two.
      await Promise.all([totals.of(queries.list({})), totals.of(queries.list({ featured: false }))]);
      const texts = querySpy.mock.calls.map(([statement]) => statement.sql);
      const counts = texts.filter((text) => text.includes('AS total FROM'));
      expect(counts.map((text) => /post_id <=|post_id >/.exec(text)?.[0]).sort()).toEqual([
        'post_id <=',
        'post_id >',
        undefined,
      ]);
    } finally {
      querySpy.mockRestore();
    }
  });

  it('continues from its previous state after a statement failed', async () => {
    await queries.ready();
    await run([`UPDATE wp_posts SET post_date = '2091-01-01 10:00:00' WHERE ID = ${FIRST + 9}`]);
    app.nest.get(TableVersions).invalidate();
    const database = app.nest.get(Database);
    const query = database.query.bind(database);
    const querySpy = jest.spyOn(database, 'query');
    const reads = () => querySpy.mock.calls.filter(([{ sql }]) => sql.includes('index of dates')).length;
    try {
      querySpy.mockImplementation((statement, ...more) =>
        statement.sql.includes('GROUP BY') ? Promise.reject(new Error('gone')) : query(statement, ...more),
      );
      // SQL answers, and the index pauses.
      expect(await queries.index.page(queries.list({}))).toBeUndefined();
      querySpy.mockImplementation(query);
      querySpy.mockClear();
      await queries.ready();
      // Reads digests and the rows of one chunk only.
      expect(reads()).toBeLessThan(12);
      expect(await compare(3)).toEqual({ wrong: [], leftToSql: 0 });
    } finally {
      querySpy.mockRestore();
    }
  });

  it('leaves lists by venue to SQL where metas are indexed by value, until nothing changes', async () => {
    await run(['CREATE INDEX by_value ON wp_postmeta (meta_key(32), meta_value(32))']);
    const other = await startApp({ databaseUrl: site.url });
    try {
      const lists = await IndexQueries.of(other);
      await lists.ready();
      await run([`UPDATE wp_posts SET post_date = '2091-01-01 11:00:00' WHERE ID = ${FIRST + 9}`]);
      await run([`UPDATE wp_postmeta SET meta_value = 'x' WHERE meta_key = '_EventCost' LIMIT 1`]);
      other.nest.get(TableVersions).invalidate();
      const venue = { ids: CROWD.venues.slice(0, 1), text: String(CROWD.venues[0]) };
      expect(await lists.index.page(lists.list({ venue }))).toBeUndefined();
      expect(await lists.index.page(lists.list({}))).toBeDefined();
      expect(await lists.index.page(lists.list({ venue }))).toBeUndefined();
    } finally {
      await other.close();
      await run(['DROP INDEX by_value ON wp_postmeta']);
    }
  });

  it('equals SQL after a program has stopped that wrote during its updates', async () => {
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await run(change(dice));
    })();
    for (let round = 0; round < ROUNDS / 4; round++) {
      app.nest.get(TableVersions).invalidate();
      await queries.index.page(queries.list({}));
    }
    isOver = true;
    await writing;
    app.nest.get(TableVersions).invalidate();
    expect(await compare(30)).toEqual({ wrong: [], leftToSql: 0 });
  });

  it('shows a change of others within a second, and loads it ahead of requests', async () => {
    const ids = async () => (await queries.index.page(queries.list({ per_page: 50 })))?.ids ?? [];
    const first = async () => (await queries.sql({ per_page: 50 })).ids.find(isSingle);
    for (let round = 0; round < 3; round++) {
      const id = await first();
      for (let requests = 0; requests < 5; requests++) await ids();
      await run([`UPDATE wp_posts SET post_status = 'draft' WHERE ID = ${id}`]);
      await sleep(1000);
      expect(await ids()).not.toContain(id);
    }
  });
});
