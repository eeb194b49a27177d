import { createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Injectable, Module } from '@nestjs/common';
import {
  Clock,
  type JwtClaims,
  JwtStrategy,
  JwtVerifier,
  type LoginResult,
  rejectLogin,
  virtualUser,
} from 'almanac';
import { startTestServer, type TestServer } from 'almanac/testing';
import { AlmanacError, bearer, createAlmanacClient } from 'almanac-client';
import type { JWTPayload } from 'jose';
import { Transactions } from '../src/database/transactions.js';
import { writeUser } from '../src/setup/new-site.js';
import { Issuer } from './support/issuer.js';
import { retry } from './support/retry.js';
import { describeEither, makeEmpty, type Site } from './support/sites.js';

const EVENTS = '/cal/events/v1/events';
const ME = '/wp/v2/users/me?context=edit';
const EVENT = { title: 'New', start_date: '2030-02-01 10:00:00', end_date: '2030-02-01 11:00:00' };

describeEither('bearer tokens of an OpenID Connect issuer', (database) => {
  const lines: string[] = [];
  const log = (message: unknown) => void lines.push(String(message));
  let issuer: Issuer;
  let site: Site | undefined;
  let server: TestServer;
  beforeAll(async () => {
    issuer = await Issuer.start();
    if (database !== 'SQLite') site = await makeEmpty(database);
    server = await startTestServer({
      database: site?.url,
      logger: { log, warn: log, error: log },
      env: {
        OIDC_ISSUER: issuer.url,
        OIDC_AUDIENCE: 'calendar,other',
        OIDC_ROLE_CLAIM: 'realm_access.roles',
        OIDC_ROLES: 'staff:editor,urn:acme:boss:administrator',
        OIDC_MATCH_EMAIL: 'true',
        TRUST_PROXY: 'loopback',
      },
    });
    await server.app
      .get(Transactions)
      .run(({ manager }) =>
        writeUser(
          manager,
          { login: 'anna', name: 'Anna', role: 'author', level: 2 },
          { tablePrefix: 'wp_', now: 0 },
        ),
      );
  });
  afterAll(async () => {
    await server?.close();
    await issuer?.close();
    await site?.drop();
  });
  beforeEach(() => {
    lines.length = 0;
    issuer.fault = undefined;
    // Failures are forgotten, and the keys may be read again.
    server.clock.advance(6 * 60_000);
  });

  const make = (claims: JWTPayload = {}, more: Parameters<Issuer['token']>[1] = {}) =>
    issuer.token(claims, { now: server.clock.now(), ...more });
  const withToken = (token: string, more = {}) =>
    server.withHeaders({ authorization: `Bearer ${token}`, ...more });
  const answer = async (token: string | Promise<string>) => {
    const { status, body } = await withToken(await token).get<{ code?: string; message?: string }>(EVENTS);
    return `${status} ${body.code ?? ''}: ${body.message ?? ''}`;
  };
  const staff = { realm_access: { roles: ['staff', 'unknown'] }, name: 'Sam' };

  it('sign in a virtual user with the roles that a claim is mapped to', async () => {
    const token = await make({ ...staff, email: 'sam@example.org', email_verified: true });
    const me = await withToken(token).get<Record<string, unknown>>(ME);
    expect(me.body).toMatchObject({
      id: 0,
      username: 'user-1',
      name: 'Sam',
      roles: ['editor'],
      email: 'sam@example.org',
    });
    const { status, body } = await withToken(token).post<{ author: string }>(EVENTS, EVENT);
    expect([status, body.author]).toEqual([201, '0']);
    expect(lines.some((line) => line.endsWith('user=0 via=oidc subject=user-1'))).toBe(true);
    const boss = await make({ realm_access: { roles: ['urn:acme:boss'] } });
    expect((await withToken(boss).get<{ roles: string[] }>(ME)).body.roles).toEqual(['administrator']);
    for (const roles of [['editor'], 'editor', [5, null], {}, null]) {
      const none = await make({ realm_access: { roles } });
      expect((await withToken(none).get<{ roles: string[] }>(ME)).body.roles).toEqual([]);
      expect((await withToken(none).post(EVENTS, EVENT)).status).toBe(403);
    }
  });

  it("sign in the site's user with the same verified e-mail address, and nobody with another one", async () => {
    const me = async (claims: JWTPayload) =>
      (await withToken(await make(claims)).get<{ username: string }>(ME)).body.username;
    expect(await me({ email: 'Anna@example.org', email_verified: true })).toBe('anna');
    for (const claims of [
      { email: 'anna@example.org' },
      { email: 'anna@example.org', email_verified: 'true' },
      { email: 'ánna@example.org', email_verified: true },
      { email: 'anna@example.org ', email_verified: true },
      { email: ['anna@example.org'], email_verified: true },
      { email: '', email_verified: true },
    ])
      expect(await me(claims)).toBe('user-1');
  });

  it('are rejected with 401, and nothing is written, unless every claim is right', async () => {
    const now = Math.floor(server.clock.now() / 1000);
    const results = Object.fromEntries(
      await Promise.all(
        Object.entries({
          audience: make({ aud: 'elsewhere' }),
          noAudience: make({ aud: undefined }),
          otherAudience: make({ aud: ['x', 'other'] }),
          issuer: make({ iss: `${issuer.url}/` }),
          noIssuer: make({ iss: undefined }),
          expired: make({ exp: now - 61 }),
          tolerated: make({ exp: now - 30 }),
          noExpiry: make({ exp: undefined }),
          early: make({ nbf: now + 90 }),
          noSubject: make({ sub: undefined }),
          emptySubject: make({ sub: '' }),
          logout: make({}, { header: { typ: 'logout+jwt' } }),
          access: make({}, { header: { typ: 'at+jwt' } }),
          critical: make({}, { header: { crit: ['exp'], exp: 1 } }).catch(() => 'a.b.c'),
        }).map(async ([name, token]) => [name, await answer(token)] as const),
      ),
    );
    const invalid = (message: string) => `401 invalid_token: ${message}`;
    expect(results).toEqual({
      audience: invalid('The token has a wrong aud.'),
      noAudience: invalid('The token has a wrong aud.'),
      otherAudience: '200 : ',
      issuer: invalid('No login of this server accepts this token.'),
      noIssuer: invalid('No login of this server accepts this token.'),
      expired: invalid('The token has expired.'),
      tolerated: '200 : ',
      noExpiry: invalid('The token has a wrong exp.'),
      early: invalid('The token is not valid yet.'),
      noSubject: invalid('The token has a wrong sub.'),
      emptySubject: invalid('The token has no sub.'),
      logout: invalid('The token is of another type than JWT.'),
      access: '200 : ',
      critical: invalid('No login of this server accepts this token.'),
    });
    const list = await server
      .asAdmin()
      .get<{ total: number }>(`${EVENTS}?status=publish,draft,pending,private`);
    const write = await withToken(await make({ ...staff, aud: 'elsewhere' })).post(EVENTS, EVENT);
    expect(list.body.total).toBeGreaterThan(0);
    expect([write.status, write.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer realm="almanac", error="invalid_token", error_description="The token has a wrong aud."',
    ]);
    expect(
      (await server.asAdmin().get<{ total: number }>(`${EVENTS}?status=publish,draft,pending,private`)).body
        .total,
    ).toBe(list.body.total);
  });

  it('are rejected without a signature of the issuer, whatever algorithm they name', async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const exp = Math.floor(server.clock.now() / 1000) + 600;
    const claims = part({ iss: issuer.url, aud: 'calendar', sub: 'user-1', exp });
    const key = issuer.keys[0];
    const hmac = (secret: string) => {
      const head = `${part({ alg: 'HS256', kid: 'first' })}.${claims}`;
      return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
    };
    const valid = await make();
    const [head, body, signature = ''] = valid.split('.');
    const stranger = await Issuer.start();
    const forged = {
      none: `${part({ alg: 'none' })}.${claims}.`,
      noneSigned: `${part({ alg: 'None', kid: 'first' })}.${claims}.${signature}`,
      hs256: hmac(JSON.stringify(key?.jwk)),
      hs256Empty: hmac(''),
      otherBody: `${head}.${claims}.${signature}`,
      noSignature: `${head}.${body}.`,
      otherKey: await stranger.token({ iss: issuer.url }, { now: server.clock.now() }),
      embedded: `${part({ alg: 'RS256', jwk: stranger.keys[0]?.jwk, jku: 'http://192.0.2.1/' })}.${body}.${signature}`,
      unknownKey: `${part({ alg: 'RS256', kid: 'no such key' })}.${body}.${signature}`,
      proto: `${part({ alg: '__proto__', kid: 'first' })}.${body}.${signature}`,
      noAlg: `${part({ kid: 'first' })}.${body}.${signature}`,
    };
    await stranger.close();
    for (const [name, token] of Object.entries(forged))
      expect(`${name} ${await answer(token)}`).toMatch(/^\w+ 401 invalid_token: (The signature|No login)/);
    expect(await answer(valid)).toBe('200 : ');
    expect(lines.join('\n')).not.toContain(signature.slice(0, 20));
  });

  it('are malformed: 401, also for a cached response and an unknown path', async () => {
    for (let time = 0; time < 3; time++) expect((await server.get(EVENTS)).status).toBe(200);
    for (const token of [
      'x',
      'a.b',
      'a.b.c',
      '..',
      'a.b.c.d.e',
      '%00',
      'a b',
      `${'x'.repeat(9000)}.b.c`,
      '"',
      '',
    ])
      expect(`${token} ${await answer(token)}`).toBe(
        `${token} 401 invalid_token: No login of this server accepts this token.`,
      );
    expect((await withToken('x').get('/cal/events/v1/no-such-route')).status).toBe(401);
    expect((await withToken('x').get('/openapi.json')).status).toBe(200);
    // Other schemes stay anonymous.
    expect((await server.withHeaders({ authorization: 'Digest x' }).get(EVENTS)).status).toBe(200);
  });

  it('are challenged for where a login is missing, and rejected over plain HTTP', async () => {
    const { status, headers } = await server.post(EVENTS, EVENT);
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="almanac"']);
    const plain = await withToken(await make(staff), { 'x-forwarded-for': '203.0.113.70' }).post<{
      code: string;
    }>(EVENTS, EVENT);
    expect([plain.status, plain.body.code]).toEqual([401, 'insecure_connection']);
    expect(plain.headers.get('www-authenticate')).toContain('error="invalid_request"');
  });

  it('are verified with a new key of the issuer, which an unknown kid makes it read, at most once in 30 seconds', async () => {
    expect(await answer(make())).toBe('200 : ');
    server.clock.advance(30_000);
    const second = await issuer.addKey('second', 'ES256');
    const before = issuer.requests.length;
    const rotated = await Promise.all(Array.from({ length: 5 }, () => answer(make({}, { key: second }))));
    expect(new Set(rotated)).toEqual(new Set(['200 : ']));
    expect(issuer.requests.length).toBe(before + 2);
    const third = await issuer.addKey('third', 'EdDSA');
    expect(await answer(make({}, { key: third }))).toContain('401 invalid_token');
    expect(issuer.requests.length).toBe(before + 2);
    server.clock.advance(30_000);
    expect(await answer(make({}, { key: third }))).toBe('200 : ');
    // A withdrawn key.
    const [first] = issuer.keys.splice(0, 1);
    server.clock.advance(600_000);
    await retry(async () => expect(await answer(make({}, { key: first }))).toContain('401 invalid_token'));
    expect(await answer(make())).toBe('200 : ');
  });

  it('are verified with the known keys while the issuer is away, for a day', async () => {
    expect(await answer(make())).toBe('200 : ');
    issuer.fault = 'down';
    server.clock.advance(23 * 3_600_000);
    expect(await answer(make())).toBe('200 : ');
    server.clock.advance(2 * 3_600_000);
    const { status, body, headers } = await withToken(await make()).get<{ code: string }>(EVENTS);
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'login_unavailable', '5']);
    const calls = issuer.requests.length;
    expect(await answer(make())).toContain('503');
    expect(issuer.requests.length).toBe(calls);
    expect((await server.get(EVENTS)).status).toBe(200);
    issuer.fault = undefined;
    server.clock.advance(6000);
    expect(await answer(make())).toBe('200 : ');
  });

  it('are renewed by a client whose token was rejected, once for each request', async () => {
    const { port } = server.app.getHttpServer().address() as AddressInfo;
    const expired = await make({ ...staff, exp: Math.floor(server.clock.now() / 1000) - 100 });
    const valid = await make(staff);
    const calls: (string | undefined)[] = [];
    const clientOf = (renewed: string) =>
      createAlmanacClient({
        baseUrl: `http://127.0.0.1:${port}`,
        auth: bearer(async (rejected) => {
          calls.push(rejected);
          return rejected === undefined ? expired : renewed;
        }),
      });
    const { id } = await clientOf(valid).events.create(EVENT);
    expect(id).toBeGreaterThan(0);
    expect(calls).toEqual([undefined, expired]);
    for (const renewed of [expired, `${expired}x`])
      await expect(clientOf(renewed).events.list()).rejects.toThrow(AlmanacError);
    expect(calls).toHaveLength(6);
    const fixed = createAlmanacClient({ baseUrl: `http://127.0.0.1:${port}`, auth: bearer(valid) });
    expect((await fixed.events.get(id)).id).toBe(id);
  });

  it('expire without a failed login: the address is not locked out', async () => {
    const exp = Math.floor(server.clock.now() / 1000) - 100;
    const expired = await make({ exp });
    for (let time = 0; time < 25; time++) expect(await answer(expired)).toContain('The token has expired.');
    expect(lines.filter((line) => line.startsWith('Login failed'))).toEqual([]);
    expect(lines).toContain('Login rejected from 127.0.0.1 as "user-1" by oidc: invalid_token');
    const forged = `${expired.slice(0, -4)}AAAA`;
    const results: string[] = [];
    for (let time = 0; time < 22; time++) results.push((await answer(forged)).slice(0, 3));
    expect(results.filter((status) => status === '429')).toHaveLength(2);
    expect(await answer(make())).toBe('200 : ');
  });
});

