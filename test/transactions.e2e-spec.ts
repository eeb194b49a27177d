import { Transactions } from '../src/database/transactions.js';
import { startApp, type TestApp } from './support/app.js';
import { describeDatabases, makeSite, type Site } from './support/sites.js';

describeDatabases('a transaction', (database) => {
  let site: Site;
  let app: TestApp;

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url });
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
    'is neither undone nor repeated when what comes after it fails with %s',
    async (code) => {
      const name = `Committed ${code}`;
      const after: string[] = [];
      const done = await app.nest.get(Transactions).run(async (transaction) => {
        transaction.afterCommit(failing(code));
        transaction.afterCommit(async () => {
          after.push(`${await terms(name)} rows`);
        });
        await transaction.manager.query('INSERT INTO wp_terms (name, slug) VALUES (?, ?)', [name, 'x']);
        return 'done';
      });
      expect([done, await terms(name), after]).toEqual(['done', 1, ['1 rows']]);
    },
  );

  it('that is repeated leaves its rows once and does once what comes after it', async () => {
    let [attempts, after] = [0, 0];
    await app.nest.get(Transactions).run(async (transaction) => {
      attempts++;
      transaction.afterCommit(() => void after++);
      await transaction.manager.query("INSERT INTO wp_terms (name, slug) VALUES ('Repeated', 'x')");
      if (attempts < 3) failing('ER_LOCK_DEADLOCK')();
    });
    expect([attempts, after, await terms('Repeated')]).toEqual([3, 1, 1]);
  });

  it('that fails leaves no row and does nothing afterwards', async () => {
    let after = 0;
    const failed = app.nest.get(Transactions).run(async (transaction) => {
      transaction.afterCommit(() => void after++);
      await transaction.manager.query("INSERT INTO wp_terms (name, slug) VALUES ('Undone', 'x')");
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect([after, await terms('Undone')]).toEqual([0, 0]);
  });

  it('that asks for anything outside of itself fails in every test', async () => {
    const run = (work: () => Promise<unknown>) => app.nest.get(Transactions).run(work);
    await expect(run(() => app.dataSource.query('SELECT 1'))).rejects.toThrow('outside of its transaction');
  });
});
