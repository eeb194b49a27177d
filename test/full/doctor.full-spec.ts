import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import type { Finding } from '../../src/cli/doctor/check.js';
import { doctor, fix } from '../../src/cli/doctor.js';
import { type Environment, readEnvironment } from '../../src/config/env.js';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { SITE_TABLES } from '../../src/database/migrations/1700000000000-create-site.js';
import { connect } from '../../src/database/open-site.js';
import { StartError } from '../../src/database/start-error.js';
import { RECORDED_NOW, startApp } from '../support/app.js';
import { SERVER, serverMissing } from '../support/mariadb.js';
import { startOwnServer } from '../support/own-server.js';
import { DAMAGES } from '../support/seed-damage.js';
import { describeEither, makeEmpty, makeSite, SITE_D, type Site } from '../support/sites.js';

const now = Date.parse(RECORDED_NOW);

/** All rows that a fix may touch; rows of the calendar's tables by content, not by id. */
const TABLES: Readonly<Record<string, string>> = {
  posts: 'ID, post_name, post_status, post_date_gmt, post_modified',
  postmeta: 'meta_id, post_id, meta_key, meta_value',
  terms: '*',
  term_taxonomy: '*',
  term_relationships: 'object_id, term_taxonomy_id',
  usermeta: '*',
  tec_events: 'post_id, start_date, end_date, timezone, start_date_utc, end_date_utc, duration, hash',
  tec_occurrences: 'post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash',
};
/** Options that every save changes. */
const MOVED = ['tribe_last_save_post', 'tribe_last_updated_option'];

/** Findings as `name: count`, without the indexes that every small site lacks. */
function named(findings: readonly Finding[]): string[] {
  return findings.filter(({ kind }) => kind !== 'indexes').map(({ name, count }) => `${name}: ${count}`);
}

type Option = Record<'option_id' | 'option_name' | 'option_value' | 'autoload', string>;

