import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { ApiKey } from './api-keys/api-key.entity.js';
import { ApplicationLogin } from './application-login.js';
import { AuthService } from './auth.service.js';
import { AuthStrategies } from './auth-strategies.service.js';
import { LoginAttempts } from './login-attempts.service.js';
import { PageSessions } from './page-sessions.service.js';
import { ApiKeyStrategy } from './strategies/api-key.strategy.js';
import { ApplicationPasswordStrategy } from './strategies/application-password.strategy.js';
import { CookieStrategy } from './strategies/cookie.strategy.js';
import { OidcStrategy } from './strategies/oidc/oidc.strategy.js';

/** Authentication: strategies, from application passwords to those of plugins. */
@Module({
  imports: [WordPressModule, TypeOrmModule.forFeature([ApiKey])],
  providers: [
    AuthService,
    AuthStrategies,
    LoginAttempts,
    PageSessions,
    ApplicationLogin,
    ApplicationPasswordStrategy,
    CookieStrategy,
    ApiKeyStrategy,
    OidcStrategy,
  ],
  exports: [AuthService, AuthStrategies, PageSessions],
})
export class AuthModule {}
