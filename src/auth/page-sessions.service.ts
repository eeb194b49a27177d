import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Environment } from '../config/env.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import { APPLICATION_PASSWORDS, type UserRecord, UsersService } from '../wordpress/users/users.service.js';
import { ApplicationLogin, type Credentials } from './application-login.js';
import { applicationPasswords } from './application-password.js';
import { parseCookies } from './login-cookie.js';
import { equal } from './password-hash.js';
import { secretOf } from './secrets.js';

/** The cookie of a session of the editor's page. */
export const SESSION_COOKIE = 'almanac_session';
/** Twelve hours, in seconds. */
const LIFETIME = 43_200;

/** A valid session: its cookie's value, and the nonce that requests with the cookie need. */
export interface PageSession {
  user: UserRecord;
  cookie: string;
  nonce: string;
}

/**
 * Sessions of the editor's page (docs/behaviour/authentication.md#sessions-of-the-editor). No table holds them: the
 * cookie `id|expiration|random|signature` is signed with the stored hash of the application password, so that a revoked
 * one ends its sessions, and with the site's secret `auth` if it has one.
 */
@Injectable()
export class PageSessions {
  constructor(
    private readonly env: Environment,
    @Inject(SettingsService) private readonly settings: Pick<SettingsService, 'current'>,
    @Inject(UsersService) private readonly users: Pick<UsersService, 'findById'>,
    private readonly login: ApplicationLogin,
    private readonly clock: Clock,
  ) {}

  /** Begins a session of a user who has signed in with an application password; undefined for other passwords. */
  async begin(userId: number, { password }: Credentials): Promise<PageSession | undefined> {
    const user = await this.users.findById(userId);
    const entry = await this.login.matchingEntry(user, password);
    if (!user || !entry) return undefined;
    const expiration = Math.floor(this.clock.now() / 1000) + LIFETIME;
    const data = `${user.id}|${expiration}|${randomBytes(16).toString('hex')}`;
    const key = await this.keyOf(entry.hash);
    return { user, cookie: `${data}|${sign('session', data, key)}`, nonce: sign('nonce', data, key) };
  }

  /** The session of a `Cookie` header; undefined if it has expired, or its application password was revoked. */
  async find(cookies: string | undefined): Promise<PageSession | undefined> {
    const cookie = parseCookies(cookies).get(SESSION_COOKIE) ?? '';
    const [data = '', id, expiration, signature = ''] =
      /^((\d{1,15})\|(\d{1,15})\|[0-9a-f]{32})\|([0-9a-f]{64})$/.exec(cookie)?.slice(1) ?? [];
    if (data === '' || Number(expiration) * 1000 <= this.clock.now()) return undefined;
    const user = await this.users.findById(Number(id));
    for (const { hash } of applicationPasswords(user?.meta.get(APPLICATION_PASSWORDS))) {
      const key = await this.keyOf(hash);
      if (user && equal(sign('session', data, key), signature))
        return { user, cookie, nonce: sign('nonce', data, key) };
    }
    return undefined;
  }

  private async keyOf(hash: string): Promise<string> {
    const { options } = await this.settings.current();
    return `${hash}|${secretOf('auth', this.env.secrets, options) ?? ''}`;
  }
}

const sign = (use: 'session' | 'nonce', data: string, key: string): string =>
  createHmac('sha256', key).update(`almanac ${use}|${data}`, 'utf8').digest('hex');
