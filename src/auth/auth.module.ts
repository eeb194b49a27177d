import { Module } from '@nestjs/common';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { ApplicationLogin } from './application-login.js';
import { AuthService } from './auth.service.js';

/** Authentication: application passwords, login cookies, nonces. */
@Module({
  imports: [WordPressModule],
  providers: [AuthService, ApplicationLogin],
  exports: [AuthService],
})
export class AuthModule {}