describeEither('almanac doctor', (database) => {
  let site: Site;
  let env: Environment;
  let source: DataSource;
  const withEnv = (url: string) => readEnvironment({ DATABASE_URL: url });
  beforeAll(async () => {
    site = await makeSite(database);
    env = withEnv(site.url);
    source = await connect(dataSourceOptions(env), env);
  });
  afterAll(async () => {
    await source?.destroy();
    await site?.drop();
  });

  const run = async (statements: readonly string[]) => {
    for (const statement of statements) await source.query(statement);
  };
  const look = () => doctor({ env, now });
  const found = async () => named((await look()).findings);
  const yes = async () => true;
  const rows = async () => {
    const all: Record<string, string[]> = {};
    for (const [name, columns] of Object.entries(TABLES)) {
      const list: object[] = await source.query(`SELECT ${columns} FROM wp_${name}`);
      all[name] = list.map((row) => JSON.stringify(row)).sort();
    }
    const options: { option_name: string; option_value: string }[] = await source.query(
      'SELECT option_name, option_value FROM wp_options ORDER BY option_name',
    );
    all['options'] = options
      .filter((option) => !MOVED.includes(option.option_name))
      .map((option) => JSON.stringify(option));
    return all;
  };

  const putBack = async (options: readonly Option[]) => {
    await source.query('DELETE FROM wp_options');
    for (const { option_id, option_name, option_value, autoload } of options)
      await source.query(
        'INSERT INTO wp_options (option_id, option_name, option_value, autoload) VALUES (?, ?, ?, ?)',
        [option_id, option_name, option_value, autoload],
      );
  };

  it('reports the findings of the recorded site and repairs them', async () => {
    const { facts, findings, healthy } = await look();
    expect(facts).toMatchObject({
      table_prefix: 'wp_',
      name: 'Corpus & Calendar',
      home: 'http://calendar.example.org',
      time_zone: 'America/New_York',
      permalinks: '/%postname%/',
      records: { events: 150, venues: 25, organizers: 18 },
      migration: 'migration-not-required',
    });
    expect(facts.server).toMatch(database !== 'SQLite' ? /^(MariaDB|MySQL) \d+\.\d+/ : /^SQLite, /);
    const isServer = database !== 'SQLite';
    const { user, sql_mode, collation, tables } = facts;
    expect([user, sql_mode, collation].map((fact) => typeof fact)).toEqual(
      Array(3).fill(isServer ? 'string' : 'undefined'),
    );
    expect(tables).toHaveLength(isServer ? SITE_TABLES.length : 0);
    expect(tables.every(({ bytes }) => bytes > 0)).toBe(true);
    expect(findings.filter(({ kind }) => kind === 'indexes').map(({ name, count }) => [name, count])).toEqual(
      isServer ? [['indexes-missing', 3]] : [],
    );
    // A venue that was deleted permanently before the recording.
    expect([healthy, named(findings)]).toEqual([false, ['links-venue: 9']]);
    expect(findings.find(({ kind }) => kind === 'links')).toEqual({
      kind: 'links',
      name: 'links-venue',
      severity: 'warning',
      what: '9 links of events to venues that do not exist',
      count: 9,
      examples: [129, 152, 198, 200, 212],
      why: expect.any(String),
      advice: expect.stringContaining('almanac doctor --fix links'),
      fixable: true,
    });
    const before = await rows();
    await fix('links', yes, { env, now });
    const after = await rows();
    expect(before['postmeta']?.filter((row) => !after['postmeta']?.includes(row))).toHaveLength(9);
    expect({ ...after, postmeta: [] }).toEqual({ ...before, postmeta: [] });
    expect((await look()).healthy).toBe(true);
  });

  const damages = DAMAGES.filter(({ only }) => only === undefined || only === database);
  for (const { damage, plant, finds, kind, leaves, undo = [] } of damages)
    it(`finds ${damage}${kind ? ', and mends it' : ''}`, async () => {
      const undamaged = await rows();
      const options: Option[] = await source.query('SELECT * FROM wp_options');
      await run(plant);
      const seeded = await rows();
      try {
        expect(await found()).toEqual(finds);
        if (kind) {
          // Nothing is written without confirmation.
          await fix(kind, async () => false, { env, now });
          expect(await rows()).toEqual(seeded);
          expect(await fix(kind, yes, { env, now })).toMatchObject({ kind, done: expect.any(String) });
        }
        expect(await found()).toEqual(kind ? [] : finds);
        if (kind && !leaves) expect(await rows()).toEqual(undamaged);
        if (leaves) {
          const before = new Set(Object.values(undamaged).flat());
          const added = Object.values(await rows())
            .flat()
            .filter((row) => !before.has(row));
          expect(added).toEqual([expect.stringContaining(leaves)]);
        }
        if (kind) expect(await fix(kind, yes, { env, now })).toEqual({ kind, findings: [] });
      } finally {
        await run(undo);
        await putBack(options);
      }
      expect(await rows()).toEqual(undamaged);
    });

  it('says whether recurring events are written, and why', async () => {
    const options: Option[] = await source.query('SELECT * FROM wp_options');
    await run([
      "INSERT INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) VALUES (900001, 54, '_almanac_recurrence', 'RRULE:FREQ=DAILY;COUNT=1')",
      "DELETE FROM wp_options WHERE option_name = 'cron'",
    ]);
    const said = async (mode?: string) => {
      const own = { DATABASE_URL: site.url, ...(mode && { RECURRENCE: mode }) };
      const { findings } = await doctor({ env: readEnvironment(own), now });
      return findings.filter(({ kind }) => kind === 'series').map(({ name, what }) => `${name}: ${what}`);
    };
    const alone = [await said(), await said('on'), await said('off')];
    const task = `a:1:{i:${Math.floor(now / 1000)};a:1:{s:16:"wp_version_check";a:0:{}}}`;
    await run([
      `INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('cron', '${task}', 'on')`,
    ]);
    const beside = await said();
    await run(['DELETE FROM wp_postmeta WHERE meta_id = 900001']);
    await putBack(options);
    const recurs = '1 event that recurs; writing such events is';
    expect([...alone, beside]).toEqual([
      [`series-written: ${recurs} on: no PHP runs on this database`],
      [`series-written: ${recurs} on: RECURRENCE=on`],
      [`series-off: ${recurs} off: RECURRENCE=off`],
      [`series-off: ${recurs} off: PHP runs on this database`],
    ]);
  });

  it('explains missing custom tables, creates and fills them; the server warns before that', async () => {
    const undamaged = await rows();
    await run(['DROP TABLE wp_tec_events', 'DROP TABLE wp_tec_occurrences']);
    await expect(startApp({ databaseUrl: site.url })).rejects.toThrow(/"almanac doctor" says/);
    expect(await found()).toEqual(['tables-calendar: 2']);
    await expect(fix('occurrences', yes, { env, now })).rejects.toThrow(
      new StartError(
        'Could not check: wp_tec_events, wp_tec_occurrences missing. "almanac doctor" tells what to do.',
      ),
    );
    expect((await fix('tables', yes, { env, now })).done).toBe(
      'Made wp_tec_events and wp_tec_occurrences, empty.',
    );
    expect(await found()).toEqual(['occurrences-none: 150']);
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const app = await startApp({ databaseUrl: site.url });
    const said = warn.mock.calls.map(([line]) => String(line)).filter((line) => /event/.test(line));
    warn.mockRestore();
    await app.close();
    expect(said).toEqual([expect.stringMatching(/^There are events, but .* run "almanac doctor"\.$/)]);
    await fix('occurrences', yes, { env, now });
    expect((await look()).healthy).toBe(true);
    expect(await rows()).toEqual(undamaged);
  });

  if (database !== 'SQLite')
    it('names the privileges that the database user lacks', async () => {
      const user = `doctor_${process.pid}`;
      const reader = new URL(site.url);
      const name = reader.pathname.slice(1);
      reader.username = user;
      reader.password = '';
      const ofUser = async () =>
        (await doctor({ env: withEnv(reader.href), now })).findings.filter(({ kind }) => kind !== 'indexes');
      const grant = (rights: string, table: string) => `GRANT ${rights} ON ${name}.${table} TO ${user}`;
      try {
        await run([`CREATE USER ${user}`, grant('SELECT', '*')]);
        const readOnly = await ofUser();
        expect(named(readOnly)).toEqual(['grants-read-only: 28']);
        expect(readOnly[0]?.severity).toBe('warning');
        await run(['UPDATE wp_term_taxonomy SET count = count + 1 WHERE term_taxonomy_id = 2']);
        const seeded = await rows();
        await expect(fix('counts', yes, { env: withEnv(reader.href), now })).rejects.toThrow(
          new StartError(
            'The database may only be read, by the rights of its user or READ_ONLY: nothing was written.',
          ),
        );
        expect(await rows()).toEqual(seeded);
        await fix('counts', yes, { env, now });
        await run([`REVOKE ALL, GRANT OPTION FROM ${user}`]);
        const whole = SITE_TABLES.filter((table) => table !== 'postmeta' && table !== 'term_relationships');
        await run(whole.map((table) => grant('SELECT, INSERT, UPDATE, DELETE', `wp_${table}`)));
        await run([grant('SELECT, UPDATE, DELETE', 'wp_postmeta'), grant('INSERT', 'wp_term_relationships')]);
        const partly = await ofUser();
        await expect(fix('counts', yes, { env: withEnv(reader.href), now })).rejects.toThrow(
          /^Could not look for/,
        );
        expect(named(partly)).toEqual(['grants-read: 1', 'grants-write: 3']);
        expect(partly.flatMap(({ examples }) => examples)).toEqual([
          'SELECT on wp_term_relationships',
          'INSERT on wp_postmeta',
          'UPDATE on wp_term_relationships',
          'DELETE on wp_term_relationships',
        ]);
      } finally {
        await run([`DROP USER ${user}`]);
      }
    });

  if (database !== 'SQLite')
    it('writes nothing where it cannot write everything', async () => {
      const user = `doctor_half_${process.pid}`;
      const half = new URL(site.url);
      half.username = user;
      half.password = '';
      const name = half.pathname.slice(1);
      const undamaged = await rows();
      const writable = SITE_TABLES.filter((table) => table !== 'tec_occurrences');
      try {
        await run([`CREATE USER ${user}`, `GRANT SELECT ON ${name}.* TO ${user}`]);
        await run(writable.map((table) => `GRANT INSERT, UPDATE, DELETE ON ${name}.wp_${table} TO ${user}`));
        await run(DAMAGES.find(({ damage }) => /wrong in meta and tables alike/.test(damage))?.plant ?? []);
        const seeded = await rows();
        expect(seeded).not.toEqual(undamaged);
        await expect(fix('dates', yes, { env: withEnv(half.href), now })).rejects.toThrow(
          /nothing was written/,
        );
        expect(await rows()).toEqual(seeded);
        await fix('dates', yes, { env, now });
      } finally {
        await run([`DROP USER ${user}`]);
      }
      expect(await rows()).toEqual(undamaged);
    });

  it('says why it cannot check', async () => {
    await expect(doctor({ env: withEnv('mysql://root@127.0.0.1:1/site') })).rejects.toThrow(
      new StartError(
        'The database cannot be reached: nothing listens at 127.0.0.1:1. It was tried once: try again when it is there.',
      ),
    );
    const other = readEnvironment({ DATABASE_URL: site.url, TABLE_PREFIX: 'blog_' });
    await expect(doctor({ env: other })).rejects.toThrow(/is TABLE_PREFIX "wp_"\?/);
    const empty = await makeEmpty(database);
    const nothing =
      database !== 'SQLite'
        ? 'The database is empty: there is no site in it.'
        : `There is no database yet: ${empty.url.replace('sqlite:', '')} does not exist.`;
    await expect(doctor({ env: withEnv(empty.url) })).rejects.toThrow(new StartError(nothing));
    await empty.drop();
    await expect(fix('slugs', yes, { env })).rejects.toThrow(new StartError('There is no fix for "slugs".'));
  });
});

