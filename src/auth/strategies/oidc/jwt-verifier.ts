import { Logger } from '@nestjs/common';
import { decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import type { Clock } from '../../../common/clock.js';
import { IssuerKeys } from './issuer-keys.js';

/** The claims of a verified token; `sub` and `exp` are always there. */
export type JwtClaims = JWTPayload & { sub: string };

/** A token is not valid; the message says why, without parts of it. */
export class InvalidToken extends Error {
  constructor(
    message: string,
    /** Whether only its time is wrong. */
    readonly isOutOfTime = false,
    /** The claim `sub`, if the signature is valid. */
    readonly subject?: string,
  ) {
    super(message);
  }
}

/** The asymmetric algorithms: with others the public key could be used to sign. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;
/** In seconds. */
const CLOCK_TOLERANCE = 60;
const MAX_TOKEN_LENGTH = 16_384;
/** Types of tokens that give access; logout tokens and the like are none. */
const TYPE = /^(application\/)?(at\+)?jwt$/i;

export interface JwtVerifierOptions {
  /** The exact claim `iss`, below which discovery finds the keys. */
  issuer: string;
  /** The claim `aud` must name one of them. */
  audience: string | readonly string[];
  clock: Pick<Clock, 'now'>;
}

/** Verifies JSON Web Tokens of an OpenID Connect issuer, whose keys it finds by discovery. */
export class JwtVerifier {
  private readonly logger = new Logger('Authentication');
  readonly keys: IssuerKeys;

  constructor(private readonly options: JwtVerifierOptions) {
    this.keys = new IssuerKeys(options.issuer, options.clock, (message) => this.logger.warn(message));
  }

  /** Whether a text is a token that names this issuer; it is not verified. */
  isOfIssuer(token: string): boolean {
    if (token.length > MAX_TOKEN_LENGTH) return false;
    try {
      return decodeJwt(token).iss === this.options.issuer;
    } catch {
      return false;
    }
  }

  /** The claims of a valid token; throws `InvalidToken` or `IssuerUnavailable`. */
  async verify(token: string): Promise<JwtClaims> {
    const { issuer, audience, clock } = this.options;
    if (token.length > MAX_TOKEN_LENGTH) throw new InvalidToken('The token is too long.');
    const options = {
      issuer,
      audience: [audience].flat(),
      algorithms: [...ALGORITHMS],
      clockTolerance: CLOCK_TOLERANCE,
      currentDate: new Date(clock.now()),
      requiredClaims: ['exp', 'sub'],
    };
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.keys.find, options);
      const { sub } = payload;
      if (typeof sub !== 'string' || sub === '') throw new InvalidToken('The token has no sub.');
      if (!TYPE.test(protectedHeader.typ ?? 'JWT'))
        throw new InvalidToken('The token is of another type than JWT.');
      return { ...payload, sub };
    } catch (error) {
      throw error instanceof errors.JOSEError ? invalid(error) : error;
    }
  }
}

const subjectOf = ({ payload }: errors.JWTClaimValidationFailed | errors.JWTExpired) =>
  typeof payload.sub === 'string' ? payload.sub : undefined;

function invalid(error: errors.JOSEError): InvalidToken {
  if (error instanceof errors.JWTExpired)
    return new InvalidToken('The token has expired.', true, subjectOf(error));
  if (error instanceof errors.JWTClaimValidationFailed)
    return error.claim === 'nbf'
      ? new InvalidToken('The token is not valid yet.', true, subjectOf(error))
      : new InvalidToken(`The token has a wrong ${error.claim}.`, false, subjectOf(error));
  return new InvalidToken('The signature of the token cannot be verified.');
}
