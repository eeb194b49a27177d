import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestServer, type TestServer } from 'almanac/testing';
import { ApiKeyAdmin } from '../src/cli/api-key/api-key.js';
import { Issuer } from './support/issuer.js';

const EVENTS = '/cal/events/v1/events';
const ME = '/wp/v2/users/me';
const part = (value: unknown) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url');

/** Numbers from 0 to `most` in a reproducible order. */
function randomNumbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % (most + 1);
  };
}

describe('random credentials', () => {
  let issuer: Issuer;
  let server: TestServer;
  let valid: { token: string; key: string };
  beforeAll(async () => {
    issuer = await Issuer.start();
    const env = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'calendar', API_KEYS: 'on', RATE_LIMIT: 'off' };
    server = await startTestServer({ env });
    const { key } = await new ApiKeyAdmin(server.app).create({ login: 'admin', name: 'x' });
    valid = { token: await issuer.token({}, { now: server.clock.now() }), key };
  });
  afterAll(async () => {
    await server?.close();
    await issuer?.close();
  });

  /** The status of a request with a raw header. */
  const statusOf = (path: string, authorization: string) =>
    new Promise<number>((resolve, reject) => {
      const { port } = server.app.getHttpServer().address() as AddressInfo;
      request({ port, path, headers: { authorization } }, (response) =>
        resolve(response.resume().statusCode ?? 0),
      )
        .on('error', reject)
        .end();
    });

  it('sign in nobody, and are never a server error', async () => {
    const random = randomNumbers(20_300_115);
    const pick = <T>(values: readonly T[]) => values[random(values.length - 1)] as T;
    const { token, key } = valid;
    const [head = '', body = '', signature = ''] = token.split('.');
    const unusual: readonly unknown[] = [
      null,
      true,
      0,
      -1,
      1e300,
      '',
      'x',
      [],
      {},
      [null],
      { a: [] },
      issuer.url,
    ];
    const claims = () => ({
      iss: pick([issuer.url, ...unusual]),
      aud: pick(['calendar', ...unusual]),
      sub: pick(unusual),
      exp: pick(unusual),
      nbf: pick(unusual),
    });
    const header = () => ({
      alg: pick(['RS256', 'none', 'HS256', 'ES256', 'EdDSA', 'PS512', 'dir', ...unusual]),
      kid: pick(['first', '__proto__', ...unusual]),
      typ: pick(['JWT', ...unusual]),
      crit: pick([undefined, ['exp'], ['b64'], ...unusual]),
      b64: pick([undefined, false, ...unusual]),
      zip: pick([undefined, 'DEF', ...unusual]),
      jwk: pick([undefined, ...unusual]),
    });
    const changed = (text: string): string => {
      const at = random(text.length - 1);
      const other = pick([...'AZaz09-_.=~+/']);
      return text.charAt(at) === other ? changed(text) : text.slice(0, at) + other + text.slice(at + 1);
    };
    const makers: (() => string)[] = [
      () => `Bearer ${part(header())}.${part(claims())}.${pick([signature, '', 'AAAA'])}`,
      () => `Bearer ${part(header())}.${body}.${signature}`,
      () => `Bearer ${head}.${part(claims())}.${signature}`,
      // The last character of a signature has unused bits; the others count.
      () => `Bearer ${changed(`${head}.${body}.${signature.slice(0, -1)}`)}A`,
      () => `Bearer ${changed(key.slice(0, -1))}A`,
      () => `Bearer ${token.slice(0, random(token.length - 2))}`,
      () => `Bearer ${key.slice(0, random(key.length - 1))}`,
      () =>
        `${pick(['Basic', 'bearer', 'BEARER', 'Digest', 'Bearer\t', ''])} ${pick([key.slice(5), head, '=', ':', 'Og=='])}`,
      () => `Bearer ${pick(['%', '"', ',', 'ä', '\u00ff', '.', '..', '...'])}${'x'.repeat(random(3000))}`,
    ];
    const counts = new Map<number, number>();
    const wrong: string[] = [];
    for (let time = 0; time < 600; time++) {
      const sent = pick(makers)();
      const [list, me] = await Promise.all([statusOf(EVENTS, sent), statusOf(ME, sent)]);
      counts.set(list, (counts.get(list) ?? 0) + 1);
      if (![200, 401].includes(list) || me !== 401) wrong.push(`${list} ${me} ${sent}`);
    }
    expect(wrong).toEqual([]);
    expect(counts.get(401)).toBeGreaterThan(400);
    expect(await statusOf(ME, `Bearer ${token}`)).toBe(200);
    expect(await statusOf(ME, `Bearer ${key}`)).toBe(200);
    // Neither the keys of the issuer nor anything else was requested for them.
    expect(new Set(issuer.requests).size).toBe(2);
    expect(issuer.requests.length).toBeLessThanOrEqual(4);
  });
});
