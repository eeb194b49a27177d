import { RECORDED_NOW, startApp, type TestApp } from './support/app.js';
import { basic, credentials } from './support/calendar-client.js';
import { loginCookie, nonceHeader, SECRETS, sessionTokens } from './support/login-cookie.js';
import { type Ask, askOf, type ProtocolResponse } from './support/protocol-client.js';
import { loadRecording } from './support/replay.js';
import { describeEither, makeSite, type Site } from './support/sites.js';

const BASE = '/cal/events/v1';
const NOW = Date.parse(RECORDED_NOW) / 1000;
const HOME = 'http://calendar.example.org';
const { users } = loadRecording('site-a/write');
const EDITOR = users['editor']?.password ?? '';

/** A list that only those who may edit events get. */
const DRAFTS = `${BASE}/events?status=draft`;

const said = ({ status, body }: ProtocolResponse) => [status, body['code']];

describeEither('signing in', (database) => {
  let site: Site;
  let app: TestApp;
  let ask: Ask;
  /** Servers of single tests. */
  const extra: TestApp[] = [];

  const start = async (env: Record<string, string>) => {
    const started = await startApp({ databaseUrl: site.url, env: { ...SECRETS, ...env } });
    extra.push(started);
    return askOf(started.url);
  };
  const run = (sql: string) => app.dataSource.query(sql);

  beforeAll(async () => {
    site = await makeSite(database);
    app = await startApp({ databaseUrl: site.url, env: { RATE_LIMIT: 'off', ...SECRETS } });
    ask = askOf(app.url);
  });
  afterEach(async () => {
    for (const one of extra.splice(0)) await one.close();
  });
  afterAll(async () => {
    await app?.close();
    await site?.drop();
  });

  describe('application passwords', () => {
    it.each([
      ['login', 'editor1', EDITOR],
      ['login in other letter case', 'EDITOR1', EDITOR],
      ['password as WordPress shows it', 'editor1', EDITOR.replace(/(.{4})/g, '$1 ')],
      ['other characters in the password', 'editor1', `-${EDITOR}é`],
    ])('%s', async (_, login, password) => {
      expect((await ask(DRAFTS, { headers: basic(login, password) })).status).toBe(200);
    });

    it('e-mail address', async () => {
      const [{ email }] = await run('SELECT user_email AS email FROM wp_users WHERE ID = 2');
      expect((await ask(DRAFTS, { headers: basic(email, EDITOR) })).status).toBe(200);
    });

    it.each([
      ['another password', 'editor1', 'wrong', 'incorrect_password'],
      ['another letter case', 'editor1', EDITOR.toLowerCase(), 'incorrect_password'],
      ["somebody else's password", 'author1', EDITOR, 'incorrect_password'],
      ['nobody', 'nobody', EDITOR, 'invalid_username'],
      ['no login', '', EDITOR, 'invalid_username'],
      ["nobody's e-mail address", 'nobody@example.org', EDITOR, 'invalid_email'],
    ])('%s fails everywhere, unknown routes and OPTIONS too', async (_, login, password, code) => {
      for (const [method, path] of [
        ['GET', '/tags'],
        ['GET', '/nope'],
        ['OPTIONS', '/tags'],
        ['POST', '/events'],
      ]) {
        const answer = await ask(`${BASE}${path}`, { method, headers: basic(login, password) });
        expect(said(answer)).toEqual([401, code]);
        expect(answer.body['data']).toEqual({ status: 401 });
        expect([answer.headers['allow'], answer.headers['www-authenticate']]).toEqual([undefined, undefined]);
      }
    });

    it.each(['Bearer abc', 'Basic', 'Basic %%%', `Basic ${btoa('no colon')}`, `Basic ${btoa('editor1:')}`])(
      '%s is nobody',
      async (authorization) => {
        const answer = await ask(`${BASE}/venues`, { headers: { Authorization: authorization } });
        expect([answer.status, answer.headers['allow'], answer.headers['expires']]).toEqual([
          200,
          'GET',
          undefined,
        ]);
      },
    );

    it('no nonce is looked at', async () => {
      const headers = { ...credentials('editor'), 'X-WP-Nonce': 'bad' };
      const answer = await ask(DRAFTS, { headers });
      expect([answer.status, answer.headers['x-wp-nonce']]).toEqual([200, undefined]);
    });

    it('the last use is noted once a day', async () => {
      const read = async () => {
        const [row] = await run(
          "SELECT meta_value AS value FROM wp_usermeta WHERE user_id = 5 AND meta_key = '_application_passwords'",
        );
        return row.value as string;
      };
      expect(await read()).toContain('s:9:"last_used";N;s:7:"last_ip";N;');
      await ask(`${BASE}/tags`, { as: 'subscriber' });
      const noted = await read();
      expect(noted).toMatch(
        new RegExp(`"last_used";i:${String(NOW).slice(0, 6)}\\d{4};s:7:"last_ip";s:9:"127.0.0.1";`),
      );
      app.clock.pass(1100);
      await ask(`${BASE}/tags`, { as: 'subscriber' });
      expect(await read()).toBe(noted);
    });

    it('a revoked password stops working at once', async () => {
      const where = "user_id = 4 AND meta_key = '_application_passwords'";
      const drafts = () => ask(DRAFTS, { as: 'contributor' });
      expect((await drafts()).status).toBe(200);
      const [{ value }] = await run(`SELECT meta_value AS value FROM wp_usermeta WHERE ${where}`);
      await run(`UPDATE wp_usermeta SET meta_value = 'a:0:{}' WHERE ${where}`);
      expect(said(await drafts())).toEqual([401, 'incorrect_password']);
      await run(`UPDATE wp_usermeta SET meta_value = '${value}' WHERE ${where}`);
      expect((await drafts()).status).toBe(200);
    });
  });

  describe('login cookie', () => {
    let cookie: Record<string, string>;
    const good = nonceHeader(1, NOW, 0);
    const nonce = good['X-WP-Nonce'] ?? '';

    beforeAll(async () => {
      await run(
        `INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (1, 'session_tokens', '${sessionTokens(NOW)}')`,
      );
      cookie = await cookieAt(NOW);
    });

    async function cookieAt(now: number) {
      const [user] = await run(
        'SELECT user_login AS login, user_pass AS passHash FROM wp_users WHERE ID = 1',
      );
      return loginCookie(user, HOME, now);
    }

    it('signs in with its nonce, in the header, the query or a form, and gives a fresh one', async () => {
      const venue = `${BASE}/venues`;
      const answers = [
        await ask(DRAFTS, { headers: { ...cookie, ...good } }),
        await ask(DRAFTS, { headers: { ...cookie, ...nonceHeader(1, NOW, 1) } }),
        await ask(`${DRAFTS}&_wpnonce=${nonce}`, { headers: cookie }),
        await ask(venue, { method: 'POST', headers: cookie, form: `venue=Formed&_wpnonce=${nonce}` }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 201]);
      for (const { headers } of answers) {
        expect(headers['x-wp-nonce']).toBe(nonce);
        expect(headers['expires']).toBe('Wed, 11 Jan 1984 05:00:00 GMT');
      }
      const json = { venue: 'Not made', _wpnonce: nonce };
      expect(said(await ask(venue, { method: 'POST', headers: cookie, json }))).toEqual([
        401,
        'rest_forbidden',
      ]);
    });

    it('without a nonce is nobody, never an error', async () => {
      const answer = await ask(`${BASE}/venues`, { headers: cookie });
      expect([answer.status, answer.headers['allow'], answer.headers['expires']]).toEqual([
        200,
        'GET',
        undefined,
      ]);
      expect(said(await ask(`${BASE}/venues/9`, { method: 'DELETE', headers: cookie }))).toEqual([
        401,
        'rest_forbidden',
      ]);
    });

    it('with a wrong nonce is refused, and so is a wrong nonce of nobody', async () => {
      for (const headers of [
        { ...cookie, 'X-WP-Nonce': 'bad' },
        { ...cookie, 'X-WP-Nonce': '' },
        { ...cookie, ...nonceHeader(1, NOW, 2) },
        { ...cookie, ...nonceHeader(2, NOW, 0) },
        { 'X-WP-Nonce': 'bad' },
        good,
      ]) {
        const answer = await ask(`${BASE}/tags`, { headers });
        expect(said(answer)).toEqual([403, 'rest_cookie_invalid_nonce']);
        expect(answer.headers['cache-control']).toBe(
          'no-cache, must-revalidate, max-age=0, no-store, private',
        );
        expect([answer.headers['allow'], answer.headers['x-wp-nonce']]).toEqual([undefined, undefined]);
      }
    });

    it('goes before Basic credentials, right or wrong ones', async () => {
      for (const headers of [basic('editor1', 'wrong'), credentials('editor')]) {
        const as = await ask(DRAFTS, { headers: { ...headers, ...cookie, ...good } });
        expect([as.status, as.headers['x-wp-nonce']]).toEqual([200, nonce]);
        expect((await ask(DRAFTS, { headers: { ...headers, ...cookie } })).status).toBe(400);
      }
    });

    it('that has expired, was changed or belongs to no session is none', async () => {
      const text = cookie['Cookie'] ?? '';
      const past = await cookieAt(NOW - 14 * 86_400 - 60);
      for (const bad of [
        past,
        { Cookie: text.replace(/.$/, (c) => (c === '0' ? '1' : '0')) },
        { Cookie: text.replace('admin', 'editor1') },
      ])
        expect(said(await ask(`${BASE}/tags`, { headers: { ...bad, ...good } }))).toEqual([
          403,
          'rest_cookie_invalid_nonce',
        ]);
      expect(said(await ask(DRAFTS, { headers: { ...past, ...credentials('editor') } }))).toEqual([
        200,
        undefined,
      ]);
      await run("UPDATE wp_usermeta SET meta_value = 'a:0:{}' WHERE meta_key = 'session_tokens'");
      expect((await ask(`${BASE}/tags`, { headers: { ...cookie, ...good } })).status).toBe(403);
      await run(
        `UPDATE wp_usermeta SET meta_value = '${sessionTokens(NOW)}' WHERE meta_key = 'session_tokens'`,
      );
    });

    it('can be checked by secrets that are kept as options', async () => {
      const secrets = Object.entries(SECRETS).map(([name, value]) => `('${name.toLowerCase()}', '${value}')`);
      await run(`INSERT INTO wp_options (option_name, option_value) VALUES ${secrets.join()}`);
      const sample = Object.fromEntries(
        Object.keys(SECRETS).map((name) => [name, 'put your unique phrase here']),
      );
      for (const env of [sample, Object.fromEntries(Object.keys(SECRETS).map((name) => [name, '']))]) {
        const other = await start(env);
        expect((await other(DRAFTS, { headers: { ...cookie, ...good } })).status).toBe(200);
      }
    });
  });

  describe('limits', () => {
    const wrong = (asks: Ask, login: string, more: Record<string, string> = {}) =>
      asks(`${BASE}/tags`, { headers: { ...basic(login, 'wrong'), ...more } });

    it('twenty failures of an address with a user, then 429 for right passwords too', async () => {
      const limited = await start({});
      for (let failure = 1; failure <= 20; failure++)
        expect((await wrong(limited, 'editor1')).status).toBe(401);
      const answer = await limited(`${BASE}/tags`, { as: 'editor' });
      expect(said(answer)).toEqual([429, 'too_many_attempts']);
      expect(answer.body['data']).toEqual({ status: 429 });
      expect(answer.headers['retry-after']).toMatch(/^(29\d|300)$/);
      expect(answer.headers['allow']).toBeUndefined();
      expect((await limited(DRAFTS, { as: 'author' })).status).toBe(200);
      expect((await limited(`${BASE}/tags`)).status).toBe(200);
    });

    it('addresses are told apart behind a trusted proxy, and what the client says of itself does not count', async () => {
      const limited = await start({ TRUST_PROXY: '1', RATE_LIMIT: '2/1h' });
      const from = (address: string) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });
      const statuses: number[] = [];
      for (const address of ['203.0.113.1', '1.1.1.1, 203.0.113.1', '2.2.2.2, 203.0.113.1', '203.0.113.2'])
        statuses.push((await wrong(limited, 'editor1', from(address))).status);
      expect(statuses).toEqual([401, 401, 429, 401]);
    });

    it('of IPv6 the network counts, of which one machine has every address', async () => {
      const limited = await start({ TRUST_PROXY: '1', RATE_LIMIT: '2/1h' });
      const statuses: number[] = [];
      const network = ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::9', '2001:db8:1:3::1'];
      for (const address of [...network, '::ffff:203.0.113.1', '::ffff:cb00:7102', '::ffff:203.0.113.3']) {
        const said = { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' };
        statuses.push((await wrong(limited, 'editor1', said)).status);
      }
      expect(statuses).toEqual([401, 401, 429, 401, 401, 401, 401]);
    });

    it('an address of IPv6 may name the interface that it came by', async () => {
      const limited = await start({ TRUST_PROXY: '1', RATE_LIMIT: '2/1h' });
      for (const [address, status] of [
        ['fe80::1%br-0a1b', 401],
        ['fe80::2%eth0.5', 401],
        ['fe80::3', 429],
      ] as const) {
        const said = { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' };
        expect([address, (await wrong(limited, 'editor1', said)).status]).toEqual([address, status]);
      }
    });

    it('RATE_LIMIT=off: never', async () => {
      for (let failure = 1; failure <= 25; failure++) expect((await wrong(ask, 'editor1')).status).toBe(401);
    });
  });

  describe('credentials over plain HTTP', () => {
    const far = { 'X-Forwarded-For': '203.0.113.7' };
    it.each<[string, Record<string, string>, Record<string, string>, number]>([
      ['this machine', {}, {}, 200],
      ['a header that nobody trusts', {}, { ...far, 'X-Forwarded-Proto': 'http' }, 200],
      ['elsewhere', { TRUST_PROXY: 'loopback' }, far, 401],
      ['elsewhere, over http', { TRUST_PROXY: '1' }, { ...far, 'X-Forwarded-Proto': 'http' }, 401],
      [
        'elsewhere, pretending to be near',
        { TRUST_PROXY: '1' },
        { 'X-Forwarded-For': '127.0.0.1, 203.0.113.7' },
        401,
      ],
      ['elsewhere, over TLS', { TRUST_PROXY: 'loopback' }, { ...far, 'X-Forwarded-Proto': 'https' }, 200],
      ['elsewhere, where that is allowed', { TRUST_PROXY: '1', ALLOW_INSECURE_AUTH: 'true' }, far, 200],
    ])('%s', async (_, env, headers, status) => {
      const asked = await start(env);
      const answer = await asked(DRAFTS, { as: 'editor', headers });
      expect(answer.status).toBe(status);
      if (status === 200) return;
      expect(said(answer)).toEqual([401, 'application_passwords_disabled']);
      expect(answer.body['message']).toContain('ALLOW_INSECURE_AUTH');
      expect((await asked(`${BASE}/tags`, { headers })).status).toBe(200);
    });
  });
});
