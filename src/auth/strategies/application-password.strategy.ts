import { Inject, Injectable } from '@nestjs/common';
import { Environment } from '../../config/env.js';
import { SettingsService } from '../../wordpress/options/settings.service.js';
import { APPLICATION_PASSWORDS, UsersService } from '../../wordpress/users/users.service.js';
import { ApplicationLogin, parseBasicHeader } from '../application-login.js';
import { AuthError } from '../auth-error.js';
import { AuthStrategy, type LoginResult, type LoginScheme } from '../auth-strategy.js';
import type { LoginRequest } from '../login-request.js';
import { CookieStrategy } from './cookie.strategy.js';

/** Application passwords in Basic headers (docs/behaviour/authentication.md#application-passwords). */
@Injectable()
export class ApplicationPasswordStrategy extends AuthStrategy {
  override readonly name = 'basic';
  override readonly order = 10;
  override readonly headers = ['authorization', 'cookie'];
  /** `ApplicationLogin` limits attempts, and TLS is checked here: on sites without passwords it does not matter. */
  override readonly needsTls = false;
  override readonly scheme: LoginScheme = {
    type: 'http',
    scheme: 'basic',
    description: 'User name and an application password.',
  };

  constructor(
    private readonly env: Environment,
    @Inject(SettingsService) private readonly settings: Pick<SettingsService, 'current'>,
    @Inject(UsersService) private readonly users: Pick<UsersService, 'anyHasMeta'>,
    private readonly cookies: CookieStrategy,
    private readonly login: ApplicationLogin,
  ) {
    super();
  }

  override async authenticate(request: LoginRequest): Promise<LoginResult | undefined> {
    const credentials = parseBasicHeader(request.header('authorization'));
    if (!credentials) return undefined;
    const settings = await this.settings.current();
    // A valid login cookie determines the user.
    if (await this.cookies.find(request, settings)) return undefined;
    if (!settings.usingApplicationPasswords && !(await this.users.anyHasMeta(APPLICATION_PASSWORDS)))
      return undefined;
    if (!request.secure && !request.loopback && !this.env.allowInsecureAuth)
      throw new AuthError(
        401,
        'application_passwords_disabled',
        'Credentials are accepted over TLS (https) or from this machine only, unless ALLOW_INSECURE_AUTH is true.',
      );
    const user = await this.login.signIn(credentials, request.address, settings.render.locale);
    return { kind: 'known_user', user };
  }
}
