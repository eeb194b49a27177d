import { fastHash } from '../../src/auth/application-password.js';
import type { AuthRequest } from '../../src/auth/auth.service.js';
import { createNonce, nonceTick } from '../../src/auth/nonce.js';
import { serialize } from '../../src/lib/wordpress-text/php-serialize.js';
import { basic, cookies, NOW, rejected, request, setUp, user } from '../support/auth-site.js';

describe('login cookies', () => {
  const secret = cookies.hmac_salt_strings.nonce;
  const stored = cookies.cases.map((row) =>
    user(row.user_id, row.user_login, { session_tokens: row.session_tokens_serialised }, row.user_pass),
  );
  const nonceOf = (userId: number, token: string, ticks = 0) =>
    createNonce(nonceTick(NOW) - ticks, { userId, token, secret });
  const withCookie = (name: string, value: string, more: Partial<AuthRequest> = {}) =>
    request({ ...more, headers: { cookie: `a=b; ${name}=${encodeURIComponent(value)}`, ...more.headers } });

  it.each(cookies.cases)('require their nonce for $user_login, from header or parameter', async (row) => {
    const { service } = setUp(stored);
    const cookie = (more: Partial<AuthRequest>) =>
      service.authenticate(withCookie(cookies.cookie_names.logged_in, row.logged_in_cookie, more));
    const signedIn = { via: 'cookie', user: { id: row.user_id }, nonce: nonceOf(row.user_id, row.token) };
    for (const ticks of [0, 1]) {
      const nonce = nonceOf(row.user_id, row.token, ticks);
      expect(await cookie({ nonce })).toMatchObject(signedIn);
      expect(await cookie({ headers: { 'x-wp-nonce': nonce } })).toMatchObject(signedIn);
    }
    expect(await cookie({})).toEqual({ user: null, via: null });
    for (const nonce of ['', 'wrong', nonceOf(row.user_id, row.token, 2), nonceOf(0, row.token)])
      expect(await rejected(cookie({ nonce }))).toMatchObject({
        status: 403,
        code: 'rest_cookie_invalid_nonce',
        headers: { 'Cache-Control': expect.stringContaining('no-store') },
      });
  });

  const [row] = cookies.cases;
  if (!row) throw new Error('no cookie vectors');
  const nonce = nonceOf(row.user_id, row.token);
  const { logged_in, auth, secure_auth } = cookies.cookie_names;

  it('take precedence over Basic credentials', async () => {
    const { service } = setUp(stored);
    const headers = { cookie: `${logged_in}=${encodeURIComponent(row.logged_in_cookie)}` };
    expect(await service.authenticate(basic('nobody', 'x', { headers }))).toEqual({ user: null, via: null });
    expect(await service.authenticate(basic('nobody', 'x', { headers, nonce }))).toMatchObject({
      via: 'cookie',
    });
    const broken = { cookie: `${logged_in}=nonsense` };
    expect(await rejected(service.authenticate(basic('nobody', 'x', { headers: broken })))).toMatchObject({
      status: 401,
    });
  });

  it('are rejected when expired, forged, logged out, or signed for an old password', async () => {
    const { service, store, clock } = setUp(stored);
    const code = async (value: string, name = logged_in) =>
      (await rejected(service.authenticate(withCookie(name, value, { nonce })))).code;
    const invalid = 'rest_cookie_invalid_nonce';
    expect(await code(`${row.logged_in_cookie}0`)).toBe(invalid);
    expect(await code(row.auth_cookie)).toBe(invalid);
    const found = store.users.findIndex(({ id }) => id === row.user_id);
    store.users[found] = user(row.user_id, row.user_login, {}, row.user_pass);
    expect(await code(row.logged_in_cookie)).toBe(invalid);
    const tokens = { session_tokens: row.session_tokens_serialised };
    store.users[found] = user(row.user_id, row.user_login, tokens, `${row.user_pass.slice(0, -4)}aaaa`);
    expect(await code(row.logged_in_cookie)).toBe(invalid);
    store.users[found] = user(row.user_id, row.user_login, tokens, row.user_pass);
    clock.seconds = 4_102_444_801;
    expect(await code(row.logged_in_cookie)).toBe(invalid);
  });

  it('of the admin pages are checked by their own secret; the nonce depends on the session token of the other', async () => {
    const { service } = setUp(stored);
    const by = (name: string, value: string, secure: boolean) =>
      service.authenticate(withCookie(name, value, { secure, nonce: nonceOf(row.user_id, '') }));
    expect(await by(secure_auth, row.secure_auth_cookie, true)).toMatchObject({ via: 'cookie' });
    expect(await by(auth, row.auth_cookie, false)).toMatchObject({ via: 'cookie' });
    await rejected(by(auth, row.auth_cookie, true));
  });

  it('without a user, renew valid nonces and reject invalid ones', async () => {
    const { service } = setUp(stored);
    const anonymous = nonceOf(0, '');
    expect(await service.authenticate(request({ nonce: nonceOf(0, '', 1) }))).toEqual({
      user: null,
      via: null,
      nonce: anonymous,
    });
    expect(await rejected(service.authenticate(request({ nonce: 'bad' })))).toMatchObject({ status: 403 });
  });

  it('are not read with an invalid nonce of an application password', async () => {
    const entry = new Map([['password', fastHash('x')]]);
    const anna = user(30, 'anna', { _application_passwords: serialize(new Map([[0, entry]])) });
    const { service } = setUp([...stored, anna]);
    expect(await service.authenticate(basic('anna', 'x', { nonce: 'bad' }))).toMatchObject({ via: 'basic' });
  });

  it('are ignored without the secrets', async () => {
    const { service } = setUp(stored, { NONCE_KEY: '', LOGGED_IN_KEY: 'put your unique phrase here' });
    expect(
      await rejected(service.authenticate(withCookie(logged_in, row.logged_in_cookie, { nonce }))),
    ).toMatchObject({
      code: 'rest_cookie_invalid_nonce',
    });
    const { LOGGED_IN_KEY = '', NONCE_KEY = '' } = cookies.secrets;
    const { service: byOption } = setUp(
      stored,
      { NONCE_KEY: '', LOGGED_IN_KEY: '' },
      { logged_in_key: LOGGED_IN_KEY, nonce_key: NONCE_KEY },
    );
    expect(await byOption.authenticate(withCookie(logged_in, row.logged_in_cookie, { nonce }))).toMatchObject(
      {
        via: 'cookie',
      },
    );
  });
});
