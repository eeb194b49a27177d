import { fastHash } from '../../src/auth/application-password.js';
import { type PhpValue, serialize } from '../../src/lib/wordpress-text/php-serialize.js';
import { basic, NOW, passwords, rejected, request, setUp, user } from '../support/auth-site.js';

const PASSWORD = 'abcd EFGH 1234 ijkl MNOP 5678';
const entry = (hash: string, more: Record<string, PhpValue> = {}): PhpValue =>
  new Map<string, PhpValue>(
    Object.entries({
      uuid: 'u',
      app_id: '',
      name: 'App',
      password: hash,
      created: 1,
      last_used: null,
      last_ip: null,
      ...more,
    }),
  );
const list = (...entries: PhpValue[]) => serialize(new Map(entries.map((value, index) => [index, value])));

describe('application passwords', () => {
  const hash = fastHash('abcdEFGH1234ijklMNOP5678');
  const anna = () =>
    user(3, 'anna', {
      _application_passwords: list(entry(hash)),
      capabilities: 'a:1:{s:6:"editor";b:1;}',
    });

  it('authenticate by login in any case, or by e-mail address, ignoring blanks in the password', async () => {
    const { service } = setUp([anna()]);
    for (const name of ['anna', 'ANNA', ' anna ', 'anna@example.org'])
      expect(await service.authenticate(basic(name, PASSWORD))).toMatchObject({
        via: 'basic',
        user: {
          id: 3,
          capabilities: new Set(['read', 'unfiltered_html', 'editor']),
        },
      });
  });

  it('are rejected with a specific code', async () => {
    const { service, log } = setUp([anna(), user(4, 'bob', {})]);
    const code = async (login: string, password = 'wrong') =>
      (await rejected(service.authenticate(basic(login, password)))).code;
    expect(await code('anna')).toBe('incorrect_password');
    expect(await code('anna', PASSWORD.toLowerCase())).toBe('incorrect_password');
    expect(await code('bob')).toBe('incorrect_password');
    expect(await code('nobody')).toBe('invalid_username');
    expect(await code('')).toBe('invalid_username');
    expect(await code('x'.repeat(5000))).toBe('invalid_username');
    expect(await code('nobody@example.org')).toBe('invalid_email');
    expect(log).toHaveLength(7);
    expect(log[2]).toBe('Login failed from 203.0.113.7 as "bob"');
  });

  it('are ignored in other or malformed headers, and on sites that have none', async () => {
    const { service, store } = setUp([anna()]);
    for (const authorization of ['Bearer abc', 'Basic !!!', 'Basic bm9jb2xvbg==', 'Basic YWRtaW46', ''])
      expect(await service.authenticate(request({ headers: { authorization } }))).toEqual({
        user: null,
        via: null,
      });
    store.inUse = false;
    expect(await service.authenticate(basic('anna', 'wrong'))).toEqual({ user: null, via: null });
    expect(store.queries).toBe(0);
  });

  it('require TLS, a loopback address, or ALLOW_INSECURE_AUTH', async () => {
    const { service } = setUp([anna()]);
    const plain = { secure: false };
    const answer = await rejected(service.authenticate(basic('anna', PASSWORD, plain)));
    expect(answer).toMatchObject({ status: 401, code: 'application_passwords_disabled' });
    expect(await service.authenticate(basic('anna', PASSWORD, { ...plain, loopback: true }))).toMatchObject({
      via: 'basic',
    });
    const open = setUp([anna()], { ALLOW_INSECURE_AUTH: 'true' }).service;
    expect(await open.authenticate(basic('anna', PASSWORD, plain))).toMatchObject({ via: 'basic' });
  });

  it('are verified for every stored hash, alone or among others', async () => {
    for (const { supplied, hash } of passwords) {
      const meta = list(entry(fastHash('other')), entry('$P$BrSTuvWX2dDwE5qr2viZuXHVZH684u1'), entry(hash));
      const { service } = setUp([user(3, 'anna', { _application_passwords: meta })]);
      for (let again = 0; again < 2; again++)
        expect(await service.authenticate(basic('anna', supplied))).toMatchObject({ via: 'basic' });
    }
  });

  it('are invalid once their entry is deleted, also when the check was cached', async () => {
    const { supplied, hash } = passwords.find(({ kind }) => kind === 'phpass') ?? { supplied: '', hash: '' };
    const { service, store } = setUp([user(3, 'anna', { _application_passwords: list(entry(hash)) })]);
    await service.authenticate(basic('anna', supplied));
    store.users[0] = user(3, 'anna', { _application_passwords: 'a:0:{}' });
    expect(await rejected(service.authenticate(basic('anna', supplied)))).toMatchObject({
      code: 'incorrect_password',
    });
  });

  it('record their use once a day and preserve everything else', async () => {
    const { service, store, clock } = setUp([anna()]);
    await service.authenticate(basic('anna', PASSWORD, { remoteAddress: '::ffff:203.0.113.9' }));
    const value = list(entry(hash, { last_used: NOW, last_ip: '203.0.113.9' }));
    expect(store.saved).toEqual([{ userId: 3, value, previous: list(entry(hash)) }]);
    store.users[0] = user(3, 'anna', { _application_passwords: value });
    clock.seconds += 86_399;
    await service.authenticate(basic('anna', PASSWORD));
    expect(store.saved).toHaveLength(1);
    clock.seconds += 1;
    await service.authenticate(basic('anna', PASSWORD));
    expect(store.saved).toHaveLength(2);
  });

  it('never write back a list that does not round-trip, and do not fail when recording fails', async () => {
    const unusual = list(entry(hash)).replace('i:1;', 'i:01;');
    const { service, store } = setUp([user(3, 'anna', { _application_passwords: unusual }), anna()]);
    expect(await service.authenticate(basic('anna', PASSWORD))).toMatchObject({ via: 'basic' });
    expect(store.saved).toEqual([]);
    store.users.shift();
    store.replaceMeta = () => Promise.reject(new Error('read-only'));
    expect(await service.authenticate(basic('anna', PASSWORD))).toMatchObject({ via: 'basic' });
  });

  it('get an id where they have none', async () => {
    const { service, store } = setUp([
      user(3, 'anna', { _application_passwords: list(entry(hash, { uuid: '' })) }),
    ]);
    await service.authenticate(basic('anna', PASSWORD));
    expect(store.saved[0]?.value).toMatch(/s:4:"uuid";s:36:"[0-9a-f-]{36}"/);
  });

  it('lose the capability unfiltered_html by DISALLOW_UNFILTERED_HTML', async () => {
    const { service } = setUp([anna()], { DISALLOW_UNFILTERED_HTML: 'true' });
    const { user: who } = await service.authenticate(basic('anna', PASSWORD));
    expect([...(who?.capabilities ?? [])]).toEqual(['read', 'editor']);
  });
});

