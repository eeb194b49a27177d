import { createServer, migrate, type Plugin, readEnvironment, StartError } from 'almanac';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { withMigrationLock } from '../../src/database/migration-lock.js';
import { connect } from '../../src/database/open-site.js';
import { AddPlaces1700000000002, CreateSeats1700000000001, SeatsModule } from '../support/seats-plugin.js';
import { describeDatabases, makeEmpty, makeSite, type Site } from '../support/sites.js';

const NAMES = [CreateSeats1700000000001.name, AddPlaces1700000000002.name];
const RECORDED = 'SELECT name FROM wp_almanac_plugin_migrations ORDER BY id';

/** Creates a table and a row, then fails. */
class Breaks1700000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE wp_acme_half (id INTEGER)');
    await runner.query("INSERT INTO wp_acme_seats (name) VALUES ('half')");
    await runner.query('SELECT nonsense FROM wp_acme_half');
  }
  async down(): Promise<void> {}
}

class ComesLater1700000000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE wp_acme_later (id INTEGER)');
  }
  async down(): Promise<void> {}
}

class BrokenModule {
  static readonly migrations = [Breaks1700000000003, ComesLater1700000000004];
}

/** Records which parts of the site exist. */
class LooksAtSite1700000000006 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const prefix = runner.connection.options.entityPrefix ?? '';
    const rows = async (from: string): Promise<number> =>
      (await runner.query(`SELECT 1 AS one FROM ${prefix}${from}`)).length;
    LooksAtSite1700000000006.found = [
      await rows(`options WHERE option_name IN ('siteurl', '${prefix}user_roles')`),
      await rows(`usermeta WHERE meta_key IN ('${prefix}capabilities', '_application_passwords')`),
    ];
    if (LooksAtSite1700000000006.fails) throw new Error('no licence');
  }
  async down(): Promise<void> {}
  static found: number[] = [];
  static fails = false;
}

class LooksModule {
  static readonly migrations = [LooksAtSite1700000000006];
}

