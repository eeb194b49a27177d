import { Logger, type LoggerService } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ApplicationLogin } from '../../src/auth/application-login.js';
import { AuthService } from '../../src/auth/auth.service.js';
import { AuthError } from '../../src/auth/auth-error.js';
import { AuthStrategies } from '../../src/auth/auth-strategies.service.js';
import { LoginAttempts } from '../../src/auth/login-attempts.service.js';
import type { AuthRequest } from '../../src/auth/login-request.js';
import { PageSessions } from '../../src/auth/page-sessions.service.js';
import { MemoryRateLimiter } from '../../src/auth/rate-limiter.js';
import { ApplicationPasswordStrategy } from '../../src/auth/strategies/application-password.strategy.js';
import { CookieStrategy } from '../../src/auth/strategies/cookie.strategy.js';
import { readEnvironment } from '../../src/config/env.js';
import { serialize } from '../../src/lib/wordpress-text/php-serialize.js';
import { Metrics } from '../../src/observability/metrics/metrics.service.js';
import { readSettings } from '../../src/wordpress/options/read-settings.js';
import type { UserRecord, UsersService } from '../../src/wordpress/users/users.service.js';
import { TYPES } from './content-types.js';
import { loadVectors } from './vectors.js';

/** Recorded secrets, cookies and application passwords. */
export const { cookie_auth: cookies, application_password_checks: passwords } = loadVectors<{
  cookie_auth: {
    secrets: Record<string, string>;
    siteurl: string;
    cookie_names: { logged_in: string; auth: string; secure_auth: string };
    hmac_salt_strings: { nonce: string };
    cases: {
      user_id: number;
      user_login: string;
      user_pass: string;
      token: string;
      session_tokens_serialised: string;
      logged_in_cookie: string;
      secure_auth_cookie: string;
      auth_cookie: string;
    }[];
  };
  application_password_checks: { kind: string; supplied: string; hash: string }[];
}>('auth');

/** The instant of the test sites, in unix seconds. */
export const NOW = 1_800_000_000;

/** A stored user; the e-mail address follows from the login. */
export const user = (id: number, login: string, meta: Record<string, string>, passHash = ''): TestUser => ({
  id,
  login,
  email: `${login}@example.org`,
  passHash,
  meta: new Map(Object.entries(meta)),
});

interface TestUser extends UserRecord {
  login: string;
  email: string;
}

/** Users in memory, compared case-insensitively like the database; counts queries. */
export class MemoryUsers implements Pick<UsersService, keyof UsersService> {
  readonly saved: { userId: number; value: string; previous: string }[] = [];
  readonly hasNetwork = false;
  queries = 0;
  inUse = true;
  constructor(readonly users: TestUser[]) {}
  async findByLogin(login: string) {
    this.queries++;
    return this.users.find((one) => one.login.toLowerCase() === login.toLowerCase()) ?? null;
  }
  async findByEmail(email: string) {
    return this.users.find((one) => one.email === email.toLowerCase()) ?? null;
  }
  async findByMeta() {
    return null;
  }
  async findById(id: number) {
    return this.users.find((one) => one.id === id) ?? null;
  }
  async exists(id: number) {
    return this.users.some((one) => one.id === id);
  }
  async anyHasMeta() {
    return this.inUse;
  }
  async replaceMeta(userId: number, _key: string, value: string, previous: string) {
    this.saved.push({ userId, value, previous });
  }
}

/** Records log entries. */
class RecordedLog implements LoggerService {
  readonly lines: string[] = [];
  log(message: unknown): void {
    this.lines.push(String(message));
  }
  warn = this.log;
  error = this.log;
}

/** The service for these users, with recorded secrets and its log; its clock is frozen at `NOW`. */
export function setUp(
  users: TestUser[],
  env: Record<string, string> = {},
  options: Record<string, string> = {},
) {
  const environment = readEnvironment({ ...cookies.secrets, ...env });
  const roles = serialize(
    new Map([
      [
        'editor',
        new Map([['capabilities', new Map(['read', 'unfiltered_html'].map((name) => [name, true]))]]),
      ],
    ]),
  );
  const stored = new Map(Object.entries({ siteurl: cookies.siteurl, wp_user_roles: roles, ...options }));
  const settings = readSettings(stored, 'wp_', environment, TYPES);
  const store = new MemoryUsers(users);
  const clock = { seconds: NOW, now: () => clock.seconds * 1000 };
  const metrics = new Metrics(environment);
  const limiter = new MemoryRateLimiter(environment, clock);
  const login = new ApplicationLogin(store, limiter, clock, metrics);
  const source = { current: async () => settings };
  const cookie = new CookieStrategy(
    environment,
    source,
    store,
    clock,
    new PageSessions(environment, source, store, login, clock),
  );
  const strategies = new AuthStrategies(new ModulesContainer());
  strategies.use([new ApplicationPasswordStrategy(environment, source, store, cookie, login), cookie]);
  const attempts = new LoginAttempts(environment, limiter, metrics);
  const service = new AuthService(environment, source, store, strategies, attempts);
  const log = new RecordedLog();
  Logger.overrideLogger(log);
  return { service, store, clock, log: log.lines };
}

/** A GET over TLS from a remote address. */
export const request = (more: Partial<AuthRequest> = {}): AuthRequest => ({
  method: 'GET',
  headers: {},
  remoteAddress: '203.0.113.7',
  secure: true,
  loopback: false,
  ...more,
});
/** The same with Basic credentials. */
export const basic = (login: string, password: string, more: Partial<AuthRequest> = {}) =>
  request({
    ...more,
    headers: {
      authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
      ...more.headers,
    },
  });
/** The fields of a result that must be an `AuthError`. */
export async function rejected(answer: Promise<unknown>) {
  const error = await answer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(AuthError);
  const { code, headers } = error as AuthError;
  return { status: (error as AuthError).getStatus(), code, headers };
}
