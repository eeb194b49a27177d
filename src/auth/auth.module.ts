import { Module } from '@nestjs/common';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { ApplicationLogin } from './application-login.js';
import { AuthService } from './auth.service.js';
import { MemoryRateLimiter } from './memory-rate-limiter.js';
import { RateLimiter } from './rate-limiter.js';

/** Signing in: application passwords, login cookies, nonces. */
@Module({
  imports: [WordPressModule],
  providers: [AuthService, ApplicationLogin, { provide: RateLimiter, useClass: MemoryRateLimiter }],
  exports: [AuthService],
})
export class AuthModule {}