describe('a JwtStrategy of a plugin', () => {
  it('maps the claims of its own issuer, beside the configured one', async () => {
    const [own, configured] = await Promise.all([Issuer.start(), Issuer.start()]);
    @Injectable()
    class MembersStrategy extends JwtStrategy {
      override readonly name = 'members';
      protected override readonly verifier: JwtVerifier;

      constructor(clock: Clock) {
        super();
        this.verifier = new JwtVerifier({ issuer: own.url, audience: 'calendar', clock });
      }

      override userOf({ sub, name, groups }: JwtClaims): LoginResult {
        if (!Array.isArray(groups)) return rejectLogin(403, 'no_member', 'This account is no member.');
        const roles = groups.includes('board') ? ['editor'] : ['contributor'];
        return virtualUser({ subject: sub, name: String(name ?? sub), roles });
      }
    }
    @Module({ providers: [MembersStrategy] })
    class MembersModule {}
    const env = { OIDC_ISSUER: configured.url, OIDC_AUDIENCE: 'calendar', OIDC_ROLE_CLAIM: 'groups' };
    const server = await startTestServer({ plugins: [MembersModule], env });
    try {
      const me = async (issuer: Issuer, claims: JWTPayload) => {
        const token = await issuer.token(claims, { now: server.clock.now() });
        const { body } = await server
          .withHeaders({ authorization: `Bearer ${token}` })
          .get<{ roles?: string[]; code?: string }>(ME);
        return body.code ?? body.roles;
      };
      expect(await me(own, { groups: ['board'] })).toEqual(['editor']);
      expect(await me(own, { groups: [] })).toEqual(['contributor']);
      expect(await me(own, {})).toBe('no_member');
      expect(await me(own, { groups: [], aud: 'x' })).toBe('invalid_token');
      expect(await me(configured, { groups: ['author'] })).toEqual(['author']);
      expect(await me(configured, { iss: own.url, groups: ['board'] })).toBe('invalid_token');
    } finally {
      await server.close();
      await Promise.all([own.close(), configured.close()]);
    }
  });
});