describeDatabases('the tables of a plugin', (database) => {
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

  const envOf = ({ url }: Site, TABLE_PREFIX = 'wp_') =>
    readEnvironment({
      REST_BASE_URL: 'http://calendar.example.org/wp-json',
      DATABASE_URL: url,
      TABLE_PREFIX,
    });

  const ask = async (where: Site, statement: string): Promise<Record<string, unknown>[]> => {
    const source = await new DataSource(dataSourceOptions(envOf(where))).initialize();
    try {
      return ((await source.query(statement)) as object[]).map((row) => ({ ...row }));
    } finally {
      await source.destroy();
    }
  };

  /** Tables with their columns, by name. */
  const schema = async (where: Site) => {
    const rows = await ask(
      where,
      database !== 'SQLite'
        ? "SELECT table_name AS name, GROUP_CONCAT(column_name, ' ', column_type, ' ', column_key ORDER BY ordinal_position) AS text FROM information_schema.columns WHERE table_schema = DATABASE() GROUP BY table_name"
        : "SELECT name, sql AS text FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    );
    return new Map(rows.map(({ name, text }) => [name, text]));
  };

  /** The output of the command. */
  const migrated = async (where: Site, plugins: Plugin[] = [SeatsModule], list = false, prefix = 'wp_') => {
    const said: string[] = [];
    await migrate({ env: envOf(where, prefix), plugins, list, say: (line) => said.push(line) });
    return said;
  };

  /** Starts a server, sends a request, and returns the warnings of its start. */
  const started = async (
    where: Site,
    work: (url: string) => Promise<void> = async () => undefined,
    plugin: Plugin = SeatsModule,
  ) => {
    const warnings: unknown[] = [];
    const quiet = () => undefined;
    const logger = { log: quiet, error: quiet, warn: (line: unknown) => void warnings.push(line) };
    jest.spyOn(console, 'log').mockImplementation(quiet);
    const app = await createServer({ env: envOf(where), plugins: [plugin], logger });
    try {
      await app.listen(0, '127.0.0.1');
      const { port } = app.getHttpServer().address() as { port: number };
      await work(`http://127.0.0.1:${port}`);
    } finally {
      await app.close();
      jest.restoreAllMocks();
    }
    return warnings;
  };

  const storage = async (url: string) => {
    const headers = { 'Content-Type': 'application/json' };
    const created = await fetch(`${url}/seats`, { method: 'POST', headers, body: '{"name":"Balcony"}' });
    expect([created.status, await created.json()]).toEqual([201, { id: 1, name: 'Balcony', places: 1 }]);
    expect(await (await fetch(`${url}/seats`)).json()).toEqual([{ id: 1, name: 'Balcony', places: 1 }]);
  };

  it('are not created by a start on an existing site, which names the command to run', async () => {
    const before = await schema(site);
    const answers = async (url: string) => {
      expect((await fetch(`${url}/cal/events/v1/tags`)).status).toBe(200);
    };
    expect(await started(site, answers)).toEqual([
      expect.stringMatching(
        RegExp(
          `^Plugins wait for their tables \\(${NAMES.join(', ')}\\): run "almanac migrate --main .+"\\.$`,
        ),
      ),
    ]);
    expect(await schema(site)).toEqual(before);
  });

  it('are created by the command once, oldest first, and nothing else is', async () => {
    const before = await schema(site);
    expect(await migrated(site, [SeatsModule], true)).toEqual(NAMES);
    expect(await schema(site)).toEqual(before);
    expect(await migrated(site)).toEqual(NAMES);
    const after = await schema(site);
    expect([...after.keys()].filter((name) => !before.has(name)).sort()).toEqual([
      'wp_acme_seats',
      'wp_almanac_plugin_migrations',
    ]);
    for (const [name, text] of before) expect(after.get(name)).toEqual(text);
    expect(await ask(site, RECORDED)).toEqual(NAMES.map((name) => ({ name })));
    expect(await migrated(site)).toEqual(['Nothing is pending.']);
    expect(await migrated(site, [], true)).toEqual(['Nothing is pending.']);
    expect(await started(site, storage)).toEqual([]);
  });

  it('are created with the tables of a new site', async () => {
    const isCreated = expect.stringMatching(/^There was no .*: a new site is made there\./);
    expect(await started(empty, storage)).toEqual(database === 'SQLite' ? [isCreated] : []);
    expect(await migrated(empty)).toEqual(['Nothing is pending.']);
    const own = await ask(empty, 'SELECT name FROM almanac_migrations');
    expect(own).toEqual([{ name: 'CreateSite1700000000000' }]);
  });

  it('are created by the command under the prefix of a new site', async () => {
    const all = ['CreateSite1700000000000', ...NAMES];
    const listed = migrated(empty, [SeatsModule], true, 'x9_');
    // A missing file is not created by a check.
    if (database === 'SQLite')
      await expect(listed).rejects.toThrow(/^There is no database yet: .* does not exist\./);
    else expect(await listed).toEqual(all);
    expect((await schema(empty)).size).toBe(0);
    const [table, login, ...own] = await migrated(empty, [SeatsModule], false, 'x9_');
    expect([table, ...own]).toEqual(all);
    expect(login).toMatch(/^Log in as "admin" with the application password "/);
    const tables = await schema(empty);
    for (const name of ['posts', 'acme_seats', 'almanac_plugin_migrations'])
      expect(tables.has(`x9_${name}`)).toBe(true);
  });

  if (database !== 'SQLite') {
    it.each(['a site', 'nothing yet'])(
      'are created once by two concurrent commands, where there is %s',
      async (what) => {
        const where = what === 'a site' ? site : empty;
        const [one = [], other = []] = await Promise.all([migrated(where), migrated(where)]);
        const isName = (line: string) => /\d{13}$/.test(line);
        const all = what === 'a site' ? NAMES : ['CreateSite1700000000000', ...NAMES];
        // One may create the tables of an empty database, and the other one the site.
        expect([...one, ...other].filter(isName).sort()).toEqual([...all].sort());
        if (what === 'a site') expect([one, other]).toContainEqual(['Nothing is pending.']);
        expect(await ask(where, RECORDED)).toEqual(NAMES.map((name) => ({ name })));
      },
    );

    it('are created once by two servers that start in an empty database', async () => {
      const warnings = (await Promise.all([started(empty), started(empty)])).flat();
      // Nest logs that for two servers in one process.
      expect(
        warnings.filter((line) => !String(line).startsWith('A data source with the default name')),
      ).toEqual([]);
      expect(await ask(empty, RECORDED)).toEqual(NAMES.map((name) => ({ name })));
    });

    it('limit the time a command waits for another one', async () => {
      const source = await connect(dataSourceOptions(envOf(site)), envOf(site));
      try {
        const rejected = await withMigrationLock(source, () =>
          withMigrationLock(source, () => migrated(site), 0).catch((error: unknown) => error),
        );
        expect(rejected).toEqual(
          new StartError('Another process is creating or migrating this site: try again when it is done.'),
        );
        expect((await schema(site)).has('wp_acme_seats')).toBe(false);
      } finally {
        await source.destroy();
      }
    });
  }

  it('are created after the site is complete, by a start and by the command', async () => {
    await started(empty, async () => undefined, LooksModule);
    expect(LooksAtSite1700000000006.found).toEqual([2, 2]);
    LooksAtSite1700000000006.found = [];
    const other = await makeEmpty(database);
    try {
      await migrated(other, [LooksModule]);
      expect(LooksAtSite1700000000006.found).toEqual([2, 2]);
      expect(await ask(other, "SELECT 1 FROM wp_options WHERE option_name = 'almanac_first_start'")).toEqual(
        [],
      );
    } finally {
      await other.drop();
    }
  });

  it('are created by the next start after the first one was interrupted', async () => {
    LooksAtSite1700000000006.fails = true;
    try {
      await expect(started(empty, async () => undefined, LooksModule)).rejects.toThrow('no licence');
    } finally {
      LooksAtSite1700000000006.fails = false;
      jest.restoreAllMocks();
    }
    expect(await migrated(empty, [LooksModule], true)).toEqual([LooksAtSite1700000000006.name]);
    expect(await started(empty, async () => undefined, LooksModule)).toEqual([]);
    expect(await ask(empty, RECORDED)).toEqual([{ name: LooksAtSite1700000000006.name }]);
  });

  it('stay unrecorded when their migration fails, as do later migrations', async () => {
    const said: string[] = [];
    const rejected = await migrate({
      env: envOf(site),
      plugins: [BrokenModule, SeatsModule],
      say: (line) => said.push(line),
    }).catch((error: unknown) => error);
    expect(rejected).toBeInstanceOf(StartError);
    expect((rejected as Error).message).toMatch(
      /^The migration Breaks1700000000003 failed and is not recorded: .*nonsense.*\.$/,
    );
    expect(said).toEqual(NAMES);
    expect(await ask(site, RECORDED)).toEqual(NAMES.map((name) => ({ name })));
    const tables = await schema(site);
    // MySQL cannot roll back a table.
    expect([tables.has('wp_acme_half'), tables.has('wp_acme_later')]).toEqual([database !== 'SQLite', false]);
    if (database === 'SQLite') expect(await ask(site, 'SELECT * FROM wp_acme_seats')).toEqual([]);
    expect(await migrated(site, [BrokenModule, SeatsModule], true)).toEqual(
      BrokenModule.migrations.map(({ name }) => name),
    );
  });
});

describe('plugin migrations are rejected', () => {
  const brings = (name: string, migrations: unknown) =>
    ({
      [name]: class {
        static migrations = migrations;
      },
    })[name] as Plugin;
  class NoTime implements MigrationInterface {
    async up(): Promise<void> {}
    async down(): Promise<void> {}
  }
  class Empty1700000000005 {}
  const none = 'which is no class of a migration whose name ends in 13 digits.';

  it.each([
    ['without a time in its name', [brings('A', [NoTime])], `A brings NoTime, ${none}`],
    ['that do nothing', [brings('A', [Empty1700000000005])], `A brings Empty1700000000005, ${none}`],
    ['that are patterns of files', [brings('A', ['dist/*.js'])], `A brings dist/*.js, ${none}`],
    ['in no list', [brings('A', 'dist/*.js')], 'A has a static migrations that is no list.'],
    [
      'of one name',
      [brings('A', [CreateSeats1700000000001]), brings('B', [CreateSeats1700000000001])],
      'Both A and B bring a migration CreateSeats1700000000001: rename one of them.',
    ],
  ])('%s', async (_name, plugins, message) => {
    const empty = await makeEmpty('SQLite');
    const env = readEnvironment({ DATABASE_URL: empty.url });
    for (const work of [createServer({ env, plugins, logger: false }), migrate({ env, plugins })]) {
      const rejected = await work.catch((error: unknown) => error);
      expect(rejected).toBeInstanceOf(StartError);
      expect((rejected as Error).message).toBe(message);
    }
    await empty.drop();
  });
});
