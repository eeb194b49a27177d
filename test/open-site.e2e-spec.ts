import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Logger } from '@nestjs/common';
import { AbstractLogger, DataSource, type LogMessage } from 'typeorm';
import { migrate } from '../src/cli/migrate.js';
import { readEnvironment } from '../src/config/env.js';
import { dataSourceOptions } from '../src/database/data-source-options.js';
import { SITE_TABLES } from '../src/database/migrations/1700000000000-create-site.js';
import { openSite } from '../src/database/open-site.js';
import { StartError } from '../src/database/start-error.js';
import { describeDatabases, makeEmpty, makeSite, type Site } from './support/sites.js';
import { testFolder } from './support/test-folder.js';

/** Opens a site, runs the callback and closes the site. */
async function onSite<T>(url: string, prefix: string, work: (source: DataSource) => Promise<T>): Promise<T> {
  const env = readEnvironment({ DATABASE_URL: url, TABLE_PREFIX: prefix });
  const source = await openSite(dataSourceOptions(env), env);
  try {
    return await work(source);
  } finally {
    await source.destroy();
  }
}

const opened = (url: string, prefix = 'wp_') => onSite(url, prefix, async () => 'opened');

describeDatabases('opening a site', (database) => {
  let site: Site;
  let empty: Site;

  beforeEach(async () => {
    site = await makeSite(database);
    empty = await makeEmpty(database);
  });
  afterEach(async () => {
    await site.drop();
    await empty.drop();
  });

  it('creates the tables of a site under TABLE_PREFIX in an empty database', async () => {
    const tables = SITE_TABLES.map((name) => `x9_${name}`);
    await onSite(empty.url, 'x9_', async (source) => {
      for (const table of tables) expect(await source.query(`SELECT * FROM ${table}`)).toEqual([]);
    });
    expect(await opened(empty.url, 'x9_')).toBe('opened');
  });

  it('creates a schema that accepts zero dates and default values of WordPress', async () => {
    await onSite(empty.url, 'wp_', async (source) => {
      await source.query(
        "INSERT INTO wp_posts (post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered, post_date) VALUES ('a', '', '', '', '', '', '0000-00-00 00:00:00')",
      );
      const [post] = await source.query('SELECT ID, post_date, post_status FROM wp_posts');
      expect({ ...post }).toEqual({ ID: 1, post_date: '0000-00-00 00:00:00', post_status: 'publish' });
    });
  });

  it('does not change the schema of an existing site', async () => {
    const schema = async () => {
      const source = await new DataSource(
        dataSourceOptions(readEnvironment({ DATABASE_URL: site.url })),
      ).initialize();
      const columns: unknown[] = await source.query(
        database !== 'SQLite'
          ? 'SELECT table_name, column_name, column_type, column_key, column_default FROM information_schema.columns WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position'
          : 'SELECT name, sql FROM sqlite_master ORDER BY name',
      );
      await source.destroy();
      return columns;
    };
    const before = await schema();
    await opened(site.url);
    expect(before.length).toBeGreaterThan(SITE_TABLES.length);
    expect(await schema()).toEqual(before);
  });

  it('preserves the ids and counters of an imported dump', async () => {
    await onSite(site.url, 'wp_', async (source) => {
      await source.query("INSERT INTO wp_terms (name, slug) VALUES ('new', 'new')");
      const [{ id }] = await source.query("SELECT term_id AS id FROM wp_terms WHERE slug = 'new'");
      expect(id).toBe(800001);
      const [{ total }] = await source.query('SELECT COUNT(*) AS total FROM wp_posts');
      expect(Number(total)).toBe(245);
    });
  });

  it('names the prefix of the existing tables when TABLE_PREFIX is another one', async () => {
    const rejection = opened(site.url, 'blog_');
    await expect(rejection).rejects.toBeInstanceOf(StartError);
    await expect(rejection).rejects.toThrow(/TABLE_PREFIX "wp_"/);
  });

  it('queries the list of tables once', async () => {
    const statements: string[] = [];
    class StatementLogger extends AbstractLogger {
      protected override writeLog(_level: string, message: LogMessage | LogMessage[]): void {
        for (const { message: sql } of [message].flat()) statements.push(String(sql));
      }
    }
    const env = readEnvironment({ DATABASE_URL: site.url });
    const options = {
      ...dataSourceOptions(env),
      logging: ['query' as const],
      logger: new StatementLogger(['query']),
    };
    await (await openSite(options, env)).destroy();
    expect(statements.filter((sql) => /information_schema\.tables|sqlite_master/.test(sql))).toHaveLength(1);
  });

  it('names all prefixes of sites when TABLE_PREFIX is another one', async () => {
    await onSite(site.url, 'wp_', async (source) => {
      for (const name of ['postmeta', 'options'])
        await source.query(`CREATE TABLE blog_${name} AS SELECT * FROM wp_${name} WHERE 1 = 0`);
    });
    await expect(opened(site.url, 'x9_')).rejects.toThrow(
      'The database holds no tables of a site with TABLE_PREFIX "x9_". There are sites with the prefixes "blog_", "wp_": set TABLE_PREFIX to that of yours.',
    );
  });

  it('says that a database with tables of other programs holds no site', async () => {
    const env = readEnvironment({ DATABASE_URL: site.url });
    const source = await openSite(dataSourceOptions(env), env);
    const tables: { name: string }[] = await source.query(
      database === 'SQLite'
        ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        : 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    for (const { name } of tables) await source.query(`DROP TABLE ${name}`);
    await source.query('CREATE TABLE invoices (id INTEGER)');
    await source.destroy();
    await expect(opened(site.url)).rejects.toThrow(
      'The database holds no tables of a site with TABLE_PREFIX "wp_". It holds no other site either: does DATABASE_URL name the right database?',
    );
  });

  it("rejects a site without the calendar's tables and names them", async () => {
    await onSite(site.url, 'wp_', (source) => source.query('DROP TABLE wp_tec_occurrences'));
    await expect(opened(site.url)).rejects.toThrow(/wp_tec_occurrences.*custom-tables migration/);
  });

  it('rejects an incomplete set of tables and names the missing ones', async () => {
    await onSite(empty.url, 'wp_', async (source) => {
      for (const name of SITE_TABLES) if (name !== 'posts') await source.query(`DROP TABLE wp_${name}`);
    });
    await expect(opened(empty.url)).rejects.toThrow(/Missing: wp_postmeta/);
  });
});

describe('opening a database by its URL', () => {
  it.each([
    ['mysql://root@127.0.0.1:1/site', 'nothing listens at 127.0.0.1:1'],
    ['mysql://root@almanac.invalid/site', 'the host of almanac.invalid:3306 is not known'],
  ])('rejects %s with a StartError: %s', async (url, reason) => {
    const rejection = opened(url);
    await expect(rejection).rejects.toBeInstanceOf(StartError);
    await expect(rejection).rejects.toThrow(reason);
  });

  it('rejects a folder, a device, a pipe and an unusable path with a StartError that names the reason', async () => {
    const pipe = join(testFolder(), 'pipe.db');
    execFileSync('mkfifo', [pipe]);
    for (const [path, reason] of [
      [testFolder(), 'is a folder, not a file.'],
      ['/dev/null', 'is a device or a pipe, not a file.'],
      [pipe, 'is a device or a pipe, not a file.'],
      [join(pipe, 'site.db'), 'a part of its path is no folder.'],
      ['/proc/almanac/data/site.db', 'there is no such file or folder.'],
    ]) {
      const rejection = opened(`sqlite:${path}`);
      await expect(rejection).rejects.toBeInstanceOf(StartError);
      await expect(rejection).rejects.toThrow(`The database cannot be reached: ${path}`);
      await expect(rejection).rejects.toThrow(reason);
    }
  });

  it('creates a missing SQLite file with its folders and warns once', async () => {
    const path = join(testFolder(), 'new', 'folders', 'site.db');
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    try {
      expect(await opened(`sqlite:${path}`)).toBe('opened');
      expect(await opened(`sqlite:${path}`)).toBe('opened');
      // The warning reveals a mistyped path.
      expect(warn.mock.calls).toEqual([
        [expect.stringContaining(`There was no ${path}: a new site is made`)],
      ]);
    } finally {
      warn.mockRestore();
    }
    expect(existsSync(path)).toBe(true);
  });

  it('rejects a missing SQLite file under READ_ONLY and creates nothing', async () => {
    const path = join(testFolder(), 'unmade', 'site.db');
    const env = readEnvironment({ DATABASE_URL: `sqlite:${path}`, READ_ONLY: 'true' });
    await expect(openSite(dataSourceOptions(env), env)).rejects.toThrow(
      `${path} does not exist, and READ_ONLY`,
    );
    await expect(migrate({ env })).rejects.toThrow(`${path} does not exist`);
    expect(existsSync(dirname(path))).toBe(false);
  });
});
