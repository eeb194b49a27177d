import { createHash } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { workForAll } from '../database/caller.js';
import { isReadOnly } from '../database/database-errors.js';
import { isEmail } from '../wordpress/formatting/sanitize-email.js';
import { sanitizeUser } from '../wordpress/formatting/sanitize-user.js';
import {
  APPLICATION_PASSWORDS,
  type ApplicationPassword,
  applicationPasswords,
  checkApplicationPassword,
  isFastHash,
  normaliseApplicationPassword,
  withLastUse,
} from './application-password.js';
import { AuthError } from './auth-error.js';
import type { Credentials } from './basic-header.js';
import { FailedAttempts, parseAttemptRule } from './failed-attempts.js';
import { HashPoolBusy } from './hash-pool.js';
import { checkPassword } from './password-hash.js';
import { RememberedChecks } from './remembered-checks.js';
import type { StoredUser, UserStore } from './user-store.js';

/** Fits no password; every failure is checked against one costly hash, so that it does not tell who exists. */
const DECOY_HASH = '$P$BsaltsaltNoPasswordHasThisHash.';
/** Neither `user_login` nor `user_email` holds more. */
const LONGEST_LOGIN = 100;

/** Signs users in by application password: finds, checks, limits failures, notes the use. */
export class ApplicationLogin {
  private readonly logger = new Logger('Authentication');
  private readonly failed: FailedAttempts;
  private readonly remembered = new RememberedChecks();
  private readonly running = new Map<string, Promise<StoredUser>>();
  private saysReadOnly = true;

  /** `rateLimit` as in the variable `RATE_LIMIT`; `now` in milliseconds. */
  constructor(
    private readonly users: UserStore,
    rateLimit: string,
    private readonly now: () => number,
  ) {
    this.failed = new FailedAttempts(parseAttemptRule(rateLimit), now);
  }

  /** The user that the credentials belong to; throws `AuthError`. The same request twice at once is checked once. */
  signIn(credentials: Credentials, address: string, locale: string): Promise<StoredUser> {
    const { login, password } = credentials;
    const key = createHash('sha256')
      .update(JSON.stringify([address, login, password]))
      .digest('base64');
    const running = this.running.get(key) ?? workForAll(() => this.attempt(credentials, address, locale));
    if (!this.running.has(key)) {
      this.running.set(key, running);
      const done = () => this.running.delete(key);
      running.then(done, done);
    }
    return running;
  }

  private async attempt(
    { login, password }: Credentials,
    address: string,
    locale: string,
  ): Promise<StoredUser> {
    const user = login.length > LONGEST_LOGIN ? null : await this.find(login, locale);
    // The id, not the spelling: a name can be written in many ways.
    const key = `${address} ${user?.id ?? createHash('sha256').update(login.toLowerCase()).digest('base64')}`;
    const wait = this.failed.secondsToWait(key);
    if (wait > 0) throw tooManyAttempts(wait);
    const forgive = this.failed.count(key);
    try {
      const entry = await this.fitting(user, normaliseApplicationPassword(password));
      if (!user || !entry) throw refusal(user, login);
      forgive();
      await this.noteUse(user, entry, address);
      return user;
    } catch (error) {
      if (error instanceof AuthError) throw error;
      forgive();
      throw error instanceof HashPoolBusy ? tooManyAttempts(1) : error;
    }
  }

  private async find(login: string, locale: string): Promise<StoredUser | null> {
    const name = sanitizeUser(login, locale);
    const byLogin = name === '' ? null : await this.users.findByLogin(name);
    return byLogin ?? (isEmail(login) ? this.users.findByEmail(login) : null);
  }

  private async fitting(user: StoredUser | null, password: string): Promise<ApplicationPassword | undefined> {
    const entries = applicationPasswords(user?.meta.get(APPLICATION_PASSWORDS));
    const slow = entries.filter(({ hash }) => !isFastHash(hash));
    for (const entry of entries)
      if (isFastHash(entry.hash) && (await checkApplicationPassword(password, entry.hash))) return entry;
    const known = slow.find(({ hash }) => this.remembered.has(password, hash));
    if (known) return known;
    for (const entry of slow) {
      if (!(await checkApplicationPassword(password, entry.hash))) continue;
      this.remembered.add(password, entry.hash);
      return entry;
    }
    if (slow.length === 0) await checkPassword(password, DECOY_HASH);
    return undefined;
  }

  /** Bookkeeping must not fail a request. */
  private async noteUse(user: StoredUser, entry: ApplicationPassword, address: string): Promise<void> {
    const meta = user.meta.get(APPLICATION_PASSWORDS) ?? '';
    const renewed = withLastUse(meta, entry.index, Math.floor(this.now() / 1000), address);
    if (renewed === undefined) return;
    try {
      await this.users.saveMeta(user.id, APPLICATION_PASSWORDS, renewed, meta);
    } catch (error) {
      // A database that may only be read refuses at every request; once is enough.
      if (isReadOnly(error) && !this.saysReadOnly) return;
      this.saysReadOnly = !isReadOnly(error);
      this.logger.warn(`The last use of an application password was not noted: ${error}`);
    }
  }
}

function refusal(user: StoredUser | null, login: string): AuthError {
  if (user)
    return new AuthError(
      401,
      'incorrect_password',
      'The password is not an application password of this user.',
    );
  return isEmail(login)
    ? new AuthError(401, 'invalid_email', 'No user has this e-mail address.')
    : new AuthError(401, 'invalid_username', 'No user has this login name.');
}

function tooManyAttempts(seconds: number): AuthError {
  return new AuthError(
    429,
    'too_many_attempts',
    `Too many failed sign-ins. Try again in ${seconds} seconds.`,
    {
      'Retry-After': String(seconds),
    },
  );
}
