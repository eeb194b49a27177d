import { createHash } from 'node:crypto';
import { HttpException, Injectable, Logger } from '@nestjs/common';
import { RestException } from '../common/errors/rest-exception.js';
import { failAfter } from '../common/time-limit.js';
import { Environment } from '../config/env.js';
import { toHttpException } from '../database/database-errors.js';
import { errorText } from '../observability/logging/error-text.js';
import { Metrics } from '../observability/metrics/metrics.service.js';
import { AuthError, NO_CACHE_HEADERS } from './auth-error.js';
import { isBearer, WORDPRESS_STRATEGIES } from './auth-strategies.service.js';
import {
  type AuthStrategy,
  isLoginResult,
  type LoginRejection,
  type LoginResult,
  rejectLogin,
} from './auth-strategy.js';
import { networkOf, rejection, tooManyAttempts } from './failed-logins.js';
import { type AuthRequest, LoginRequest } from './login-request.js';
import { RateLimiter } from './rate-limiter.js';

type Accepted = Exclude<LoginResult, LoginRejection>;

/** How long a strategy may take, in milliseconds. */
const TIMEOUT_MS = 10_000;
const INSECURE = rejectLogin(
  401,
  'insecure_connection',
  'Credentials are accepted over TLS (https) or from this machine only, unless ALLOW_INSECURE_AUTH is true.',
);

/** Asks strategies, limits and logs their failures, and turns rejections into responses. */
@Injectable()
export class LoginAttempts {
  private readonly logger = new Logger('Authentication');

  constructor(
    private readonly env: Environment,
    private readonly limiter: RateLimiter,
    private readonly metrics: Metrics,
  ) {}

  /** The accepted login of a strategy; undefined if the request has no credentials of it. Throws `AuthError`. */
  async run(strategy: AuthStrategy, request: LoginRequest): Promise<Accepted | undefined> {
    const account = await this.guarded(strategy, () => strategy.accountOf(request));
    const attempt =
      account === undefined ? undefined : await this.limiter.begin(keyOf(request, strategy.name, account));
    if (attempt && attempt.secondsToWait > 0)
      throw this.lockedOut(request, account ?? '', attempt.secondsToWait);
    const result = await this.resultOf(strategy, request).catch(async (error) => {
      await attempt?.forgive();
      throw error;
    });
    const isFailure = result?.kind === 'rejection' && result.status === 401 && !result.wasValid;
    if (!isFailure) await attempt?.forgive();
    if (!result) return undefined;
    const isPlain = !request.secure && !request.loopback && !this.env.allowInsecureAuth;
    if (strategy.needsTls && isPlain) throw this.toError(strategy, INSECURE);
    this.metrics.countLogin(strategy.name, result.kind === 'rejection' ? 'rejected' : 'accepted');
    if (result.kind !== 'rejection') return result;
    const rejected = { account, ...result };
    if (isFailure) await this.countFailure(strategy.name, request, rejected, attempt !== undefined);
    else
      this.logger.log(
        rejection('rejected', request.address, rejected.account ?? '', reasonOf(strategy, result)),
      );
    throw this.toError(strategy, result);
  }

  /** The error for a bearer token that no strategy knows. */
  async unknownToken(request: AuthRequest): Promise<AuthError> {
    // The header may be malformed, so its scheme is all that is known.
    const login = new LoginRequest(request, ['authorization']);
    const result = rejectLogin(401, 'invalid_token', 'No login of this server accepts this token.');
    this.metrics.countLogin('none', 'rejected');
    await this.countFailure('none', login, result, false);
    return bearerError(result);
  }

  private async resultOf(strategy: AuthStrategy, request: LoginRequest): Promise<LoginResult | undefined> {
    try {
      return await this.guarded(strategy, async () => {
        const result: unknown = await inTime(strategy.authenticate(request));
        if (result === undefined || result === null) return undefined;
        if (isLoginResult(result)) return result;
        throw new Error('It returned no valid siteUser(…), virtualUser(…), rejectLogin(…) or undefined.');
      });
    } catch (error) {
      const status = error instanceof HttpException ? error.getStatus() : 0;
      const isPlain = !(error instanceof AuthError) && !(error instanceof RestException);
      if (isPlain && (status === 401 || status === 403)) return rejectionOf(error as HttpException, status);
      throw error;
    }
  }

