import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { checkPassword } from '../../src/auth/password-hash.js';
import { checkSlowHash } from '../../src/auth/slow-hash.js';
import { program } from '../../src/cli/program.js';
import { Terminal } from '../../src/cli/terminal.js';
import { serialize, unserialize } from '../../src/lib/wordpress-text/php-serialize.js';
import { startApp, type TestApp } from '../support/app.js';
import { almanac, type Ended } from '../support/command.js';
import { describeDatabases, makeSite, type Site } from '../support/sites.js';
import { testFolder } from '../support/test-folder.js';

type RestException = [words: string[], code: number, message: string | RegExp, input?: string];

describeDatabases('almanac user and almanac site', (database) => {
  let site: Site;
  let app: TestApp;
  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, env: { RATE_LIMIT: 'off' } });
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  const run = (...words: string[]) => almanac(site.url, words);
  const requested = (input: string, ...words: string[]) => almanac(site.url, words, input);
  const json = async <T>(...words: string[]): Promise<T> => JSON.parse((await run(...words, '--json')).out);
  const rows = (statement: string): Promise<Record<string, unknown>[]> => app.dataSource.query(statement);
  const status = async (login: string, password: string) => {
    const credentials = Buffer.from(`${login}:${password}`).toString('base64');
    const answer = await fetch(`${app.url}/cal/events/v1/events?status=draft`, {
      headers: { Authorization: `Basic ${credentials}` },
    });
    return answer.status;
  };
  const state = async () =>
    JSON.stringify([
      await rows('SELECT * FROM wp_users ORDER BY ID'),
      await rows('SELECT * FROM wp_usermeta ORDER BY umeta_id'),
      await rows('SELECT * FROM wp_options ORDER BY option_id'),
    ]);
  /** Runs commands that must be rejected with these codes and messages, and leave every row unchanged. */
  const rejected = async (cases: readonly RestException[]) => {
    const before = await state();
    for (const [words, code, message, input] of cases) {
      const ended = await almanac(site.url, words, input);
      expect([words, ended.code, ended.out]).toEqual([words, code, '']);
      if (typeof message === 'string') expect(ended.err).toBe(`${message}\n`);
      else expect(ended.err).toMatch(message);
    }
    expect(await state()).toBe(before);
  };
  const secret = ({ out }: Ended) => /is "?([A-Za-z0-9 ]+?)"? and is not shown again/.exec(out)?.[1] ?? '';

  it('lists users by page, search and role', async () => {
    const all = await json<{ users: { login: string; roles: string[] }[]; total: number }>('user', 'list');
    expect(all.users.map(({ login }) => login).slice(0, 3)).toEqual(['admin', 'editor1', 'author1']);
    expect(all.users[0]).toEqual({
      id: 1,
      login: 'admin',
      email: 'admin@example.org',
      name: 'admin',
      roles: ['administrator'],
      application_passwords: 1,
    });
    const second = await json<typeof all>('user', 'list', '--page', '2', '--per-page', '2');
    expect(second.users.map(({ login }) => login)).toEqual(all.users.slice(2, 4).map(({ login }) => login));
    expect(second.total).toBe(all.total);
    const editors = await json<typeof all>('user', 'list', '--role', 'editor', '--search', 'EDITOR1@');
    expect(editors.users.map(({ login }) => login)).toEqual(['editor1']);
    expect((await json<typeof all>('user', 'list', '--search', '%')).total).toBe(0);
    expect((await run('user', 'list', '--per-page', '1')).out).toBe(
      `1  admin  <admin@example.org>  admin: administrator, application passwords: 1\nPage 1 of ${all.total}, ${all.total} in all.\n`,
    );
    expect((await run('user', 'list')).out).not.toContain('$');
  });

  it('creates users as WordPress does, with a password that is printed once', async () => {
    const ended = await run(
      'user',
      'create',
      'mara.holt',
      'mara@example.org',
      '--role',
      'editor',
      '--name',
      'Mara <b>Holt</b>',
    );
    expect(ended.code).toBe(0);
    const [user] = await rows("SELECT * FROM wp_users WHERE user_login = 'mara.holt'");
    expect(user).toMatchObject({
      user_nicename: 'mara-holt',
      user_email: 'mara@example.org',
      display_name: 'Mara Holt',
      user_url: '',
      user_activation_key: '',
    });
    expect(String(user?.['user_pass'])).toMatch(/^\$wp\$2y\$10\$[./A-Za-z0-9]{53}$/);
    expect(
      await checkPassword(secret(ended), String(user?.['user_pass']), async ({ password, hash }) =>
        checkSlowHash(password, hash),
      ),
    ).toBe(true);
    const [, forEditor = ''] =
      /Sign in at \/editor as "mara\.holt" with the application password "([^"]+)"/.exec(ended.out) ?? [];
    expect(await status('mara.holt', forEditor)).toBe(200);
    const names = (id: number) =>
      rows(
        `SELECT meta_key AS k FROM wp_usermeta WHERE user_id = ${id} AND meta_key NOT IN ('dismissed_wp_pointers', '_application_passwords') ORDER BY umeta_id`,
      );
    expect(await names(Number(user?.['ID']))).toEqual(await names(2));
    const meta = await rows(
      `SELECT meta_key AS k, meta_value AS v FROM wp_usermeta WHERE user_id = ${Number(user?.['ID'])}`,
    );
    const value = (key: string) => meta.find(({ k }) => k === key)?.['v'];
    expect([value('wp_capabilities'), value('wp_user_level'), value('nickname')]).toEqual([
      'a:1:{s:6:"editor";b:1;}',
      '7',
      'mara.holt',
    ]);
  });

  it('reads a password from standard input, and prints it nowhere', async () => {
    const ended = await requested(
      'corr3ct horse',
      'user',
      'create',
      'jonas',
      'jonas@example.org',
      '--role',
      'author',
      '--ask',
      '--json',
    );
    expect(ended.code).toBe(0);
    expect(Object.keys(JSON.parse(ended.out))).toEqual(['id', 'login']);
    expect(ended.out + ended.err).not.toContain('corr3ct');
    const [user] = await rows("SELECT user_pass AS p FROM wp_users WHERE user_login = 'jonas'");
    expect(checkSlowHash('corr3ct horse', String(user?.['p']))).toBe(true);
  });

  it('sets passwords, and ends sessions and pending resets', async () => {
    await rows(
      "INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (3, 'session_tokens', 'a:0:{}')",
    );
    await rows("UPDATE wp_users SET user_activation_key = '1:reset' WHERE ID = 3");
    const ended = await run('user', 'password', 'author1@example.org');
    expect(ended.code).toBe(0);
    const [user] = await rows('SELECT user_pass AS p, user_activation_key AS k FROM wp_users WHERE ID = 3');
    expect(user?.['k']).toBe('');
    expect(checkSlowHash(secret(ended), String(user?.['p']))).toBe(true);
    expect(await rows("SELECT 1 FROM wp_usermeta WHERE user_id = 3 AND meta_key = 'session_tokens'")).toEqual(
      [],
    );
  });

  it('writes password hashes of older WordPress versions', async () => {
    await rows("UPDATE wp_options SET option_value = '58975' WHERE option_name = 'db_version'");
    const ended = await run('user', 'password', 'author1');
    const created = await json<{ password: string }>(
      'user',
      'app-password',
      'create',
      'author1',
      '--name',
      'old',
    );
    await rows("UPDATE wp_options SET option_value = '60421' WHERE option_name = 'db_version'");
    const [user] = await rows('SELECT user_pass AS p FROM wp_users WHERE ID = 3');
    expect(String(user?.['p'])).toMatch(/^\$P\$B.{30}$/);
    expect(checkSlowHash(secret(ended), String(user?.['p']))).toBe(true);
    expect(await status('author1', created.password)).toBe(200);
    expect(await status('author1', 'wrong')).toBe(401);
  });

  it('creates application passwords that work at once, lists them, and revokes them', async () => {
    const ended = await run('user', 'app-password', 'create', 'editor1', '--name', 'Box office');
    const password = secret(ended);
    expect(password).toMatch(/^([A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}$/);
    expect(await status('editor1', password)).toBe(200);
    const listed = await json<{ uuid: string; name: string; last_used: string | null }[]>(
      'user',
      'app-password',
      'list',
      'editor1',
    );
    expect(listed.map(({ name }) => name)).toEqual(['corpus', 'Box office']);
    expect(listed[1]?.last_used).toMatch(/^2091-03-01T/);
    const [stored] = await rows(
      "SELECT meta_value AS v FROM wp_usermeta WHERE user_id = 2 AND meta_key = '_application_passwords'",
    );
    expect(String(stored?.['v'])).toMatch(
      /^a:2:\{i:0;a:7:\{.*i:1;a:7:\{s:4:"uuid";s:36:"[0-9a-f-]{36}";s:6:"app_id";s:0:"";s:4:"name";s:10:"Box office";s:8:"password";s:49:"\$generic\$/,
    );
    expect(JSON.stringify(listed) + (await run('user', 'app-password', 'list', 'editor1')).out).not.toContain(
      '$',
    );
    expect((await run('user', 'app-password', 'revoke', 'editor1', listed[1]?.uuid ?? '')).out).toBe(
      'Application passwords taken back: 1.\n',
    );
    expect(await status('editor1', password)).toBe(401);
    expect((await run('user', 'app-password', 'revoke', 'author1', '--all')).out).toBe(
      'Application passwords taken back: 2.\n',
    );
    expect((await run('user', 'app-password', 'list', 'author1')).out).toBe(
      '"author1" has no application password.\n',
    );
  });

  it('changes roles, of the last administrator only with --force', async () => {
    await rows(
      `UPDATE wp_usermeta SET meta_value = 'a:2:{s:6:"author";b:1;s:10:"edit_pages";b:1;}' WHERE user_id = 3 AND meta_key = 'wp_capabilities'`,
    );
    const rights = async (id: number) =>
      (
        await rows(
          `SELECT meta_value AS v FROM wp_usermeta WHERE user_id = ${id} AND meta_key IN ('wp_capabilities', 'wp_user_level') ORDER BY umeta_id`,
        )
      ).map(({ v }) => v);
    expect((await run('user', 'role', 'author1', 'administrator')).code).toBe(0);
    expect(await rights(3)).toEqual(['a:2:{s:13:"administrator";b:1;s:10:"edit_pages";b:1;}', '10']);
    expect((await run('user', 'role', 'author1', 'author')).code).toBe(0);
    expect(await rights(3)).toEqual(['a:2:{s:6:"author";b:1;s:10:"edit_pages";b:1;}', '2']);
    await rejected([
      [
        ['user', 'role', 'admin', 'editor'],
        1,
        '"admin" is the last administrator: add --force if none should remain.',
      ],
    ]);
    expect((await run('user', 'role', 'admin', 'editor', '--force')).code).toBe(0);
    expect((await run('user', 'role', 'admin', 'administrator')).code).toBe(0);
    expect(await rights(1)).toEqual(['a:1:{s:13:"administrator";b:1;}', '10']);
  });

  it('rejects invalid input, and writes nothing', async () => {
    const noUser = 'There is no user with the login or e-mail address "nobody".';
    await rows(
      "UPDATE wp_usermeta SET meta_value = 'O:8:\"stdClass\":0:{}' WHERE user_id = 5 AND meta_key = '_application_passwords'",
    );
    await rejected([
      [['user', 'create', 'näme', 'x@example.org', '--role', 'editor'], 1, /^A login name has/],
      [['user', 'create', 'x'.repeat(61), 'x@example.org', '--role', 'editor'], 1, /^A login name has/],
      [
        ['user', 'create', 'x', 'no address', '--role', 'editor'],
        1,
        '"no address" is not an e-mail address.',
      ],
      [
        ['user', 'create', 'ADMIN', 'x@example.org', '--role', 'editor'],
        1,
        'There is a user "ADMIN" already.',
      ],
      [
        ['user', 'create', 'x', 'Admin@example.org', '--role', 'editor'],
        1,
        'There is a user with the e-mail address Admin@example.org already.',
      ],
      [
        ['user', 'create', 'x', 'x@example.org', '--role', 'king'],
        1,
        /^There is no role "king" on this site. There are: administrator, editor/,
      ],
      [
        ['user', 'create', 'x', 'x@example.org', '--role', 'editor', '--ask'],
        1,
        /^A password has at least 8/,
        'short\n',
      ],
      [
        ['user', 'password', 'admin', '--ask'],
        1,
        'A password neither begins nor ends with a blank.',
        ' long enough \n',
      ],
      [['user', 'password', 'nobody'], 1, noUser],
      [['user', 'role', 'nobody', 'editor'], 1, noUser],
      [['user', 'role', 'admin', 'king'], 1, /^There is no role "king"/],
      [['user', 'app-password', 'list', 'nobody'], 1, noUser],
      [['user', 'app-password', 'create', 'nobody'], 1, noUser],
      [
        ['user', 'app-password', 'create', 'editor1', '--name', 'Corpus'],
        1,
        /^"editor1" has an application password "Corpus" already/,
      ],
      [
        ['user', 'app-password', 'create', 'editor1', '--name', ' '],
        1,
        /^The name of an application password/,
      ],
      [
        ['user', 'app-password', 'create', 'subscriber1'],
        1,
        'The usermeta _application_passwords has an unknown format, so it is left unchanged.',
      ],
      [
        ['user', 'app-password', 'revoke', 'editor1', 'nothing'],
        1,
        '"editor1" has no application password "nothing".',
      ],
      [['user', 'app-password', 'revoke', 'editor1'], 2, /name one, or add --all/],
      [['user', 'list', '--role', 'king'], 1, /^There is no role/],
      [['user', 'list', '--per-page', '501'], 2, /It must be a whole number from 1 to 500/],
      [['user', 'create', 'x', 'x@example.org'], 2, /required option '--role <role>'/],
      [
        ['user', 'create', 'x', 'x@example.org', '--role', 'editor', '--password', 'secret'],
        2,
        /unknown option '--password'/,
      ],
    ]);
  });

  it('shows and sets the name and address of the site', async () => {
    const value = async (key: string) => (await run('site', 'show', key)).out;
    expect(await value('name')).toBe('Corpus & Calendar\n');
    const listed = await json<{ name: string; stored: string }[]>('site', 'show');
    expect(listed.map(({ name }) => name)).toContain('currency-position');
    const option = async (name: string) =>
      (await rows(`SELECT option_value AS v FROM wp_options WHERE option_name = '${name}'`))[0]?.['v'];
    await rows(
      "INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('rewrite_rules', 'a:0:{}', 'on')",
    );
    const before = unserialize(String(await option('tribe_events_calendar_options')));
    for (const [key, given, name, stored] of [
      ['name', 'Hall & "Court"', 'blogname', 'Hall &amp; &quot;Court&quot;'],
      ['home', 'https://hall.example.org/site/', 'home', 'https://hall.example.org/site'],
      ['timezone', 'UTC-3:30', 'gmt_offset', '-3.5'],
      ['timezone', 'UTC-3:30', 'timezone_string', ''],
      ['timezone', 'asia/tokyo', 'timezone_string', 'Asia/Tokyo'],
      ['timezone', 'Asia/Tokyo', 'gmt_offset', ''],
      ['language', 'de_DE', 'WPLANG', 'de_DE'],
      ['language', 'en_US', 'WPLANG', ''],
      ['week-starts', '1', 'start_of_week', '1'],
      ['admin-email', 'desk@example.org', 'admin_email', 'desk@example.org'],
      ['permalinks', '/%year%/%postname%/', 'permalink_structure', '/%year%/%postname%/'],
      ['date-format', 'd.m.Y', 'date_format', 'd.m.Y'],
    ] as const) {
      expect((await run('site', 'set', key, given)).code).toBe(0);
      expect([key, await option(name)]).toEqual([key, stored]);
    }
    expect(await option('rewrite_rules')).toBe('');
    for (const [key, given] of [
      ['currency-symbol', '£'],
      ['currency-code', 'GBP'],
      ['currency-position', 'suffix'],
      ['events-slug', 'termine'],
      ['event-slug', 'termin'],
    ] as const) {
      expect((await run('site', 'set', key, given)).code).toBe(0);
      expect(await value(key)).toBe(`${given}\n`);
    }
    const after = String(await option('tribe_events_calendar_options'));
    const map = unserialize(after);
    if (!(map instanceof Map) || !(before instanceof Map)) throw new Error('no map');
    const expected = new Map([
      ...before,
      ['defaultCurrencySymbol', '£'],
      ['defaultCurrencyCode', 'GBP'],
      ['reverseCurrencyPosition', true],
      ['eventsSlug', 'termine'],
      ['singleEventSlug', 'termin'],
    ]);
    expect(after).toBe(serialize(expected as Parameters<typeof serialize>[0]));
    // The running server applies it.
    app.clock.pass(2000);
    const answer = await fetch(`${app.url}/cal/events/v1/events?per_page=1&starts_after=1990-01-01`);
    const list = (await answer.json()) as { events: { url: string }[] };
    expect(list.events[0]?.url).toContain('https://hall.example.org/site/');
    expect(list.events[0]?.url).toContain('/termin/');
    for (const [locale, says] of [
      ['xx_YY', /^No language xx_YY is known here: pages and dates stay in English\./],
      ['de_YY', /^No language de_YY is known here/],
      ['de_DE_formal', /^WordPress speaks it once/],
      ['ckb', /^WordPress speaks it once/],
    ] as const)
      expect((await run('site', 'set', 'language', locale)).err).toMatch(says);
    expect((await run('site', 'set', 'event-slug', 'termin')).out).toBe('event-slug was "termin" already.\n');
  });

  it('rejects invalid settings, and writes nothing', async () => {
    await rejected([
      [['site', 'show', 'colour'], 1, /^There is no setting "colour". There are: name, description/],
      [['site', 'set', 'colour', 'red'], 1, /^There is no setting "colour"/],
      [
        ['site', 'set', 'name', ' '],
        1,
        '" " is not valid for name, which takes a line of at most 200 characters.',
      ],
      [['site', 'set', 'home', 'example.org'], 1, /is not valid for home, which takes an http/],
      [['site', 'set', 'home', 'https://example.org/?a=1'], 1, /is not valid for home/],
      [['site', 'set', 'home', 'https://example.org/sub dir'], 1, /is not valid for home/],
      [['site', 'set', 'timezone', 'Mars/Olympus'], 1, /is not valid for timezone/],
      [['site', 'set', 'timezone', 'UTC+19'], 1, /is not valid for timezone/],
      [['site', 'set', 'language', 'German'], 1, /is not valid for language/],
      [['site', 'set', 'week-starts', '7'], 1, /is not valid for week-starts/],
      [['site', 'set', 'currency-code', 'euro'], 1, /is not valid for currency-code/],
      [['site', 'set', 'currency-position', 'left'], 1, /is not valid for currency-position/],
      [['site', 'set', 'events-slug', 'Términe'], 1, /is not valid for events-slug/],
      ...[
        ['event-slug', 'termine'],
        ['events-slug', 'termin'],
        ['event-slug', 'tag'],
        ['event-slug', 'wp-json'],
        ['event-slug', 'cal'],
      ].map(
        ([key = '', word = '']): RestException => [
          ['site', 'set', key, word],
          1,
          `"${word}" is not valid for ${key}: other addresses of the site begin with it.`,
        ],
      ),
      [['site', 'set', 'permalinks', '/%year%/'], 1, /is not valid for permalinks/],
      [['site', 'set', 'day-cutoff', '24:00'], 1, /is not valid for day-cutoff/],
      [['site', 'set', 'name'], 2, /missing required argument 'value'/],
    ]);
    await rows(
      "UPDATE wp_options SET option_value = 'O:8:\"stdClass\":0:{}' WHERE option_name = 'tribe_events_calendar_options'",
    );
    await rejected([
      [
        ['site', 'set', 'currency-code', 'EUR'],
        1,
        /cannot be read and written back without loss: it is left as it is/,
      ],
    ]);
  });

  it('creates no SQLite file where none exists', async () => {
    const path = join(testFolder(), 'mistyped', 'site.db');
    for (const words of [
      ['site', 'show'],
      ['export'],
      ['seed', '--yes'],
      ['migrate', '--list'],
      ['user', 'list'],
    ])
      expect([words, await almanac(`sqlite:${path}`, words)]).toEqual([
        words,
        { code: 1, out: '', err: `There is no database yet: ${path} does not exist.\n` },
      ]);
    expect(existsSync(dirname(path))).toBe(false);
  });

  it('prints help for each command, and each result as JSON', async () => {
    const below = (command: Command, words: string[] = []): [string[], boolean][] => [
      [words, command.commands.length === 0],
      ...command.commands.flatMap((one) => below(one, [...words, one.name()])),
    ];
    const all = below(await program(new Terminal()));
    expect(all.length).toBeGreaterThan(20);
    for (const [words, isLast] of all) {
      const { code, out } = await run(...words, '--help');
      expect([words, code, out.split('\n')[0], out.includes('--json')]).toEqual([
        words,
        0,
        expect.stringContaining(['Usage: almanac', ...words].join(' ')),
        isLast,
      ]);
    }
  });
});
