import { AuthError, NO_CACHE_HEADERS } from '../../auth-error.js';
import { AuthStrategy, type LoginResult, type LoginScheme, rejectLogin } from '../../auth-strategy.js';
import type { LoginRequest } from '../../login-request.js';
import { IssuerUnavailable } from './issuer-keys.js';
import { InvalidToken, type JwtClaims, type JwtVerifier } from './jwt-verifier.js';

/** A strategy for the bearer tokens of an OpenID Connect issuer; tokens of other issuers are left to others. */
export abstract class JwtStrategy extends AuthStrategy {
  override readonly scheme: LoginScheme = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' };
  protected abstract readonly verifier: JwtVerifier;

  /** The user of a verified token. */
  abstract userOf(claims: JwtClaims): Promise<LoginResult | undefined> | LoginResult | undefined;

  override async authenticate(request: LoginRequest): Promise<LoginResult | undefined> {
    const token = request.bearer;
    if (token === undefined || !this.verifier.isOfIssuer(token)) return undefined;
    let claims: JwtClaims;
    try {
      claims = await this.verifier.verify(token);
    } catch (error) {
      if (error instanceof InvalidToken)
        return rejectLogin(401, 'invalid_token', error.message, {
          account: error.subject,
          wasValid: error.isOutOfTime,
        });
      if (!(error instanceof IssuerUnavailable)) throw error;
      throw new AuthError(
        503,
        'login_unavailable',
        'The issuer of the token does not answer, so that it cannot be checked.',
        { ...NO_CACHE_HEADERS, 'Retry-After': '5' },
      );
    }
    return this.userOf(claims);
  }
}
