import { Injectable } from '@nestjs/common';
import sql, { join } from 'sql-template-tag';
import { Database } from '../../database/database.js';

/** A user's own profile. */
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
  /** Personal meta: names, language, description. */
  meta: ReadonlyMap<string, string>;
}

const PERSONAL = ['first_name', 'last_name', 'nickname', 'description', 'locale'];

/** Reads profiles, without passwords, sessions and keys. */
@Injectable()
export class UserProfiles {
  constructor(private readonly database: Database) {}

  /** The profile of a user, or null. */
  async find(id: number): Promise<UserProfile | null> {
    const [user] = await this.database.query<Omit<UserProfile, 'meta' | 'capabilities'>>(
      sql`SELECT ID AS id, user_login AS login, user_nicename AS nicename, user_email AS email, user_url AS url,
          user_registered AS registered, display_name AS displayName
          FROM ${this.database.table('users')} WHERE ID = ${id}`,
    );
    if (!user) return null;
    const key = `${this.database.tablePrefix}capabilities`;
    // The first row of a key wins.
    const rows = await this.database.query<{ name: string; value: string | null }>(
      sql`SELECT meta_key AS name, meta_value AS value FROM ${this.database.table('usermeta')}
          WHERE user_id = ${id} AND meta_key IN (${join([...PERSONAL, key])}) ORDER BY umeta_id DESC`,
    );
    const meta = new Map(rows.map(({ name, value }) => [name, value ?? '']));
    return { ...user, meta, capabilities: meta.get(key) ?? '' };
  }
}
