import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SingleFlight } from '../cache/single-flight.js';
import { Clock } from '../common/clock.js';
import { workToTheEnd } from '../common/context/abort.js';
import { isEmail, sanitizeUser } from '../lib/wordpress-text/formatting/sanitize.js';
import { splitOnce } from '../lib/wordpress-text/formatting/uri-parts.js';
import { Metrics } from '../observability/metrics/metrics.service.js';
import { APPLICATION_PASSWORDS, type UserRecord, UsersService } from '../wordpress/users/users.service.js';
import {
  type ApplicationPassword,
  applicationPasswords,
  checkApplicationPassword,
  isFastHash,
  normaliseApplicationPassword,
  withLastUse,
} from './application-password.js';
import { AuthError } from './auth-error.js';
import { networkOf, rejection, tooManyAttempts } from './failed-logins.js';
import { LastUses } from './last-uses.js';
import { checkPassword, HashPoolBusy } from './password-hash.js';
import { RateLimiter } from './rate-limiter.js';

/** Matches no password; unknown users are checked against it, so that timing does not reveal which users exist. */
const DECOY_HASH = '$P$BsaltsaltNoPasswordHasThisHash.';
/** The maximum length of `user_email`, the longer of the two columns. */
const MAX_LOGIN_LENGTH = 100;

/** Authenticates users by application password, limits failures and records the last use. */
@Injectable()
export class ApplicationLogin {
  private readonly logger = new Logger('Authentication');
  /**
   * Passwords that match a slow hash, so that only the first request of a client computes it. Holds keyed digests, never a
   * password; a changed or revoked hash is another key, so nothing outlives a revocation.
   */
  private readonly verified = new LRUCache<string, true>({ max: 1000 });
  private readonly digestKey = randomBytes(32);
  private readonly attempts = new SingleFlight<string, UserRecord>();
  private readonly lastUses = new LastUses('an application password');

  constructor(
    @Inject(UsersService)
    private readonly users: Pick<UsersService, 'findByLogin' | 'findByEmail' | 'replaceMeta'>,
    private readonly limiter: RateLimiter,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /** The user that the credentials belong to; throws `AuthError`. Concurrent attempts with the same credentials are one. */
  signIn(credentials: Credentials, address: string, locale: string): Promise<UserRecord> {
    const { login, password } = credentials;
    const key = createHash('sha256')
      .update(JSON.stringify([address, login, password]))
      .digest('base64');
    return this.attempts.run(key, () => workToTheEnd(() => this.attempt(credentials, address, locale)));
  }

  private async attempt(
    { login, password }: Credentials,
    address: string,
    locale: string,
  ): Promise<UserRecord> {
    const user = login.length > MAX_LOGIN_LENGTH ? null : await this.find(login, locale);
    // By id, as a login name has many spellings.
    const key = `${networkOf(address)} ${user?.id ?? createHash('sha256').update(login.toLowerCase()).digest('base64')}`;
    const counted = await this.limiter.begin(key);
    if (counted.secondsToWait > 0) {
      this.metrics.countRejectedLogin('locked_out');
      this.logger.warn(rejection('locked out', address, login));
      throw tooManyAttempts(counted.secondsToWait);
    }
    const entry = await this.matchingEntry(user, password).catch(async (error) => {
      await counted.forgive();
      throw error instanceof HashPoolBusy ? tooManyAttempts(1) : error;
    });
    if (!user || !entry) {
      this.metrics.countRejectedLogin('wrong');
      this.logger.warn(rejection('failed', address, login));
      throw loginError(user, login);
    }
    await counted.forgive();
    await this.recordUse(user, entry, address);
    return user;
  }

  private async find(login: string, locale: string): Promise<UserRecord | null> {
    const name = sanitizeUser(login, locale);
    const byLogin = name === '' ? null : await this.users.findByLogin(name);
    return byLogin ?? (isEmail(login) ? this.users.findByEmail(login) : null);
  }

  /** The application password of the user that was supplied; remembers it, so that a second call computes no slow hash. */
  async matchingEntry(user: UserRecord | null, supplied: string): Promise<ApplicationPassword | undefined> {
    const password = normaliseApplicationPassword(supplied);
    const entries = applicationPasswords(user?.meta.get(APPLICATION_PASSWORDS));
    const slow = entries.filter(({ hash }) => !isFastHash(hash));
    for (const entry of entries)
      if (isFastHash(entry.hash) && (await checkApplicationPassword(password, entry.hash))) return entry;
    const known = slow.find(({ hash }) => this.verified.get(this.digest(password, hash)));
    if (known) return known;
    for (const entry of slow) {
      if (!(await checkApplicationPassword(password, entry.hash))) continue;
      this.verified.set(this.digest(password, entry.hash), true);
      return entry;
    }
    if (slow.length === 0) await checkPassword(password, DECOY_HASH);
    return undefined;
  }

  private digest(password: string, hash: string): string {
    return createHmac('sha256', this.digestKey).update(`${hash}\0${password}`, 'utf8').digest('base64');
  }

  private async recordUse(user: UserRecord, entry: ApplicationPassword, address: string): Promise<void> {
    const meta = user.meta.get(APPLICATION_PASSWORDS) ?? '';
    const renewed = withLastUse(meta, entry.index, Math.floor(this.clock.now() / 1000), address);
    if (renewed === undefined) return;
    await this.lastUses.store(() => this.users.replaceMeta(user.id, APPLICATION_PASSWORDS, renewed, meta));
  }
}

function loginError(user: UserRecord | null, login: string): AuthError {
  const [code, message] = user
    ? ['incorrect_password', 'The password is not an application password of this user.']
    : isEmail(login)
      ? ['invalid_email', 'No user has this e-mail address.']
      : ['invalid_username', 'No user has this login name.'];
  return new AuthError(401, code, message);
}

const BASIC = /^Basic +([A-Za-z0-9/+]+={0,2})$/i;

/** The credentials of a Basic `Authorization` header. */
export interface Credentials {
  login: string;
  password: string;
}

/** Parses a Basic header; null for another scheme, a malformed header, or an empty password. */
export function parseBasicHeader(header: string | undefined): Credentials | null {
  const encoded = BASIC.exec(header?.trim() ?? '')?.[1];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const [login, password] = splitOnce(pair, ':');
  return password === '' ? null : { login, password };
}