describe('an issuer that does not answer as it should', () => {
  it('does not stop the server; its tokens are 503, everything else works', async () => {
    const issuer = await Issuer.start();
    const messages: string[] = [];
    const log = (message: unknown) => void messages.push(String(message));
    const faults = {
      down: 'cannot be read',
      'no-json': 'cannot be read',
      huge: 'is larger than',
      redirect: 'cannot be read',
      'other-issuer': 'it calls itself "https://other.example.org"',
      'insecure-keys': 'is no https:// address',
    } as const;
    issuer.fault = 'down';
    const env = { OIDC_ISSUER: issuer.url, OIDC_AUDIENCE: 'calendar' };
    const server = await startTestServer({ env, logger: { log, warn: log, error: log } });
    try {
      for (const [fault, message] of Object.entries(faults)) {
        issuer.fault = fault as keyof typeof faults;
        server.clock.advance(6000);
        messages.length = 0;
        const token = await issuer.token({}, { now: server.clock.now() });
        const { status } = await server.withHeaders({ authorization: `Bearer ${token}` }).get(EVENTS);
        expect(`${fault} ${status} ${messages.join('\n')}`).toContain(`${fault} 503`);
        expect(messages.join('\n')).toContain(message);
        expect((await server.get(EVENTS)).status).toBe(200);
        expect((await server.asAdmin().get(ME)).status).toBe(200);
      }
      issuer.fault = 'slow';
      server.clock.advance(6000);
      const token = await issuer.token({}, { now: server.clock.now() });
      const { status } = await server.withHeaders({ authorization: `Bearer ${token}` }).get(EVENTS);
      expect(status).toBe(503);
    } finally {
      await server.close();
      await issuer.close();
    }
  });
});
