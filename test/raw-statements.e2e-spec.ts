import { DataSource, QueryFailedError } from 'typeorm';
import { executeStatement } from '../src/database/execute-statement.js';
import { startApp, type TestApp } from './support/app.js';
import { serverMissing } from './support/mariadb.js';
import { makeSite, SERVER_NAME, type Site } from './support/sites.js';

const STATEMENTS: [text: string, values: unknown[]][] = [
  ['SELECT ID, post_title, post_date FROM wp_posts ORDER BY ID LIMIT 5', []],
  ['SELECT ID FROM wp_posts WHERE ID IN (?)', [[1, 2, 3]]],
  ['SELECT ? AS a, ? AS b', ["it's", null]],
  ['SELECT 1 FROM wp_posts WHERE 1 = 0', []],
  ["UPDATE wp_options SET option_value = option_value WHERE option_name = 'siteurl'", []],
  ['SELECT * FROM wp_not_there', []],
  ['SELECT', []],
];

(serverMissing() ? describe.skip : describe)('executeStatement on mysql2', () => {
  let site: Site;
  let app: TestApp;
  let source: DataSource;

  beforeAll(async () => {
    site = await makeSite(SERVER_NAME);
    app = await startApp({ databaseUrl: site.url });
    source = app.nest.get(DataSource);
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  it('returns results and errors as TypeORM does', async () => {
    for (const [text, values] of STATEMENTS)
      expect([text, await outcome(executeStatement(source, { sql: text, values }))]).toEqual([
        text,
        await outcome(source.query(text, values)),
      ]);
  });

  it('runs in the transaction of the given runner and throws for a released one', async () => {
    const runner = source.createQueryRunner();
    const count = { sql: "SELECT COUNT(*) AS n FROM wp_options WHERE option_name = 'of_ask'", values: [] };
    await runner.startTransaction();
    await executeStatement(
      source,
      { sql: 'INSERT INTO wp_options (option_name) VALUES (?)', values: ['of_ask'] },
      runner,
    );
    expect([await executeStatement(source, count, runner), await executeStatement(source, count)]).toEqual([
      [{ n: 1 }],
      [{ n: 0 }],
    ]);
    await runner.rollbackTransaction();
    expect(await executeStatement(source, count)).toEqual([{ n: 0 }]);
    await runner.release();
    await expect(executeStatement(source, count, runner)).rejects.toThrow(/already released/);
  });

  it('notifies subscribers of TypeORM', async () => {
    const queries: string[] = [];
    source.subscribers.push({ beforeQuery: ({ query }) => void queries.push(query) });
    try {
      expect(await executeStatement(source, { sql: 'SELECT 1 AS one', values: [] })).toEqual([{ one: 1 }]);
      expect(queries).toEqual(['SELECT 1 AS one']);
    } finally {
      source.subscribers.pop();
    }
  });
});

/** Returns the result of a statement, or the members of its error. */
async function outcome(result: Promise<unknown>): Promise<unknown> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof QueryFailedError)) throw error;
    const { message, query, parameters, driverError } = error;
    return { message, query, parameters, code: (driverError as { code?: string }).code };
  }
}
