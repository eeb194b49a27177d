import { DataSource } from 'typeorm';
import { Transactions } from '../src/database/transactions.js';
import { startApp, type TestApp } from './support/app.js';
import { clientOf } from './support/calendar-client.js';
import { retry } from './support/retry.js';
import { describeDatabases, makeSite, type Site } from './support/sites.js';
import { EVENT } from './support/write-fixture.js';

const LAST_SAVE = 'tribe_last_save_post';

describeDatabases('a transaction', (database) => {
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, clockStands: true, env: { DATABASE_POOL_SIZE: '1' } });
    app.nest.useLogger(false);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const terms = async (name: string) =>
    (await app.dataSource.query('SELECT term_id FROM wp_terms WHERE name = ?', [name])).length;
  const failing = (code?: string) => () => {
    throw Object.assign(new Error('after the commit'), { code });
  };

  it.each(['ER_LOCK_DEADLOCK', 'SQLITE_BUSY', 'ER_TABLEACCESS_DENIED_ERROR', undefined])(
    'is neither rolled back nor repeated when an after-commit hook fails with %s',
    async (code) => {
      const name = `Committed ${code}`;
      const hookCalls: string[] = [];
      const done = await app.nest.get(Transactions).run(async (transaction) => {
        transaction.afterCommit(failing(code));
        transaction.afterCommit(async () => {
          hookCalls.push(`${await terms(name)} rows`);
        });
        await transaction.manager.query('INSERT INTO wp_terms (name, slug) VALUES (?, ?)', [name, 'x']);
        return 'done';
      });
      expect([done, await terms(name), hookCalls]).toEqual(['done', 1, ['1 rows']]);
    },
  );

  it('is rejected within another one and accepted after its commit', async () => {
    const transactions = app.nest.get(Transactions);
    const insert = (name: string) =>
      transactions.run(({ manager }) =>
        manager.query('INSERT INTO wp_terms (name, slug) VALUES (?, ?)', [name, 'x']),
      );
    const outer = transactions.run(async () => insert('Within'));
    await expect(outer).rejects.toThrow('begun within another one');
    await transactions.run(async (transaction) => {
      transaction.afterCommit(async () => void (await insert('Behind')));
    });
    expect([await terms('Within'), await terms('Behind')]).toEqual([0, 1]);
  });

  it('that is repeated stores its rows once and runs its after-commit hooks once', async () => {
    let [attempts, hookCalls] = [0, 0];
    await app.nest.get(Transactions).run(async (transaction) => {
      attempts++;
      transaction.afterCommit(() => void hookCalls++);
      await transaction.manager.query("INSERT INTO wp_terms (name, slug) VALUES ('Repeated', 'x')");
      if (attempts < 3) failing('ER_LOCK_DEADLOCK')();
    });
    expect([attempts, hookCalls, await terms('Repeated')]).toEqual([3, 1, 1]);
  });

  it('is repeated up to three times when it fails with ER_DUP_ENTRY', async () => {
    let attempts = 0;
    const run = (taken: number) =>
      app.nest.get(Transactions).run(async () => {
        if (++attempts <= taken) failing('ER_DUP_ENTRY')();
      });
    await run(1);
    expect(attempts).toBe(2);
    attempts = 0;
    await expect(run(Infinity)).rejects.toMatchObject({ code: 'ER_DUP_ENTRY' });
    expect(attempts).toBe(3);
  });

  it('that fails stores no row and runs no after-commit hook', async () => {
    let hookCalls = 0;
    const failed = app.nest.get(Transactions).run(async (transaction) => {
      transaction.afterCommit(() => void hookCalls++);
      await transaction.manager.query("INSERT INTO wp_terms (name, slug) VALUES ('Undone', 'x')");
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect([hookCalls, await terms('Undone')]).toEqual([0, 0]);
  });

  it('that is a no-op stores no row and runs no after-commit hook', async () => {
    let hookCalls = 0;
    const done = await app.nest.get(Transactions).run(async (transaction) => {
      transaction.afterCommit(() => void hookCalls++);
      await transaction.manager.query("INSERT INTO wp_terms (name, slug) VALUES ('In vain', 'x')");
      transaction.isNoop = true;
      return 'done';
    }, Date.now());
    expect([done, hookCalls, await terms('In vain')]).toEqual(['done', 0, 0]);
  });

  describe('acquires the write lock', () => {
    const options = (): Promise<{ option_name: string; option_value: string; autoload: string }[]> =>
      app.dataSource.query('SELECT * FROM wp_options ORDER BY option_id');
    const lastSave = async () => (await options()).find(({ option_name }) => option_name === LAST_SAVE);
    const removeLastSave = () =>
      app.dataSource.query('DELETE FROM wp_options WHERE option_name = ?', [LAST_SAVE]);
    const write = async (path: string, body: object) => {
      const { status } = await clientOf(app.url)('admin', 'POST', path, body);
      expect(status).toBe(201);
    };

    it('by its first statement, which also records a save', async () => {
      // Statements of a background read may come between.
      await retry(async () => {
        app.statements();
        await write('/events', EVENT);
        const { sql } = app.statements();
        const lock = sql.findIndex((statement) => /^UPDATE .wp_options. SET option_value/.test(statement));
        expect(sql[lock - 1]).toMatch(/^(START|BEGIN) TRANSACTION/);
        expect(sql.filter((statement) => /UPDATE .wp_options/.test(statement))).toHaveLength(1);
      });
      expect(await lastSave()).toMatchObject({ option_value: expect.stringMatching(/^\d+\.\d{4}$/) });
    });

    it('when the last save has the same time', async () => {
      await write('/events', EVENT);
      const before = await lastSave();
      await write('/venues', { venue: 'Of the same moment' });
      expect((await lastSave())?.option_value).not.toBe(before?.option_value);
    });

    it('and restores the options when no record is saved', async () => {
      const before = await options();
      await write('/tags', { name: 'Saves no record' });
      await app.nest.get(Transactions).run(async () => undefined);
      expect(await options()).toEqual(before);
    });

    it('when no save is recorded yet', async () => {
      await removeLastSave();
      const before = await options();
      await write('/tags', { name: 'Before any record' });
      expect(await options()).toEqual(before);
      await write('/events', EVENT);
      expect(await lastSave()).toMatchObject({
        option_value: expect.stringMatching(/^\d+\.\d{4}$/),
        autoload: 'auto',
      });
    });

    it('and records a save by recordSave()', async () => {
      const before = await lastSave();
      await app.nest.get(Transactions).run((transaction) => transaction.recordSave(Date.now()));
      expect((await lastSave())?.option_value).not.toBe(before?.option_value);
    });

    if (database === 'SQLite') return;
    it('and sets the required sql_mode of its session', async () => {
      await app.dataSource.query("SET SESSION sql_mode = 'ANSI_QUOTES,STRICT_ALL_TABLES'");
      await write('/events', { ...EVENT, status: 'draft' });
      const [row] = await app.dataSource.query('SELECT @@SESSION.sql_mode AS mode');
      expect(row).toEqual({ mode: 'NO_ENGINE_SUBSTITUTION' });
    });
  });

  it('that sends a statement outside of itself fails in tests', async () => {
    const run = (work: () => Promise<unknown>) => app.nest.get(Transactions).run(work);
    await expect(run(() => app.dataSource.query('SELECT 1'))).rejects.toThrow('outside of its transaction');
  });

  if (database !== 'SQLite') return;
  it('blocks writes of other processes from its start', async () => {
    const other = new DataSource({ ...app.dataSource.options });
    await other.initialize();
    const runner = app.dataSource.createQueryRunner();
    await runner.startTransaction();
    try {
      await other.query('PRAGMA busy_timeout=0');
      await expect(other.query("UPDATE wp_options SET option_value = ''")).rejects.toThrow('locked');
    } finally {
      await runner.rollbackTransaction();
      await other.destroy();
    }
    const { status } = await clientOf(app.url)('admin', 'POST', '/tags', { name: 'Goes on' });
    expect(status).toBe(201);
  });

  it('is rejected with 503 and writes nothing when the previous one exceeds DATABASE_TIMEOUT', async () => {
    const hung = await startApp({ databaseUrl: site.url, env: { DATABASE_TIMEOUT: '500ms' } });
    hung.nest.useLogger(false);
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    try {
      let hasBegun: () => void = () => undefined;
      const started = new Promise<void>((resolve) => {
        hasBegun = resolve;
      });
      const endless = hung.nest.get(Transactions).run(async (transaction) => {
        hasBegun();
        await ended;
        transaction.isNoop = true;
      });
      await started;
      const startedAt = performance.now();
      const { status, body } = await clientOf(hung.url)('admin', 'POST', '/tags', { name: 'Behind it' });
      // A queue that moves is waited for up to 20 s.
      expect(performance.now() - startedAt).toBeLessThan(15_000);
      expect([status, body['code']]).toEqual([503, 'database_unavailable']);
      end();
      await endless;
      const rows = await hung.dataSource.query("SELECT name FROM wp_terms WHERE name = 'Behind it'");
      expect(rows).toEqual([]);
    } finally {
      end();
      await hung.close();
    }
  });
});