  /** Runs code of a strategy; errors of added ones other than HTTP exceptions below 500 become 503. */
  private async guarded<T>(strategy: AuthStrategy, work: () => T): Promise<Awaited<T>> {
    try {
      return await work();
    } catch (thrown) {
      const error = toHttpException(thrown);
      const isOurs = error instanceof AuthError || error instanceof RestException;
      const isClientError = error instanceof HttpException && error.getStatus() < 500;
      this.metrics.countLogin(strategy.name, isClientError ? 'rejected' : 'failed');
      if (isOurs || isClientError || WORDPRESS_STRATEGIES.has(strategy.name)) throw error;
      this.logger.error(`The login strategy ${strategy.name} failed: ${errorText(error)}`);
      throw new AuthError(503, 'login_unavailable', 'The login cannot be checked at the moment.', {
        ...NO_CACHE_HEADERS,
        'Retry-After': '5',
      });
    }
  }

  /** Counts a failure by address, and by address and credentials; throws above the limit. */
  private async countFailure(
    strategy: string,
    request: LoginRequest,
    { account = '', code }: LoginRejection,
    isCounted: boolean,
  ): Promise<void> {
    if (!isCounted)
      for (const what of ['', request.credentials]) {
        const { secondsToWait } = await this.limiter.begin(keyOf(request, strategy, what));
        if (secondsToWait > 0) throw this.lockedOut(request, account, secondsToWait);
      }
    this.metrics.countRejectedLogin('wrong');
    this.logger.warn(rejection('failed', request.address, account, { strategy, code }));
  }

  private lockedOut(request: LoginRequest, account: string, seconds: number): AuthError {
    this.metrics.countRejectedLogin('locked_out');
    this.logger.warn(rejection('locked out', request.address, account));
    return tooManyAttempts(seconds);
  }

  /** The response to a rejection; of bearer tokens with their challenge. */
  toError(strategy: AuthStrategy, result: LoginRejection): AuthError {
    if (result.status === 401 && isBearer(strategy)) return bearerError(result);
    return new AuthError(result.status, result.code, result.message, NO_CACHE_HEADERS);
  }
}

const keyOf = (request: LoginRequest, strategy: string, what: string): string =>
  `${networkOf(request.address)} ${strategy} ${createHash('sha256').update(what).digest('base64')}`;

const reasonOf = ({ name: strategy }: AuthStrategy, { code }: LoginRejection) => ({ strategy, code });

/** The result of a strategy; throws after the time limit. */
async function inTime<T>(work: T): Promise<Awaited<T>> {
  if (typeof Object(work).then !== 'function') return await work;
  const late = () => new Error(`It took more than ${TIMEOUT_MS / 1000} seconds.`);
  return failAfter(TIMEOUT_MS, Promise.resolve(work), late);
}

/** The challenge of 401 responses where bearer tokens are accepted. */
export const BEARER_CHALLENGE = 'Bearer realm="almanac"';

/** A 401 with the challenge of RFC 6750. */
function bearerError({ code, message }: LoginRejection): AuthError {
  const error = code === INSECURE.code ? 'invalid_request' : 'invalid_token';
  // Quotes and backslashes would end the text.
  const description = message.replace(/[^ !#-[\]-~]/g, '');
  return new AuthError(401, code, message, {
    ...NO_CACHE_HEADERS,
    'WWW-Authenticate': `${BEARER_CHALLENGE}, error="${error}", error_description="${description}"`,
  });
}

/** A rejection that a strategy threw as a Nest exception. */
function rejectionOf(error: HttpException, status: 401 | 403): LoginRejection {
  const body = error.getResponse();
  const code: unknown = typeof body === 'object' ? (body as { code?: unknown }).code : undefined;
  return rejectLogin(status, typeof code === 'string' ? code : 'login_rejected', error.message);
}
