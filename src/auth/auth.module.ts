import { Module } from '@nestjs/common';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { ApplicationLogin } from './application-login.js';
import { AuthService } from './auth.service.js';
import { AuthStrategies } from './auth-strategies.service.js';
import { LoginAttempts } from './login-attempts.service.js';
import { ApplicationPasswordStrategy } from './strategies/application-password.strategy.js';
import { CookieStrategy } from './strategies/cookie.strategy.js';

/** Authentication: strategies, from application passwords to those of plugins. */
@Module({
  imports: [WordPressModule],
  providers: [
    AuthService,
    AuthStrategies,
    LoginAttempts,
    ApplicationLogin,
    ApplicationPasswordStrategy,
    CookieStrategy,
  ],
  exports: [AuthService, AuthStrategies],
})
export class AuthModule {}
