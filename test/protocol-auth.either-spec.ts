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

/** A list that requires the capability to edit events. */
const DRAFTS = `${BASE}/events?status=draft`;

const statusAndCode = ({ status, body }: ProtocolResponse) => [status, body['code']];

describeEither('authentication', (database) => {
  let site: Site;
  let app: TestApp;
  let ask: Ask;
  /** Servers started by single tests. */
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
      ['password as WordPress displays it', 'editor1', EDITOR.replace(/(.{4})/g, '$1 ')],
      ['password with other characters', 'editor1', `-${EDITOR}é`],
    ])('authenticate by %s', async (_, login, password) => {
      expect((await ask(DRAFTS, { headers: basic(login, password) })).status).toBe(200);
    });

    it('authenticate by e-mail address', async () => {
      const [{ email }] = await run('SELECT user_email AS email FROM wp_users WHERE ID = 2');
      expect((await ask(DRAFTS, { headers: basic(email, EDITOR) })).status).toBe(200);
    });

    it.each([
      ['another password', 'editor1', 'wrong', 'incorrect_password'],
      ['another letter case', 'editor1', EDITOR.toLowerCase(), 'incorrect_password'],
      ["another user's password", 'author1', EDITOR, 'incorrect_password'],
      ['an unknown login', 'nobody', EDITOR, 'invalid_username'],
      ['no login', '', EDITOR, 'invalid_username'],
      ['an unknown e-mail address', 'nobody@example.org', EDITOR, 'invalid_email'],
    ])(
      'are rejected with 401 on every route, unknown ones and OPTIONS too: %s',
      async (_, login, password, code) => {
        for (const [method, path] of [
          ['GET', '/tags'],
          ['GET', '/nope'],
          ['OPTIONS', '/tags'],
          ['POST', '/events'],
        ]) {
          const response = await ask(`${BASE}${path}`, { method, headers: basic(login, password) });
          expect(statusAndCode(response)).toEqual([401, code]);
          expect(response.body['data']).toEqual({ status: 401 });
          expect([response.headers['allow'], response.headers['www-authenticate']]).toEqual([
            undefined,
            undefined,
          ]);
        }
      },
    );

    it.each(['Bearer abc', 'Basic', 'Basic %%%', `Basic ${btoa('no colon')}`, `Basic ${btoa('editor1:')}`])(
      'are ignored in the malformed header %s, which counts as anonymous',
      async (authorization) => {
        const response = await ask(`${BASE}/venues`, { headers: { Authorization: authorization } });
        expect([response.status, response.headers['allow'], response.headers['expires']]).toEqual([
          200,
          'GET',
          undefined,
        ]);
      },
    );

    it('are accepted with any nonce header', async () => {
      const headers = { ...credentials('editor'), 'X-WP-Nonce': 'bad' };
      const response = await ask(DRAFTS, { headers });
      expect([response.status, response.headers['x-wp-nonce']]).toEqual([200, undefined]);
    });

    it('store their last use once a day', async () => {
      const read = async () => {
        const [row] = await run(
          "SELECT meta_value AS value FROM wp_usermeta WHERE user_id = 5 AND meta_key = '_application_passwords'",
        );
        return row.value as string;
      };
      expect(await read()).toContain('s:9:"last_used";N;s:7:"last_ip";N;');
      await ask(`${BASE}/tags`, { as: 'subscriber' });
      const firstUse = await read();
      expect(firstUse).toMatch(
        new RegExp(`"last_used";i:${String(NOW).slice(0, 6)}\\d{4};s:7:"last_ip";s:9:"127.0.0.1";`),
      );
      app.clock.pass(1100);
      await ask(`${BASE}/tags`, { as: 'subscriber' });
      expect(await read()).toBe(firstUse);
    });

    it('are rejected with 401 at once after revocation', async () => {
      const where = "user_id = 4 AND meta_key = '_application_passwords'";
      const drafts = () => ask(DRAFTS, { as: 'contributor' });
      expect((await drafts()).status).toBe(200);
      const [{ value }] = await run(`SELECT meta_value AS value FROM wp_usermeta WHERE ${where}`);
      await run(`UPDATE wp_usermeta SET meta_value = 'a:0:{}' WHERE ${where}`);
      expect(statusAndCode(await drafts())).toEqual([401, 'incorrect_password']);
      await run(`UPDATE wp_usermeta SET meta_value = '${value}' WHERE ${where}`);
      expect((await drafts()).status).toBe(200);
    });
  });

  describe('a login cookie', () => {
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

    it('authenticates the requests of a batch, whose nonce is in its header or query', async () => {
      const json = { requests: [{ path: `${BASE}/venues`, body: { venue: 'Batched' } }] };
      for (const [path, headers] of [
        ['/batch/v1', { ...cookie, ...good }],
        [`/batch/v1?_wpnonce=${nonce}`, cookie],
      ] as const) {
        const { body } = await ask(path, { method: 'POST', headers, json });
        expect([path, body['responses']]).toMatchObject([path, [{ status: 201 }]]);
      }
    });

    it('authenticates with a nonce in the header, query or form and returns a fresh nonce', async () => {
      const venue = `${BASE}/venues`;
      const responses = [
        await ask(DRAFTS, { headers: { ...cookie, ...good } }),
        await ask(DRAFTS, { headers: { ...cookie, ...nonceHeader(1, NOW, 1) } }),
        await ask(`${DRAFTS}&_wpnonce=${nonce}`, { headers: cookie }),
        await ask(venue, { method: 'POST', headers: cookie, form: `venue=Formed&_wpnonce=${nonce}` }),
      ];
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 201]);
      for (const { headers } of responses) {
        expect(headers['x-wp-nonce']).toBe(nonce);
        expect(headers['expires']).toBe('Wed, 11 Jan 1984 05:00:00 GMT');
      }
      const json = { venue: 'Not made', _wpnonce: nonce };
      expect(statusAndCode(await ask(venue, { method: 'POST', headers: cookie, json }))).toEqual([
        401,
        'rest_forbidden',
      ]);
    });

    it('counts as anonymous without a nonce', async () => {
      const response = await ask(`${BASE}/venues`, { headers: cookie });
      expect([response.status, response.headers['allow'], response.headers['expires']]).toEqual([
        200,
        'GET',
        undefined,
      ]);
      expect(statusAndCode(await ask(`${BASE}/venues/9`, { method: 'DELETE', headers: cookie }))).toEqual([
        401,
        'rest_forbidden',
      ]);
    });

    it('is rejected with 403 for a wrong nonce, as is a wrong nonce without a cookie', async () => {
      for (const headers of [
        { ...cookie, 'X-WP-Nonce': 'bad' },
        { ...cookie, 'X-WP-Nonce': '' },
        { ...cookie, ...nonceHeader(1, NOW, 2) },
        { ...cookie, ...nonceHeader(2, NOW, 0) },
        { 'X-WP-Nonce': 'bad' },
        good,
      ]) {
        const response = await ask(`${BASE}/tags`, { headers });
        expect(statusAndCode(response)).toEqual([403, 'rest_cookie_invalid_nonce']);
        expect(response.headers['cache-control']).toBe(
          'no-cache, must-revalidate, max-age=0, no-store, private',
        );
        expect([response.headers['allow'], response.headers['x-wp-nonce']]).toEqual([undefined, undefined]);
      }
    });

    it('takes precedence over valid and invalid Basic credentials', async () => {
      for (const headers of [basic('editor1', 'wrong'), credentials('editor')]) {
        const as = await ask(DRAFTS, { headers: { ...headers, ...cookie, ...good } });
        expect([as.status, as.headers['x-wp-nonce']]).toEqual([200, nonce]);
        expect((await ask(DRAFTS, { headers: { ...headers, ...cookie } })).status).toBe(400);
      }
    });

    it('is ignored when it is expired, altered or without a session', async () => {
      const text = cookie['Cookie'] ?? '';
      const past = await cookieAt(NOW - 14 * 86_400 - 60);
      for (const bad of [
        past,
        { Cookie: text.replace(/.$/, (c) => (c === '0' ? '1' : '0')) },
        { Cookie: text.replace('admin', 'editor1') },
      ])
        expect(statusAndCode(await ask(`${BASE}/tags`, { headers: { ...bad, ...good } }))).toEqual([
          403,
          'rest_cookie_invalid_nonce',
        ]);
      expect(statusAndCode(await ask(DRAFTS, { headers: { ...past, ...credentials('editor') } }))).toEqual([
        200,
        undefined,
      ]);
      await run("UPDATE wp_usermeta SET meta_value = 'a:0:{}' WHERE meta_key = 'session_tokens'");
      expect((await ask(`${BASE}/tags`, { headers: { ...cookie, ...good } })).status).toBe(403);
      await run(
        `UPDATE wp_usermeta SET meta_value = '${sessionTokens(NOW)}' WHERE meta_key = 'session_tokens'`,
      );
    });

    it('is verified by secrets stored as options', async () => {
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

  describe('rate limits', () => {
    const wrong = (send: Ask, login: string, more: Record<string, string> = {}) =>
      send(`${BASE}/tags`, { headers: { ...basic(login, 'wrong'), ...more } });

    it('respond 429 after twenty failures of one address and user, to valid passwords too', async () => {
      const limited = await start({});
      for (let failure = 1; failure <= 20; failure++)
        expect((await wrong(limited, 'editor1')).status).toBe(401);
      const response = await limited(`${BASE}/tags`, { as: 'editor' });
      expect(statusAndCode(response)).toEqual([429, 'too_many_attempts']);
      expect(response.body['data']).toEqual({ status: 429 });
      expect(response.headers['retry-after']).toMatch(/^(29\d|300)$/);
      expect(response.headers['allow']).toBeUndefined();
      expect((await limited(DRAFTS, { as: 'author' })).status).toBe(200);
      expect((await limited(`${BASE}/tags`)).status).toBe(200);
    });

    it('count by the address that a trusted proxy sets and ignore addresses sent by the client', async () => {
      const limited = await start({ TRUST_PROXY: '1', RATE_LIMIT: '2/1h' });
      const from = (address: string) => ({ 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' });
      const statuses: number[] = [];
      for (const address of ['203.0.113.1', '1.1.1.1, 203.0.113.1', '2.2.2.2, 203.0.113.1', '203.0.113.2'])
        statuses.push((await wrong(limited, 'editor1', from(address))).status);
      expect(statuses).toEqual([401, 401, 429, 401]);
    });

    it('count IPv6 addresses by their network', async () => {
      const limited = await start({ TRUST_PROXY: '1', RATE_LIMIT: '2/1h' });
      const statuses: number[] = [];
      const network = ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::9', '2001:db8:1:3::1'];
      for (const address of [...network, '::ffff:203.0.113.1', '::ffff:cb00:7102', '::ffff:203.0.113.3']) {
        const forwarded = { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' };
        statuses.push((await wrong(limited, 'editor1', forwarded)).status);
      }
      expect(statuses).toEqual([401, 401, 429, 401, 401, 401, 401]);
    });

    it('accept IPv6 addresses with a zone id', async () => {
      const limited = await start({ TRUST_PROXY: '1', RATE_LIMIT: '2/1h' });
      for (const [address, status] of [
        ['fe80::1%br-0a1b', 401],
        ['fe80::2%eth0.5', 401],
        ['fe80::3', 429],
      ] as const) {
        const forwarded = { 'X-Forwarded-For': address, 'X-Forwarded-Proto': 'https' };
        expect([address, (await wrong(limited, 'editor1', forwarded)).status]).toEqual([address, status]);
      }
    });

    it('do not apply under RATE_LIMIT=off', async () => {
      for (let failure = 1; failure <= 25; failure++) expect((await wrong(ask, 'editor1')).status).toBe(401);
    });
  });

  describe('credentials over plain HTTP', () => {
    const remote = { 'X-Forwarded-For': '203.0.113.7' };
    it.each<[string, Record<string, string>, Record<string, string>, number]>([
      ['are accepted from this machine', {}, {}, 200],
      [
        'are accepted with an untrusted forwarding header',
        {},
        { ...remote, 'X-Forwarded-Proto': 'http' },
        200,
      ],
      ['are rejected with 401 from another machine', { TRUST_PROXY: 'loopback' }, remote, 401],
      [
        'are rejected with 401 from another machine over http',
        { TRUST_PROXY: '1' },
        { ...remote, 'X-Forwarded-Proto': 'http' },
        401,
      ],
      [
        'are rejected with 401 from another machine that claims a local address',
        { TRUST_PROXY: '1' },
        { 'X-Forwarded-For': '127.0.0.1, 203.0.113.7' },
        401,
      ],
      [
        'are accepted from another machine over TLS',
        { TRUST_PROXY: 'loopback' },
        { ...remote, 'X-Forwarded-Proto': 'https' },
        200,
      ],
      [
        'are accepted from another machine under ALLOW_INSECURE_AUTH',
        { TRUST_PROXY: '1', ALLOW_INSECURE_AUTH: 'true' },
        remote,
        200,
      ],
    ])('%s', async (_, env, headers, status) => {
      const client = await start(env);
      const response = await client(DRAFTS, { as: 'editor', headers });
      expect(response.status).toBe(status);
      if (status === 200) return;
      expect(statusAndCode(response)).toEqual([401, 'application_passwords_disabled']);
      expect(response.body['message']).toContain('ALLOW_INSECURE_AUTH');
      expect((await client(`${BASE}/tags`, { headers })).status).toBe(200);
    });
  });
});
