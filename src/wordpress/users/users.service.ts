import { Injectable } from '@nestjs/common';
import sql, { type Sql } from 'sql-template-tag';
import { Database } from '../../database/database.js';

/** Usermeta key of a user's application passwords. */
export const APPLICATION_PASSWORDS = '_application_passwords';
/** Usermeta key of a user's login sessions. */
export const SESSION_TOKENS = 'session_tokens';

/** What signing in reads of a user. */
export interface UserRecord {
  id: number;
  /** `user_pass`. */
  passHash: string;
  /** `_application_passwords`, `session_tokens` and `{prefix}capabilities`, as stored: the lowest row of each key. */
  meta: ReadonlyMap<string, string>;
}

/** Reads and updates users; logins and addresses are compared as the database does, without letter case. */
@Injectable()
export class UsersService {
  constructor(private readonly database: Database) {}

  exists(id: number): Promise<boolean> {
    return this.any(sql`SELECT 1 FROM ${this.database.table('users')} WHERE ID = ${id}`);
  }

  findByLogin(login: string): Promise<UserRecord | null> {
    return this.findOne(sql`user_login = ${login}`);
  }

  findByEmail(email: string): Promise<UserRecord | null> {
    return this.findOne(sql`user_email = ${email}`);
  }

  /** Whether any user has a row of the meta key. */
  anyHasMeta(key: string): Promise<boolean> {
    return this.any(sql`SELECT 1 FROM ${this.database.table('usermeta')} WHERE meta_key = ${key} LIMIT 1`);
  }

  /** Replaces a meta value only while it still is `previous`, so that a revocation in between is not undone. */
  async replaceMeta(userId: number, key: string, value: string, previous: string): Promise<void> {
    await this.database.query(
      sql`UPDATE ${this.database.table('usermeta')} SET meta_value = ${value}
          WHERE user_id = ${userId} AND meta_key = ${key} AND meta_value = ${previous}`,
    );
  }

  private async any(statement: Sql): Promise<boolean> {
    return (await this.database.query(statement)).length > 0;
  }

  private async findOne(condition: Sql): Promise<UserRecord | null> {
    const [user] = await this.database.query<Omit<UserRecord, 'meta'>>(
      sql`SELECT ID AS id, user_pass AS passHash
          FROM ${this.database.table('users')} WHERE ${condition} ORDER BY ID LIMIT 1`,
    );
    if (!user) return null;
    const capabilities = `${this.database.tablePrefix}capabilities`;
    const rows = await this.database.query<{ name: string; value: string | null }>(
      sql`SELECT meta_key AS name, meta_value AS value FROM ${this.database.table('usermeta')}
          WHERE user_id = ${user.id} AND meta_key IN (${APPLICATION_PASSWORDS}, ${SESSION_TOKENS}, ${capabilities})
          ORDER BY umeta_id DESC`,
    );
    return { ...user, meta: new Map(rows.map(({ name, value }) => [name, value ?? ''])) };
  }
}
