import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Environment } from '../config/env.js';
import { sanitizeUser } from '../lib/wordpress-text/formatting/sanitize.js';
import { SettingsService } from '../wordpress/options/settings.service.js';
import type { SiteSettings } from '../wordpress/options/site-settings.js';
import {
  type CapabilityUser,
  capabilitiesOf,
  SuperAdminCapabilities,
} from '../wordpress/users/capabilities.js';
import {
  APPLICATION_PASSWORDS,
  CAPABILITIES,
  SESSION_TOKENS,
  type UserRecord,
  UsersService,
} from '../wordpress/users/users.service.js';
import { ApplicationLogin, parseBasicHeader } from './application-login.js';
import { AuthError } from './auth-error.js';
import {
  cookieName,
  hasSession,
  isExpired,
  isSigned,
  parseCookies,
  parseLoginCookie,
} from './login-cookie.js';
import { checkNonce, createNonce, nonceTick } from './nonce.js';
import { secretOf } from './secrets.js';

/** The parts of a request that authentication reads. */
export interface AuthRequest {
  method: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  remoteAddress: string;
  /** Whether it came over TLS, directly or by a trusted proxy. */
  secure: boolean;
  /** Whether it came from this machine. */
  loopback: boolean;
  /** `_wpnonce` of the form or query. */
  nonce?: string;
}

/** The user, the method of authentication, and the new nonce for `X-WP-Nonce`. */
export interface Authentication {
  user: CapabilityUser | null;
  via: 'basic' | 'cookie' | null;
  nonce?: string;
}

const UNAUTHENTICATED: Authentication = { user: null, via: null };

/** Headers of responses that must not be cached. */
export const NO_CACHE_HEADERS = {
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
} as const;

/** Authenticates requests by login cookie with nonce or by application password (docs/behaviour/authentication.md). */
@Injectable()
export class AuthService {
  constructor(
    private readonly env: Environment,
    @Inject(SettingsService) private readonly settings: Pick<SettingsService, 'current'>,
    @Inject(UsersService) private readonly users: Pick<UsersService, 'findByLogin' | 'anyHasMeta'>,
    private readonly applicationLogin: ApplicationLogin,
    private readonly clock: Clock,
  ) {}

  /** Authenticates a request; throws `AuthError` for wrong credentials (401), a wrong nonce (403), too many failures (429). */
  async authenticate(request: AuthRequest): Promise<Authentication> {
    const credentials = parseBasicHeader(singleValue(request.headers['authorization']));
    const nonce = request.nonce ?? singleValue(request.headers['x-wp-nonce']);
    // Without credentials a login cookie needs a nonce.
    if (!credentials && nonce === undefined) return UNAUTHENTICATED;
    const settings = await this.settings.current();
    const cookies = parseCookies(singleValue(request.headers['cookie']));
    const byCookie = await this.byCookie(request, cookies, settings);
    if (
      !byCookie &&
      credentials &&
      (settings.usingApplicationPasswords || (await this.users.anyHasMeta(APPLICATION_PASSWORDS)))
    ) {
      if (!request.secure && !request.loopback && !this.env.allowInsecureAuth)
        throw new AuthError(
          401,
          'application_passwords_disabled',
          'Credentials are accepted over TLS (https) or from this machine only, unless ALLOW_INSECURE_AUTH is true.',
        );
      const address = request.remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '');
      const user = await this.applicationLogin.signIn(credentials, address, settings.render.locale);
      return { user: this.userOf(user, settings), via: 'basic' };
    }
    if (nonce === undefined) return UNAUTHENTICATED;
    const fresh = this.exchangeNonce(nonce, byCookie, cookies, settings);
    return byCookie
      ? { user: this.userOf(byCookie, settings), via: 'cookie', nonce: fresh }
      : { ...UNAUTHENTICATED, nonce: fresh };
  }

  private async byCookie(
    request: AuthRequest,
    cookies: ReadonlyMap<string, string>,
    settings: SiteSettings,
  ): Promise<UserRecord | null> {
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

  /** A new nonce for a valid one. */
  private exchangeNonce(
    nonce: string,
    user: UserRecord | null,
    cookies: ReadonlyMap<string, string>,
    settings: SiteSettings,
  ): string {
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

  /** A user with all capabilities on this site; `isDenied` removes `unfiltered_html`. */
  userOf(
    { id, isSuperAdmin, meta }: UserRecord,
    settings: SiteSettings,
    isDenied = this.env.disallowUnfilteredHtml,
  ): CapabilityUser {
    const own = capabilitiesOf(meta.get(CAPABILITIES), settings.roles);
    // In a network only super admins have `unfiltered_html`.
    if (isDenied || isSuperAdmin === false) own.delete('unfiltered_html');
    if (!isSuperAdmin) return { id, capabilities: own };
    return { id, capabilities: new SuperAdminCapabilities(own, isDenied ? ['unfiltered_html'] : []) };
  }

  private seconds(): number {
    return Math.floor(this.clock.now() / 1000);
  }
}

function singleValue(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
