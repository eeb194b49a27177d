import { Module } from '@nestjs/common';
import { WordPressModule } from '../wordpress/wordpress.module.js';
import { AuthService } from './auth.service.js';
import { DatabaseUserStore } from './database-user-store.js';
import { UserStore } from './user-store.js';

/** Signing in: application passwords, login cookies, nonces. */
@Module({
  imports: [WordPressModule],
  providers: [AuthService, { provide: UserStore, useClass: DatabaseUserStore }],
  exports: [AuthService],
})
export class AuthModule {}
