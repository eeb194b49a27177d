import { setTimeout as sleep } from 'node:timers/promises';
import { Replicas } from '../../src/database/replicas.js';
import { TableVersions } from '../../src/database/table-versions.service.js';
import { type Transaction, Transactions } from '../../src/database/transactions.js';
import { startApp, type TestApp } from '../support/app.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { query } from '../support/own-mariadb.js';
import { type OwnServer, startOwnServer } from '../support/own-server.js';
import { retry } from '../support/retry.js';
import type { Site } from '../support/sites.js';

/** Longer than tables count as recently changed, in milliseconds. */
const QUIET = 3200;
/** Longer than a poll is valid. */
const A_LOOK = 950;
/** A transaction that began in the second of another change: MariaDB uses the time of its begin. */
const LONG = 16_000;

(serverMissing() ? describe.skip : describe)(`what is known of changes, ${SERVER}`, () => {
  let server: OwnServer;
  let site: Site;
  let app: TestApp;
  let changes: TableVersions;

  // Other writes to the server change its write counters.
  beforeAll(async () => {
    server = await startOwnServer(SERVER, '--innodb-flush-log-at-trx-commit=0');
    // Like most database users, this one cannot see other sessions' transactions.
    await query(server.url, "CREATE USER almanac@'127.0.0.1'; GRANT ALL ON changes.* TO almanac@'127.0.0.1'");
  });
  afterAll(() => server?.kill());
  beforeEach(async () => {
    site = await server.newSite('changes');
    await start('almanac');
  });
  afterEach(async () => {
    await app?.close();
    await site?.drop();
  });

  const start = async (user: string) => {
    app = await startApp({ databaseUrl: site.url.replace('root@', `${user}@`) });
    changes = app.nest.get(TableVersions);
  };
  const sql = (text: string) => app.dataSource.query(text);
  /** A transaction that began in the second of another change: MariaDB uses the time of its begin. */
  const begun = async () => {
    const long = app.dataSource.createQueryRunner();
    await long.connect();
    await sleep(1050 - (Date.now() % 1000));
    await long.startTransaction();
    await long.query("UPDATE wp_terms SET name = 'x' WHERE term_id = 2");
    await sql("UPDATE wp_terms SET name = 'y' WHERE term_id = 3");
    return long;
  };
  /** Stable versions, after consecutive polls. */
  const settled = async () => {
    const moves: (number | undefined)[] = [];
    for (let left = QUIET; left > 0 || moves.at(-1) !== moves.at(-2); left -= A_LOOK) {
      moves.push((await changes.snapshot())?.contentVersion);
      await sleep(A_LOOK);
    }
    return changes.snapshot();
  };

  it('marks tables that were renamed back as changed', async () => {
    const before = await settled();
    await sql('RENAME TABLE wp_posts TO wp_away');
    await sleep(A_LOOK);
    expect(await changes.snapshot()).toBeUndefined();
    // MySQL keeps the times of a renamed table: only a change of its rows counts.
    if (SERVER === 'mysql') await sql('UPDATE wp_away SET menu_order = menu_order + 1 LIMIT 1');
    await sql('RENAME TABLE wp_away TO wp_posts');
    await sleep(2_050);
    const after = await changes.snapshot();
    expect([before?.version('posts'), after?.version('posts')]).toEqual([
      expect.any(Number),
      expect.any(Number),
    ]);
    expect(after?.version('posts')).toBeGreaterThan(before?.version('posts') ?? Number.NaN);
  });

  it.each([
    ['a table that was emptied', ['TRUNCATE wp_term_relationships']],
    [
      'a table that took the place of another',
      ['RENAME TABLE wp_terms TO wp_old, wp_new TO wp_terms'],
      ['CREATE TABLE wp_new AS SELECT * FROM wp_terms'],
    ],
    ['a table that is gone', ['DROP TABLE wp_termmeta']],
    ['a row', ["UPDATE wp_terms SET name = 'x' LIMIT 1"]],
  ] as [string, string[], string[]?][])('detects %s at the next poll', async (_, statements, before = []) => {
    await sql("SET SESSION sql_mode = ''");
    for (const statement of before) await sql(statement);
    const versions = await settled();
    for (const statement of statements) await sql(statement);
    await sleep(A_LOOK);
    expect((await changes.snapshot())?.contentVersion).not.toBe(versions?.contentVersion);
  });

  it('detects at the next poll a commit in the same second as another change', async () => {
    const long = await begun();
    const before = await settled();
    await long.commitTransaction();
    await long.release();
    await sleep(A_LOOK);
    expect((await changes.snapshot())?.contentVersion).not.toBe(before?.contentVersion);
  });

  it.each([
    ['who may not see open transactions', 'almanac'],
    ['who may see them', 'root'],
  ])(
    'detects a longer transaction at the next poll for %s while others write to the same server',
    async (_, user) => {
      await app.close();
      await start(user);
      const long = await begun();
      for (let left = LONG + 2 * QUIET; left > 0; left -= A_LOOK) {
        await query(server.url, 'UPDATE wp_terms SET name = RAND() WHERE term_id = 2');
        await sleep(A_LOOK);
        await changes.snapshot();
      }
      const before = await changes.snapshot();
      await long.commitTransaction();
      await long.release();
      await sleep(A_LOOK);
      expect((await changes.snapshot())?.contentVersion).not.toBe(before?.contentVersion);
    },
  );

  it('does not rely on a table whose engine updates its time late', async () => {
    await sql("SET SESSION sql_mode = ''");
    await sql(`ALTER TABLE wp_terms ENGINE=${SERVER === 'mysql' ? 'MEMORY' : 'Aria'}`);
    await sleep(A_LOOK);
    expect(await changes.snapshot()).toBeUndefined();
  });

  it('stays reliable after a failed commit, and detects one that succeeded', async () => {
    await settled();
    await changes.bump();
    const before = await changes.snapshot();
    expect(before).toBeDefined();
    await app.nest
      .get(Transactions)
      .run(({ manager }) => manager.query("UPDATE wp_terms SET name = 'y' LIMIT 1"));
    const after = await changes.snapshot();
    expect([after === undefined, after?.contentVersion === before?.contentVersion]).toEqual([false, false]);
  });

  it('stays reliable after a long own transaction', async () => {
    const transactions = app.nest.get(Transactions);
    expect(await settled()).toBeDefined();
    const work = async ({ manager }: Transaction) => {
      await manager.query("UPDATE wp_terms SET name = 'slow' WHERE term_id = 3");
      await sleep(QUIET);
    };
    await transactions.run(work);
    changes.invalidate();
    expect(await changes.snapshot()).toBeDefined();
  });

  it('increments versions on an own commit without a poll, and the next poll still detects other writes', async () => {
    const write = () =>
      app.nest
        .get(Transactions)
        .run(({ manager }) => manager.query("UPDATE wp_terms SET name = 'y' LIMIT 1"));
    const looks = jest.spyOn(app.nest.get(Replicas), 'query');
    const looked = () => {
      const requested = looks.mock.calls.filter(([text]) => text.includes('information_schema.TABLES'));
      looks.mockClear();
      return requested.length;
    };
    const { proof, own } = await retry(async () => {
      changes.invalidate();
      await changes.snapshot();
      looked();
      await write();
      const proof = await changes.snapshot();
      looked();
      await write();
      const own = await changes.snapshot();
      expect(looked()).toBe(0);
      return { proof, own };
    });
    expect(own?.contentVersion).not.toBe(proof?.contentVersion);
    expect(own?.version('options', 'users', 'usermeta')).toBe(proof?.version('options', 'users', 'usermeta'));
    expect(own?.lastModified).toBeUndefined();
    await sql("UPDATE wp_options SET option_value = 'x' WHERE option_name = 'blogdescription'");
    await sleep(A_LOOK);
    expect((await changes.snapshot())?.version('options')).not.toBe(own?.version('options'));
  });

  it('serves no result of a slow poll to requests that began after it', async () => {
    const before = await settled();
    await sleep(A_LOOK);
    const replicas = app.nest.get(Replicas);
    const query = replicas.query.bind(replicas);
    let looks = 0;
    jest.spyOn(replicas, 'query').mockImplementation(async (text, values) => {
      const rows = await query<never>(text, values);
      // The result of the first poll is delayed.
      if (text.includes('information_schema.TABLES')) looks += 1;
      if (looks === 1) await sleep(1500);
      return rows;
    });
    const slow = changes.snapshot();
    await sleep(100);
    await sql("UPDATE wp_terms SET name = 'z' LIMIT 1");
    await sleep(1000);
    const later = await changes.snapshot();
    await slow;
    expect(looks).toBe(2);
    expect(later?.version('terms')).not.toBe(before?.version('terms'));
  });
});
