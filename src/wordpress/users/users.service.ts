import { Injectable } from '@nestjs/common';
import sql, { join, type Sql } from 'sql-template-tag';
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

/** What a user is shown of themselves. */
export interface UserProfile {
  id: number;
  login: string;
  nicename: string;
  email: string;
  url: string;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  registered: string;
  displayName: string;
  /** `{prefix}capabilities`, as stored. */
  capabilities: string;
  /** The metas that describe a person: names, language, a few words. */
  meta: ReadonlyMap<string, string>;
}

const PERSONAL = ['first_name', 'last_name', 'nickname', 'description', 'locale'];

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

  /** What a user is shown of themselves; null for nobody. */
  async profile(id: number): Promise<UserProfile | null> {
    const [user] = await this.database.query<Omit<UserProfile, 'meta' | 'capabilities'>>(
      sql`SELECT ID AS id, user_login AS login, user_nicename AS nicename, user_email AS email, user_url AS url,
          user_registered AS registered, display_name AS displayName
          FROM ${this.database.table('users')} WHERE ID = ${id}`,
    );
    if (!user) return null;
    const key = `${this.database.tablePrefix}capabilities`;
    const meta = await this.metaOf(id, [...PERSONAL, key]);
    return { ...user, meta, capabilities: meta.get(key) ?? '' };
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
    const meta = await this.metaOf(user.id, [APPLICATION_PASSWORDS, SESSION_TOKENS, capabilities]);
    return { ...user, meta };
  }

  /** The lowest row of each of the keys. */
  private async metaOf(userId: number, keys: readonly string[]): Promise<Map<string, string>> {
    const rows = await this.database.query<{ name: string; value: string | null }>(
      sql`SELECT meta_key AS name, meta_value AS value FROM ${this.database.table('usermeta')}
          WHERE user_id = ${userId} AND meta_key IN (${join([...keys])}) ORDER BY umeta_id DESC`,
    );
    return new Map(rows.map(({ name, value }) => [name, value ?? '']));
  }
}
