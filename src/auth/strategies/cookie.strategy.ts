import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Environment } from '../../config/env.js';
import { sanitizeUser } from '../../lib/wordpress-text/formatting/sanitize.js';
import { SettingsService } from '../../wordpress/options/settings.service.js';
import type { SiteSettings } from '../../wordpress/options/site-settings.js';
import { SESSION_TOKENS, type UserRecord, UsersService } from '../../wordpress/users/users.service.js';
import { AuthError, NO_CACHE_HEADERS } from '../auth-error.js';
import { AuthStrategy, type LoginResult, type LoginScheme } from '../auth-strategy.js';
import {
  cookieName,
  hasSession,
  isExpired,
  isSigned,
  parseCookies,
  parseLoginCookie,
} from '../login-cookie.js';
import type { LoginRequest } from '../login-request.js';
import { checkNonce, createNonce, nonceTick } from '../nonce.js';
import { type PageSession, PageSessions } from '../page-sessions.service.js';
import { equal } from '../password-hash.js';
import { secretOf } from '../secrets.js';

/** WordPress's login cookie or the session of the editor, each with a nonce (docs/behaviour/authentication.md#login-cookies). */
@Injectable()
export class CookieStrategy extends AuthStrategy {
  override readonly name = 'cookie';
  /** Last: other credentials need no nonce, and one beside them is ignored. */
  override readonly order = 90;
  override readonly headers = ['x-wp-nonce', 'cookie'];
  override readonly needsTls = false;
  override readonly scheme: LoginScheme = { type: 'apiKey', in: 'cookie', name: 'wordpress_logged_in' };

  constructor(
    private readonly env: Environment,
    @Inject(SettingsService) private readonly settings: Pick<SettingsService, 'current'>,
    @Inject(UsersService) private readonly users: Pick<UsersService, 'findByLogin'>,
    private readonly clock: Clock,
    private readonly sessions: PageSessions,
  ) {
    super();
  }

  override async authenticate(request: LoginRequest): Promise<LoginResult | undefined> {
    const sent = request.header('x-wp-nonce');
    if (sent === undefined) return undefined;
    const session = await this.pageSession(request, sent);
    if (session) return { kind: 'known_user', user: session.user };
    const settings = await this.settings.current();
    const user = await this.find(request, settings);
    const nonce = this.exchangeNonce(sent, user, request, settings);
    return user ? { kind: 'known_user', user, nonce } : { kind: 'anonymous', nonce };
  }

  /** The user of a valid login cookie, whether or not there is a nonce. */
  async find(request: LoginRequest, settings: SiteSettings): Promise<UserRecord | null> {
    const cookies = parseCookies(request.header('cookie'));
    const now = this.seconds();
    for (const scheme of [request.secure ? 'secure_auth' : 'auth', 'logged_in'] as const) {
      const cookie = parseLoginCookie(cookies.get(cookieName(scheme, settings.links.siteUrl)));
      const secret = secretOf(scheme, this.env.secrets, settings.options);
      if (!cookie || !secret || isExpired(cookie, now, request.method)) continue;
      const user = await this.users.findByLogin(sanitizeUser(cookie.login, settings.render.locale));
      if (!user || !isSigned(cookie, user.passHash, secret)) continue;
      if (hasSession(user.meta.get(SESSION_TOKENS), cookie.token, now)) return user;
    }
    return null;
  }

  /** The session of the editor's page that the nonce belongs to, over connections that take its password. */
  private async pageSession(request: LoginRequest, nonce: string): Promise<PageSession | undefined> {
    const isTaken = request.secure || request.loopback || this.env.allowInsecureAuth;
    if (!isTaken || this.env.editor === 'off') return undefined;
    const session = await this.sessions.find(request.header('cookie'));
    return session && equal(session.nonce, nonce) ? session : undefined;
  }

  /** A new nonce for a valid one. */
  private exchangeNonce(
    nonce: string,
    user: UserRecord | null,
    request: LoginRequest,
    settings: SiteSettings,
  ): string {
    const cookies = parseCookies(request.header('cookie'));
    const secret = secretOf('nonce', this.env.secrets, settings.options);
    const cookie = parseLoginCookie(cookies.get(cookieName('logged_in', settings.links.siteUrl)));
    const owner = { userId: user?.id ?? 0, token: cookie?.token ?? '', secret: secret ?? '' };
    if (secret === undefined || !checkNonce(nonce, this.seconds(), owner))
      throw new AuthError(
        403,
        'rest_cookie_invalid_nonce',
        secret === undefined
          ? 'The nonce cannot be checked: NONCE_KEY and NONCE_SALT are not known to this server.'
          : 'The nonce is wrong or has expired.',
        NO_CACHE_HEADERS,
      );
    return createNonce(nonceTick(this.seconds()), owner);
  }

  private seconds(): number {
    return Math.floor(this.clock.now() / 1000);
  }
}
