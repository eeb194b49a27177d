import { type IndexesOptions, indexes } from '../src/cli/indexes.js';
import { readEnvironment } from '../src/config/env.js';
import { StartError } from '../src/database/start-error.js';
import { askOf } from './support/own-mariadb.js';
import { describeDatabases, makeEmpty, makeSite, type Site } from './support/sites.js';

const NAMES = ['almanac_starts', 'almanac_starts_utc', 'almanac_meta_values'];

describeDatabases('almanac indexes', (database) => {
  let site: Site;
  beforeAll(async () => {
    site = await makeSite(database);
  });
  afterAll(() => site?.drop());

  const runIndexes = async (change?: IndexesOptions['change'], { url } = site) => {
    const lines: string[] = [];
    const env = readEnvironment({ DATABASE_URL: url });
    await indexes({ env, say: (line) => lines.push(line), ...(change && { change }) });
    return lines;
  };

  if (database === 'SQLite') {
    it('fails on SQLite', async () => {
      await expect(runIndexes()).rejects.toThrow(
        new StartError('Indexes are for sites on MySQL and MariaDB.'),
      );
    });
    return;
  }

  const schema = () =>
    askOf(site.url)(
      `SELECT table_name, index_name, GROUP_CONCAT(column_name, COALESCE(sub_part, '') ORDER BY seq_in_index) AS columns
       FROM information_schema.statistics WHERE table_schema = DATABASE() GROUP BY table_name, index_name`,
    );

  it('lists, creates and drops missing indexes', async () => {
    const before = await schema();
    const missing = await runIndexes();
    expect(missing.map((line) => line.split(' ').slice(0, 3))).toEqual(
      NAMES.map((name) => ['missing', '', name]),
    );
    expect(missing[0]).toBe(
      'missing  almanac_starts on wp_tec_occurrences (start_date, post_id, end_date), about 1 MB: pages of events by date, where events show their own time zones.',
    );
    expect(await schema()).toEqual(before);
    expect((await runIndexes('apply')).map((line) => line.split(/ +/)[1])).toEqual(NAMES);
    expect(await schema()).toHaveLength(before.length + NAMES.length);
    expect((await runIndexes()).every((line) => line.startsWith('there '))).toBe(true);
    expect(await runIndexes('apply')).toEqual([]);
    await askOf(site.url)('ALTER TABLE wp_tec_occurrences DROP INDEX almanac_starts');
    expect(await runIndexes('apply')).toEqual([
      'made     almanac_starts on wp_tec_occurrences (start_date, post_id, end_date)',
    ]);
    expect((await runIndexes('drop')).map((line) => line.split(/ +/)[1])).toEqual(NAMES);
    expect(await schema()).toEqual(before);
    expect(await runIndexes('drop')).toEqual([]);
  });

  it('reports failures in one sentence', async () => {
    await askOf(site.url)(
      'RENAME TABLE wp_tec_occurrences TO occurrences; CREATE VIEW wp_tec_occurrences AS SELECT * FROM occurrences',
    );
    const failed = await runIndexes('apply').catch((error) => error);
    await askOf(site.url)('DROP VIEW wp_tec_occurrences; RENAME TABLE occurrences TO wp_tec_occurrences');
    expect(failed).toBeInstanceOf(StartError);
    expect(failed.message).toMatch(/^The index almanac_starts could not be made: [^\n]*$/);
    const empty = await makeEmpty(database);
    try {
      await expect(runIndexes('apply', empty)).rejects.toThrow(
        new StartError('The database is empty: there is no site in it.'),
      );
    } finally {
      await empty.drop();
    }
  });
});