describe('failed logins', () => {
  const hash = fastHash('abcdEFGH1234ijklMNOP5678');
  const anna = user(3, 'anna', { _application_passwords: list(entry(hash)) });

  it('block a user for an address after 20 in 5 minutes, however the name is spelled', async () => {
    const { service, clock } = setUp([anna]);
    for (let index = 0; index < 20; index++)
      await rejected(service.authenticate(basic(index % 2 ? 'anna' : 'ANNA', `wrong ${index}`)));
    expect(await rejected(service.authenticate(basic('anna@example.org', PASSWORD)))).toEqual({
      status: 429,
      code: 'too_many_attempts',
      headers: { 'Retry-After': '300' },
    });
    expect(
      await service.authenticate(basic('anna', PASSWORD, { remoteAddress: '203.0.113.8' })),
    ).toMatchObject({
      via: 'basic',
    });
    clock.seconds += 300;
    expect(await service.authenticate(basic('anna', PASSWORD))).toMatchObject({ via: 'basic' });
  });

  it('count when concurrent, and one client’s parallel requests do not block each other', async () => {
    const { service } = setUp([anna], { RATE_LIMIT: '5/1m' });
    const good = Array.from({ length: 50 }, () => service.authenticate(basic('anna', PASSWORD)));
    expect((await Promise.all(good)).every(({ via }) => via === 'basic')).toBe(true);
    const guesses = Array.from({ length: 50 }, (_, index) =>
      rejected(service.authenticate(basic('anna', `no ${index}`))),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  });

  it('count for unknown users too, and not with RATE_LIMIT=off', async () => {
    const { service } = setUp([], { RATE_LIMIT: '2/1m' });
    const status = async () => (await rejected(service.authenticate(basic('nobody', 'x')))).status;
    expect([await status(), await status(), await status()]).toEqual([401, 401, 429]);
    const off = setUp([], { RATE_LIMIT: 'off' }).service;
    for (let index = 0; index < 30; index++)
      expect((await rejected(off.authenticate(basic('nobody', `${index}`)))).status).toBe(401);
  });

  it('do not count errors of the database', async () => {
    const { service, store } = setUp([anna], { RATE_LIMIT: '1/1m' });
    const findByLogin = store.findByLogin.bind(store);
    store.findByLogin = () => Promise.reject(new Error('away'));
    for (let index = 0; index < 3; index++)
      await expect(service.authenticate(basic('anna', PASSWORD))).rejects.toThrow('away');
    store.findByLogin = findByLogin;
    expect(await service.authenticate(basic('anna', PASSWORD))).toMatchObject({ via: 'basic' });
  });
});
