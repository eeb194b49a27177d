import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Journal } from '../src/changes/journal.service.js';
import { JournalTrim } from '../src/changes/journal-trim.service.js';
import { migrate } from '../src/cli/migrate.js';
import { Clock } from '../src/common/clock.js';
import { Environment, readEnvironment } from '../src/config/env.js';
import { Database } from '../src/database/database.js';
import { Transactions } from '../src/database/transactions.js';
import { startApp, type TestApp } from './support/app.js';
import { clientOf } from './support/calendar-client.js';
import {
  type JournalFixture,
  journalReady,
  makeJournalTables,
  openJournalFixture,
} from './support/journal-site.js';
import { retry } from './support/retry.js';
import { describeEither, makeEmpty, makeSite } from './support/sites.js';
import { EVENT } from './support/write-fixture.js';

const TABLES = (isSqlite: boolean) =>
  isSqlite
    ? "SELECT name FROM sqlite_master WHERE name LIKE '%almanac%' AND type = 'table'"
    : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name LIKE '%almanac%'";

const MIGRATIONS = [
  'CreateChanges1764000000000',
  'CreateWebhooks1764000000001',
  'CreateIdempotency1764000000002',
];

describeEither('the tables of the journal', (database) => {
  const tablesOf = async ({ dataSource }: TestApp) => {
    const rows: { name: string }[] = await dataSource.query(TABLES(database === 'SQLite'));
    return rows.map(({ name }) => name).sort();
  };

  it('are made by almanac migrate where CHANGES is on, and by no start', async () => {
    const site = await makeSite(database);
    const ran = (CHANGES: string, list = false) =>
      migrate({
        env: readEnvironment({ DATABASE_URL: site.url, CHANGES }),
        list,
        say: () => undefined,
      });
    const app = await startApp({ databaseUrl: site.url, env: { CHANGES: 'on' } });
    try {
      const before = await tablesOf(app);
      expect(before).not.toContain('wp_almanac_changes');
      expect(app.nest.get(Journal).isEnabled()).toBe(false);
      const send = clientOf(app.url);
      expect((await send('admin', 'POST', '/events', EVENT)).status).toBe(201);
      expect(await ran('off')).toEqual([]);
      expect(await ran('on', true)).toEqual(MIGRATIONS);
      expect(await tablesOf(app)).not.toContain('wp_almanac_changes');
      expect(await ran('on')).toEqual(MIGRATIONS);
      expect(await ran('on')).toEqual([]);
      expect(await tablesOf(app)).toEqual(
        expect.arrayContaining(['wp_almanac_changes', 'wp_almanac_records']),
      );
      // A running server notices them.
      const journal = await journalReady(app);
      expect((await send('admin', 'POST', '/events', EVENT)).status).toBe(201);
      expect(await journal.head()).toBe(1);
    } finally {
      await app.close();
      await site.drop();
    }
  });

  it('may be dropped under a running server: writes go on without entries, until they are made again', async () => {
    const site = await makeSite(database);
    await makeJournalTables(site.url);
    const app = await startAndFill(site.url);
    const send = clientOf(app.url);
    const written = async () => (await send('admin', 'POST', '/events', EVENT)).status;
    try {
      expect(await written()).toBe(201);
      const journal = app.nest.get(Journal);
      expect(await journal.head()).toBe(1);
      const epoch = await journal.epoch();
      const warn = jest.spyOn(Logger.prototype, 'warn');
      for (const table of ['almanac_changes', 'almanac_records'])
        await app.dataSource.query(`DROP TABLE wp_${table}`);
      await app.dataSource.query("DELETE FROM wp_almanac_plugin_migrations WHERE name LIKE 'CreateChanges%'");
      expect([await written(), await written()]).toEqual([201, 201]);
      expect(journal.isEnabled()).toBe(false);
      const { status, body } = await send('admin', 'GET', '/changes');
      expect([status, body['code']]).toEqual([400, 'changes_disabled']);
      expect(
        warn.mock.calls.filter(([text]) => /tables of the journal were dropped/.test(String(text))),
      ).toHaveLength(1);
      warn.mockRestore();
      await makeJournalTables(site.url);
      await journalReady(app);
      expect(await journal.epoch()).not.toBe(epoch);
      expect(await written()).toBe(201);
      expect(await journal.head()).toBe(1);
    } finally {
      await app.close();
      await site.drop();
    }
  });

  it('are made with a new site', async () => {
    const site = await makeEmpty(database);
    const app = await startApp({ databaseUrl: site.url, env: { CHANGES: 'on' } });
    try {
      expect(await tablesOf(app)).toEqual(
        expect.arrayContaining(['wp_almanac_changes', 'wp_almanac_records']),
      );
      const journal = await journalReady(app);
      expect(await journal.head()).toBe(0);
    } finally {
      await app.close();
      await site.drop();
    }
  });

  it('cost no statement without CHANGES, and at most three per transaction with it', async () => {
    const site = await makeSite(database);
    const isOurs = (text: string) => /almanac_(changes|records)/.test(text);
    /** The statements of three writes. */
    const statementsOf = async (CHANGES: string) => {
      const app = await startApp({ databaseUrl: site.url, env: { CHANGES } });
      const send = clientOf(app.url);
      // On SQLite the first walk is still going on.
      do {
        app.statements();
        await sleep(300);
      } while (app.statements().sql.some(isOurs));
      const { id } = (await send('admin', 'POST', '/events', EVENT)).body;
      const venue = (await send('admin', 'POST', '/venues', { venue: 'Counted' })).body['id'];
      const counted: string[][] = [];
      for (const [method, path, body] of [
        ['POST', '/events', { ...EVENT, venue }],
        ['PUT', `/events/${id}`, { title: `With ${CHANGES}` }],
        ['DELETE', `/events/${id}`, {}],
      ] as const) {
        app.statements();
        expect((await send('admin', method, path, body)).status).toBeLessThan(300);
        const { sql } = app.statements();
        counted.push(
          sql.filter((text) => !isDetectors(text)).map((text) => text.replace(/\b[78]0000\d\b/g, 'ID')),
        );
      }
      await app.close();
      return counted;
    };
    // On SQLite no row keeps the detector from looking for linked records. Settings are read anew after a second.
    const isDetectors = (text: string) =>
      /almanac_lease|SELECT option_name AS name|source <> 'linked'|data_version|^SELECT (MAX\(seq\) AS head|MAX\(o\.seq\) AS last|MIN\(r\.record_id\)|r\.record_id DIV|\(?r\.record_id \/)/.test(
        text,
      );
    expect((await statementsOf('off')).flat().filter(isOurs)).toEqual([]);
    await makeJournalTables(site.url);
    expect((await statementsOf('off')).flat().filter(isOurs)).toEqual([]);
    await (await startAndFill(site.url)).close();
    const held = await startApp({ databaseUrl: site.url });
    await held.dataSource.query(
      `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('almanac_lease_changes', '9999999999 other', 'off')`,
    );
    await held.close();
    // Caches that are filled beside the writes have statements of their own on a busy machine.
    const journaled = await retry(async () => {
      const [without, all] = [await statementsOf('off'), await statementsOf('on')];
      const others = all.map((texts) => texts.filter((text) => !isOurs(text)).length);
      expect(others).toEqual(without.map((texts) => texts.length));
      return all;
    });
    await site.drop();
    for (const texts of journaled) expect(texts.filter(isOurs)).toHaveLength(3);
  });
});

/** A new one, which has not looked for old entries yet. */
const trimOf = ({ nest }: TestApp) =>
  new JournalTrim(nest.get(Environment), nest.get(Database), nest.get(Transactions), nest.get(Clock));

const startAndFill = async (databaseUrl: string) => {
  const app = await startApp({ databaseUrl, env: { CHANGES: 'on' } });
  await journalReady(app);
  return app;
};

describeEither('a journal', (database) => {
  let fixture: JournalFixture;
  beforeAll(async () => {
    fixture = await openJournalFixture(database);
  });
  afterAll(() => fixture?.close());

  it('has a new epoch after a change of settings that shows in all responses', async () => {
    const { journal, php } = fixture;
    const epochs = [await journal.epoch(), await journal.epoch()];
    expect(epochs[0]).toBe(epochs[1]);
    const set = async (name: string, value: string) => {
      await php(`UPDATE wp_options SET option_value = '${value}' WHERE option_name = '${name}'`);
      await sleep(1200);
      epochs.push(await journal.epoch());
    };
    await set('timezone_string', 'Asia/Tokyo');
    await set('home', 'https://moved.example.org');
    await set('permalink_structure', '/%year%/%postname%/');
    expect(new Set(epochs).size).toBe(4);
    await set('admin_email', 'somebody@example.org');
    expect(new Set(epochs).size).toBe(4);
  });

  it('keeps entries for CHANGES_DAYS, and the last one forever', async () => {
    const { journal, app } = fixture;
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await fixture.create())['id']);
    const head = await journal.head();
    app.clock.pass(31 * 86_400_000);
    await trimOf(app).run();
    expect([await journal.oldest(), await journal.head()]).toEqual([head, head]);
    await fixture.update(ids[0], { title: 'Later' });
    expect(await journal.head()).toBe(head + 1);
    await trimOf(app).run();
    expect(await journal.oldest()).toBe(head + 1);
    await fixture.check();
  });

  it('tells listeners of entries, also of other processes', async () => {
    const other = await startApp({ databaseUrl: fixture.databaseUrl, env: { CHANGES: 'on' } });
    try {
      let heard = 0;
      const end = other.nest.get(Journal).onChange(() => {
        heard += 1;
      });
      // The first one comes before the other process has looked for entries at all.
      for (let entry = 0; entry < 2; entry++) {
        heard = 0;
        await fixture.create();
        for (const giveUp = Date.now() + 10_000; heard === 0 && Date.now() < giveUp; ) await sleep(20);
        expect(heard).toBeGreaterThan(0);
        await sleep(1500);
      }
      end();
    } finally {
      await other.close();
    }
  });
});
