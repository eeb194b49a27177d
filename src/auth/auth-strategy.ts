import type { UserRecord } from '../wordpress/users/users.service.js';
import type { LoginRequest } from './login-request.js';

/** Signs in a user of the site, who is found by the first of the four that is given. */
export interface SiteUserLogin {
  readonly kind: 'site_user';
  readonly id?: number;
  /** Login name, compared by the database, ignoring case. */
  readonly login?: string;
  /** E-mail address; pass verified ones only. */
  readonly email?: string;
  /** The usermeta that no other user has, compared exactly. */
  readonly meta?: { readonly key: string; readonly value: string };
  /** The only capabilities that the login has, of those of the user; undefined for all. */
  readonly only?: readonly string[];
  /** Who signs in if the site does not have the user; without it that is 401 `unknown_user`. */
  readonly otherwise?: VirtualUserLogin;
}

/** Signs in a user that the site does not have; its records get the author 0. */
export interface VirtualUserLogin {
  readonly kind: 'virtual_user';
  /** Identifies the user among those of the strategy: stable, and never given to another one. */
  readonly subject: string;
  /** The name that `/wp/v2/users/me` shows; by default the subject. */
  readonly name?: string;
  readonly email?: string;
  /** Roles of the site; unknown ones are ignored. */
  readonly roles?: readonly string[];
  readonly capabilities?: readonly string[];
}

/** Rejects the request: the credentials are wrong (401), or their owner may not sign in (403). */
export interface LoginRejection {
  readonly kind: 'rejection';
  readonly status: 401 | 403;
  /** A stable code such as `invalid_token`. */
  readonly code: string;
  /** Clear English text for the client, without the credentials. */
  readonly message: string;
  /** Whose credentials they claim to be, for the log. */
  readonly account?: string;
  /** Whether the credentials were valid once: then the rejection is no failed login. */
  readonly wasValid?: boolean;
}

/** Signs in a user whose row is known, or ends the search without a user; with the new nonce for `X-WP-Nonce`. */
export type KnownLogin =
  | { readonly kind: 'known_user'; readonly user: UserRecord; readonly nonce?: string }
  | { readonly kind: 'anonymous'; readonly nonce?: string };

/** The result of a strategy for a request with its credentials. */
export type LoginResult = SiteUserLogin | VirtualUserLogin | LoginRejection | KnownLogin;

export const siteUser = (user: Omit<SiteUserLogin, 'kind'>): SiteUserLogin => ({
  kind: 'site_user',
  ...user,
});

export const virtualUser = (user: Omit<VirtualUserLogin, 'kind'>): VirtualUserLogin => ({
  kind: 'virtual_user',
  ...user,
});

export const rejectLogin = (
  status: 401 | 403,
  code: string,
  message: string,
  more: Pick<LoginRejection, 'account' | 'wasValid'> = {},
): LoginRejection => ({ kind: 'rejection', status, code, message, ...more });

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const areTexts = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((one) => typeof one === 'string'));

const isMeta = (value: unknown): boolean => {
  const { key, value: text } = Object(value) as Record<string, unknown>;
  return isText(key) && isText(text);
};
const isVirtualUser = (value: unknown): boolean => {
  const { kind, subject, roles, capabilities } = Object(value) as VirtualUserLogin;
  return kind === 'virtual_user' && isText(subject) && areTexts(roles) && areTexts(capabilities);
};

/** Whether a value that a strategy returned is complete. */
export function isLoginResult(value: unknown): value is LoginResult {
  const result = Object(value) as LoginResult;
  switch (result.kind) {
    case 'site_user':
      return (
        areTexts(result.only) &&
        (result.otherwise === undefined || isVirtualUser(result.otherwise)) &&
        (result.id === undefined
          ? isText(result.login) || isText(result.email) || isMeta(result.meta)
          : Number.isSafeInteger(result.id))
      );
    case 'virtual_user':
      return isVirtualUser(result);
    case 'rejection':
      return [401, 403].includes(result.status) && isText(result.code) && isText(result.message);
    default:
      return result.kind === 'known_user' || result.kind === 'anonymous';
  }
}

/** The OpenAPI security scheme of a strategy. */
export type LoginScheme =
  | { type: 'http'; scheme: string; bearerFormat?: string; description?: string }
  | { type: 'apiKey'; in: 'header' | 'cookie'; name: string; description?: string };

/**
 * A way to sign in. Each provider of a plugin that extends this class is asked for the requests that have one of its
 * headers (docs/extending.md#logins).
 */
export abstract class AuthStrategy {
  /** Identifies it in the log, the metrics and OpenAPI: lower-case letters, digits and hyphens. */
  abstract readonly name: string;
  /** Strategies are asked in ascending order; the first result counts. */
  readonly order: number = 50;
  /**
   * The request headers that it reads, in lower case; others are not available. Requests with one of them never get the
   * cached response of a URL before the strategy was asked.
   */
  readonly headers: readonly string[] = ['authorization'];
  /** How clients send the credentials. */
  abstract readonly scheme: LoginScheme;
  /** Whether plain HTTP from other machines is rejected, unless `ALLOW_INSECURE_AUTH` is true. */
  readonly needsTls: boolean = true;

  /** Whether requests reach it, such as by its configuration; read once, at start. */
  get isActive(): boolean {
    return true;
  }

  /** The user of the request or a rejection; undefined if it has no credentials of this strategy. */
  abstract authenticate(request: LoginRequest): Promise<LoginResult | undefined> | LoginResult | undefined;

  /**
   * The account whose password is tried. Its attempts are limited by `RATE_LIMIT` before they are checked; without one
   * failures are counted afterwards, which is enough for credentials that cannot be guessed.
   */
  accountOf(_request: LoginRequest): string | undefined {
    return undefined;
  }
}
