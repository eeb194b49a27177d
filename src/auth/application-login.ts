import { createHash, createHmac, randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { Inject, Injectable, Logger } from '@nestjs/common';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { workToTheEnd } from '../common/context/abort.js';
import { isReadOnly } from '../database/database-errors.js';
import { LogEntry } from '../observability/logging/log-entry.js';
import { quotedText } from '../lib/safe-text.js';
import { Metrics } from '../observability/metrics/metrics.service.js';
import { Clock } from '../common/clock.js';
import { isEmail } from '../lib/wordpress-text/formatting/sanitize-email.js';
import { sanitizeUser } from '../lib/wordpress-text/formatting/sanitize-user.js';
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
import type { Credentials } from './basic-header.js';
import { HashPoolBusy } from './hash-pool.js';
import { checkPassword } from './password-hash.js';
import { RateLimiter } from './rate-limiter.js';

/** Fits no password; every failure is checked against one costly hash, so that it does not tell who exists. */
const DECOY_HASH = '$P$BsaltsaltNoPasswordHasThisHash.';
/** Neither `user_login` nor `user_email` holds more. */
const MAX_LOGIN_LENGTH = 100;
/** Characters of a name that the log shows. */
const MAX_LOGGED_LOGIN_LENGTH = 60;

/** Signs users in by application password: finds, checks, limits failures, notes the use. */
@Injectable()
export class ApplicationLogin {
  private readonly logger = new Logger('Authentication');
  /**
   * Which passwords fitted which costly hashes, so that only the first request of a client pays. Holds keyed digests,
   * never a password; a changed or revoked hash is another key, so nothing outlives a revocation.
   */
  private readonly remembered = new LRUCache<string, true>({ max: 1000 });
  private readonly digestKey = randomBytes(32);
  private readonly running = new Map<string, Promise<UserRecord>>();
  private saysReadOnly = true;

  constructor(
    @Inject(UsersService)
    private readonly users: Pick<UsersService, 'findByLogin' | 'findByEmail' | 'replaceMeta'>,
    private readonly limiter: RateLimiter,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  /** The user that the credentials belong to; throws `AuthError`. The same request twice at once is checked once. */
  signIn(credentials: Credentials, address: string, locale: string): Promise<UserRecord> {
    const { login, password } = credentials;
    const key = createHash('sha256')
      .update(JSON.stringify([address, login, password]))
      .digest('base64');
    const running = this.running.get(key);
    if (running) return running;
    const started = workToTheEnd(() => this.attempt(credentials, address, locale));
    const attempt = started.finally(() => this.running.delete(key));
    this.running.set(key, attempt);
    return attempt;
  }

  private async attempt(
    { login, password }: Credentials,
    address: string,
    locale: string,
  ): Promise<UserRecord> {
    const user = login.length > MAX_LOGIN_LENGTH ? null : await this.find(login, locale);
    // The id, not the spelling: a name can be written in many ways.
    const key = `${networkOf(address)} ${user?.id ?? createHash('sha256').update(login.toLowerCase()).digest('base64')}`;
    const counted = await this.limiter.begin(key);
    if (counted.secondsToWait > 0) {
      this.metrics.countRejectedLogin('locked_out');
      this.logger.warn(rejection('locked out', address, login));
      throw tooManyAttempts(counted.secondsToWait);
    }
    const entry = await this.fitting(user, normaliseApplicationPassword(password)).catch(async (error) => {
      await counted.forgive();
      throw error instanceof HashPoolBusy ? tooManyAttempts(1) : error;
    });
    if (!user || !entry) {
      this.metrics.countRejectedLogin('wrong');
      this.logger.warn(rejection('failed', address, login));
      throw refusal(user, login);
    }
    await counted.forgive();
    await this.noteUse(user, entry, address);
    return user;
  }

  private async find(login: string, locale: string): Promise<UserRecord | null> {
    const name = sanitizeUser(login, locale);
    const byLogin = name === '' ? null : await this.users.findByLogin(name);
    return byLogin ?? (isEmail(login) ? this.users.findByEmail(login) : null);
  }

  private async fitting(user: UserRecord | null, password: string): Promise<ApplicationPassword | undefined> {
    const entries = applicationPasswords(user?.meta.get(APPLICATION_PASSWORDS));
    const slow = entries.filter(({ hash }) => !isFastHash(hash));
    for (const entry of entries)
      if (isFastHash(entry.hash) && (await checkApplicationPassword(password, entry.hash))) return entry;
    const known = slow.find(({ hash }) => this.remembered.get(this.digest(password, hash)));
    if (known) return known;
    for (const entry of slow) {
      if (!(await checkApplicationPassword(password, entry.hash))) continue;
      this.remembered.set(this.digest(password, entry.hash), true);
      return entry;
    }
    if (slow.length === 0) await checkPassword(password, DECOY_HASH);
    return undefined;
  }

  private digest(password: string, hash: string): string {
    return createHmac('sha256', this.digestKey).update(`${hash}\0${password}`, 'utf8').digest('base64');
  }

  /** Bookkeeping must not fail a request. */
  private async noteUse(user: UserRecord, entry: ApplicationPassword, address: string): Promise<void> {
    const meta = user.meta.get(APPLICATION_PASSWORDS) ?? '';
    const renewed = withLastUse(meta, entry.index, Math.floor(this.clock.now() / 1000), address);
    if (renewed === undefined) return;
    try {
      await this.users.replaceMeta(user.id, APPLICATION_PASSWORDS, renewed, meta);
    } catch (error) {
      // A database that may only be read refuses at every request; once is enough.
      if (isReadOnly(error) && !this.saysReadOnly) return;
      this.saysReadOnly = !isReadOnly(error);
      this.logger.warn(`The last use of an application password was not noted: ${error}`);
    }
  }
}

/** Where failures are counted together: one machine has a whole network (/64) of IPv6 addresses to come from. */
function networkOf(address: string): string {
  // Which interface it came by (`%eth0`) says nothing of that.
  const [bare = ''] = address.split('%');
  const parsed = isIP(bare) === 6 ? ipaddr.process(bare) : undefined;
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : address;
}

/** What fail2ban reads (docs/operating.md#failed-logins): the address stands before anything that the client chose. */
function rejection(outcome: 'failed' | 'locked out', address: string, login: string): LogEntry {
  const from = isIP(address) === 0 ? 'unknown' : address;
  const name = quotedText(login, MAX_LOGGED_LOGIN_LENGTH);
  return new LogEntry(`Login ${outcome} from ${from} as ${name}`, {
    event: `login_${outcome.replace(' ', '_')}`,
    address: from,
    login: name.slice(1, -1),
  });
}

function refusal(user: UserRecord | null, login: string): AuthError {
  const [code, message] = user
    ? ['incorrect_password', 'The password is not an application password of this user.']
    : isEmail(login)
      ? ['invalid_email', 'No user has this e-mail address.']
      : ['invalid_username', 'No user has this login name.'];
  return new AuthError(401, code, message);
}

function tooManyAttempts(seconds: number): AuthError {
  const message = `Too many failed sign-ins. Try again in ${seconds} seconds.`;
  return new AuthError(429, 'too_many_attempts', message, { 'Retry-After': String(seconds) });
}
