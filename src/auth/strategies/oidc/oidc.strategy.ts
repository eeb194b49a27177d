import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { Environment } from '../../../config/env.js';
import { isEmail } from '../../../lib/wordpress-text/formatting/sanitize.js';
import { isSameName, UsersService } from '../../../wordpress/users/users.service.js';
import { type LoginResult, type LoginScheme, virtualUser } from '../../auth-strategy.js';
import { claimedRoles } from './claimed-roles.js';
import { JwtStrategy } from './jwt-strategy.js';
import { type JwtClaims, JwtVerifier } from './jwt-verifier.js';

/** Bearer tokens of the issuer `OIDC_ISSUER` (docs/behaviour/authentication.md#openid-connect). */
@Injectable()
export class OidcStrategy extends JwtStrategy implements OnApplicationBootstrap {
  override readonly name = 'oidc';
  override readonly order = 30;
  override readonly scheme: LoginScheme;
  protected override readonly verifier: JwtVerifier;

  constructor(
    private readonly env: Environment,
    clock: Clock,
    @Inject(UsersService) private readonly users: Pick<UsersService, 'findByEmail'>,
  ) {
    super();
    const { oidcIssuer: issuer = '', oidcAudience: audience } = env;
    this.verifier = new JwtVerifier({ issuer, audience, clock });
    const description = `An access token of ${issuer}.`;
    this.scheme = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description };
  }

  override get isActive(): boolean {
    return this.env.oidcIssuer !== undefined;
  }

  /** Reads the keys ahead of the first token; a failure is logged, and tried again later. */
  onApplicationBootstrap(): void {
    if (this.isActive) this.verifier.keys.refresh().catch(() => undefined);
  }

  override async userOf(claims: JwtClaims): Promise<LoginResult> {
    const { sub, name, preferred_username: login } = claims;
    const email = claims['email_verified'] === true ? text(claims['email']) : undefined;
    if (this.env.oidcMatchEmail && email !== undefined && isEmail(email)) {
      const user = await this.users.findByEmail(email);
      if (user && isSameName(user.email, email)) return { kind: 'known_user', user };
    }
    const { oidcRoleClaim, oidcRoles } = this.env;
    const roles = oidcRoleClaim === undefined ? [] : claimedRoles(claims, oidcRoleClaim, oidcRoles);
    return virtualUser({ subject: sub, name: text(name) ?? text(login), email, roles });
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
