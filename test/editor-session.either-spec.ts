import { startApp } from './support/app.js';
import { basic, credentials } from './support/calendar-client.js';
import { describeEither } from './support/sites.js';
import { openWriteFixture, type WriteFixture } from './support/write-fixture.js';

const META = "user_id = 2 AND meta_key = '_application_passwords'";

describeEither("the session of the editor's page", (database) => {
  let fixture: WriteFixture;
  beforeAll(async () => {
    fixture = await openWriteFixture(database);
  });
  afterAll(async () => {
    await fixture?.close();
  });

  const session = (method: string, headers: Record<string, string>, url = fixture.app.url) =>
    fetch(`${url}/editor/session`, { method, headers });
  /** Begins a session; returns its attributes and the headers of requests with it. */
  async function begin(headers = credentials('editor')) {
    const response = await session('POST', headers);
    expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const [cookie = '', ...attributes] = (response.headers.get('set-cookie') ?? '').split('; ');
    const { nonce } = (await response.json()) as { nonce: string };
    return { attributes, Cookie: cookie, 'X-WP-Nonce': nonce };
  }
  const me = async (headers: Record<string, string>) => {
    const response = await fetch(`${fixture.app.url}/wp/v2/users/me`, { headers });
    const { id, code } = (await response.json()) as { id?: number; code?: string };
    return [response.status, id ?? code];
  };

  it('begins with an application password, in a cookie that no script and no other site can use', async () => {
    const { attributes, ...sent } = await begin();
    expect(attributes).toEqual(['Path=/', 'HttpOnly', 'SameSite=Strict']);
    expect(await me(sent)).toEqual([200, 2]);
    const read = await session('GET', { Cookie: sent.Cookie, Origin: 'https://example.com' });
    expect([read.status, read.headers.get('access-control-allow-origin'), await read.json()]).toEqual([
      200,
      null,
      { nonce: sent['X-WP-Nonce'] },
    ]);
    const ended = await session('DELETE', { Cookie: sent.Cookie });
    expect(ended.headers.get('set-cookie')).toMatch(/^almanac_session=; Path=\/; Expires=Thu, 01 Jan 1970/);
  });

  it('ignores the cookie without its nonce, and rejects other nonces and changed cookies with 403', async () => {
    const { Cookie, 'X-WP-Nonce': nonce } = await begin();
    const { 'X-WP-Nonce': other } = await begin();
    expect(await me({ Cookie })).toEqual([401, 'rest_not_logged_in']);
    const create = {
      method: 'POST',
      body: new URLSearchParams({ title: 'Forged', start_date: '2091-05-01', end_date: '2091-05-01' }),
    };
    await fixture.unchanged(async () => {
      const response = await fetch(`${fixture.app.url}/cal/events/v1/events`, {
        ...create,
        headers: { Cookie },
      });
      expect(response.status).toBe(401);
      const forged: Record<string, string>[] = [
        { Cookie, 'X-WP-Nonce': other },
        { Cookie: Cookie.replace('=2|', '=1|'), 'X-WP-Nonce': nonce },
        { Cookie: Cookie.replace(/\|\d+\|/, '|9999999999|'), 'X-WP-Nonce': nonce },
        { Cookie: 'almanac_session=', 'X-WP-Nonce': nonce },
        { 'X-WP-Nonce': nonce },
      ];
      for (const headers of forged) expect(await me(headers)).toEqual([403, 'rest_cookie_invalid_nonce']);
    });
    expect(await (await session('GET', { Cookie: Cookie.replace('=2|', '=1|') })).json()).toEqual({
      nonce: '',
    });
  });

  it('does not begin without a valid application password', async () => {
    const anonymous = await session('POST', {});
    expect([anonymous.status, anonymous.headers.get('set-cookie')]).toEqual([401, null]);
    const wrong = await session('POST', basic('editor', 'wrong'));
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null]);
    const { attributes: _, ...sent } = await begin();
    expect((await session('POST', sent)).status).toBe(403);
    const off = await startApp({ databaseUrl: fixture.databaseUrl, env: { EDITOR: 'off' } });
    try {
      for (const method of ['GET', 'POST', 'DELETE'])
        expect([method, (await session(method, credentials('editor'), off.url)).status]).toEqual([
          method,
          404,
        ]);
    } finally {
      await off.close();
    }
  });

  it('ends after twelve hours, and when its application password is revoked', async () => {
    const { Cookie, 'X-WP-Nonce': nonce } = await begin();
    const first = { Cookie, 'X-WP-Nonce': nonce };
    fixture.app.clock.pass(12 * 3_600_000 - 60_000);
    expect(await me(first)).toEqual([200, 2]);
    fixture.app.clock.pass(60_000);
    expect(await me(first)).toEqual([403, 'rest_cookie_invalid_nonce']);
    const { attributes: _, ...second } = await begin();
    await fixture.ask(`DELETE FROM wp_usermeta WHERE ${META}`);
    expect(await me(second)).toEqual([403, 'rest_cookie_invalid_nonce']);
  });
});
