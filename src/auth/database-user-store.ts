import { Injectable } from '@nestjs/common';
import { Environment } from '../config/env.js';
import { UsersService } from '../wordpress/users/users.service.js';
import { APPLICATION_PASSWORDS } from './application-password.js';
import { type StoredUser, UserStore } from './user-store.js';

/** The users of the site's own tables. */
@Injectable()
export class DatabaseUserStore extends UserStore {
  private readonly metaKeys: readonly string[];

  constructor(
    private readonly users: UsersService,
    env: Environment,
  ) {
    super();
    this.metaKeys = [APPLICATION_PASSWORDS, 'session_tokens', `${env.tablePrefix}capabilities`];
  }

  override findByLogin(login: string): Promise<StoredUser | null> {
    return this.users.findByLogin(login, this.metaKeys);
  }

  override findByEmail(email: string): Promise<StoredUser | null> {
    return this.users.findByEmail(email, this.metaKeys);
  }

  override hasApplicationPasswords(): Promise<boolean> {
    return this.users.anyHasMeta(APPLICATION_PASSWORDS);
  }

  override saveMeta(userId: number, key: string, value: string, previous: string): Promise<void> {
    return this.users.replaceMeta(userId, key, value, previous);
  }
}