(serverMissing() ? describe.skip : describe)('almanac doctor on a server', () => {
  it('reports a database that is read-only and limits statement time', async () => {
    const mariadb = await startOwnServer(SERVER);
    try {
      await mariadb.ask('SET GLOBAL read_only = 1');
      await mariadb.ask(`SET GLOBAL max_allowed_packet = ${4 * 1024 * 1024}`);
      const { findings } = await doctor({ env: readEnvironment({ DATABASE_URL: mariadb.url }), now });
      const ofServer = findings.filter(({ kind }) => kind === 'server');
      expect(ofServer.map(({ name, what }) => [name, what])).toEqual([
        ['server-read-only', 'The server takes no writes (read_only is on)'],
        ['server-packet', 'The server takes statements of at most 4,096 KB (max_allowed_packet)'],
      ]);
    } finally {
      await mariadb.kill();
    }
  });
});

describeEither('almanac doctor on a site of unusual records', (database) => {
  it('reports unusual records, repairs what it says it can, and then reports only the rest', async () => {
    const site = await makeSite(database, SITE_D);
    const env = readEnvironment({ DATABASE_URL: site.url });
    try {
      expect(named((await doctor({ env, now })).findings)).toEqual([
        'occurrences-missing: 3',
        'occurrences-stale: 951',
        'occurrences-orphaned: 4',
        'dates-unreadable: 115',
        'dates-reversed: 4',
        'dates-utc: 191',
        'links-venue: 56',
        'links-organizer: 60',
        // SQLite distinguishes accents.
        `slugs-shared: ${database !== 'SQLite' ? 4 : 3}`,
      ]);
      for (const kind of ['occurrences', 'dates', 'links']) await fix(kind, async () => true, { env, now });
      expect(named((await doctor({ env, now })).findings).map((line) => line.split(':')[0])).toEqual([
        'dates-unreadable',
        'dates-reversed',
        'slugs-shared',
      ]);
    } finally {
      await site.drop();
    }
  });
});
