import { Injectable } from '@nestjs/common';
import sql, { join, type Sql } from 'sql-template-tag';
import { Database } from '../../database/database.js';

/** A user's row with some of its meta, the lowest row of each key. */
export interface UserRecord {
  id: number;
  login: string;
  email: string;
  displayName: string;
  /** `user_pass`. */
  passHash: string;
  meta: ReadonlyMap<string, string>;
}

/** Reads and updates users. */
@Injectable()
export class UsersService {
  constructor(private readonly database: Database) {}

  async exists(id: number): Promise<boolean> {
    const rows = await this.database.query(
      sql`SELECT 1 FROM ${this.database.table('users')} WHERE ID = ${id}`,
    );
    return rows.length > 0;
  }

  findByLogin(login: string, metaKeys: readonly string[]): Promise<UserRecord | null> {
    return this.findOne(sql`user_login = ${login}`, metaKeys);
  }

  findByEmail(email: string, metaKeys: readonly string[]): Promise<UserRecord | null> {
    return this.findOne(sql`user_email = ${email}`, metaKeys);
  }

  /** Whether any user has a row of the meta key. */
  async anyHasMeta(key: string): Promise<boolean> {
    const rows = await this.database.query(
      sql`SELECT 1 FROM ${this.database.table('usermeta')} WHERE meta_key = ${key} LIMIT 1`,
    );
    return rows.length > 0;
  }

  /** Replaces a meta value only while it still is `previous`. */
  async replaceMeta(userId: number, key: string, value: string, previous: string): Promise<void> {
    await this.database.query(
      sql`UPDATE ${this.database.table('usermeta')} SET meta_value = ${value}
          WHERE user_id = ${userId} AND meta_key = ${key} AND meta_value = ${previous}`,
    );
  }

  private async findOne(condition: Sql, metaKeys: readonly string[]): Promise<UserRecord | null> {
    const [user] = await this.database.query<Omit<UserRecord, 'meta'>>(
      sql`SELECT ID AS id, user_login AS login, user_email AS email, display_name AS displayName, user_pass AS passHash
          FROM ${this.database.table('users')} WHERE ${condition} ORDER BY ID LIMIT 1`,
    );
    if (!user) return null;
    const rows = await this.database.query<{ name: string; value: string | null }>(
      sql`SELECT meta_key AS name, meta_value AS value FROM ${this.database.table('usermeta')}
          WHERE user_id = ${user.id} AND meta_key IN (${join([...metaKeys])}) ORDER BY umeta_id DESC`,
    );
    return { ...user, meta: new Map(rows.map(({ name, value }) => [name, value ?? ''])) };
  }
}
