import { Injectable } from '@nestjs/common';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import { VersionedCache } from '../../cache/versioned-cache.js';
import { Environment } from '../../config/env.js';
import { Database } from '../../database/database.js';
import { isOutsideCharset } from '../../database/database-errors.js';
import { quoted } from '../../database/dialect.js';
import { TableVersions } from '../../database/table-versions.service.js';
import { asMap, unserialize } from '../../lib/wordpress-text/php-serialize.js';

export const APPLICATION_PASSWORDS = '_application_passwords';
/** The key of `{prefix}capabilities` in a `UserRecord`. */
export const CAPABILITIES = 'capabilities';
export const SESSION_TOKENS = 'session_tokens';

/** The fields of a user that authentication reads. */
export interface UserRecord {
  id: number;
  login: string;
  email: string;
  passHash: string;
  /** Whether the user is a super admin of the site's network; undefined without a network. */
  isSuperAdmin?: boolean;
  /** The first row of `_application_passwords`, `session_tokens` and, without prefix, `capabilities`, unparsed. */
  meta: ReadonlyMap<string, string>;
}

/** A user joined with one meta row, or with nulls. */
interface UserRow extends Omit<UserRecord, 'meta' | 'isSuperAdmin'> {
  metaId: number;
  name: string;
  value: string | null;
}

/** Reads and updates users; logins and e-mail addresses are compared by the database, ignoring case. */
@Injectable()
export class UsersService {
  /** Meta keys that some user has; others are looked up each time. */
  private readonly usedKeys = new VersionedCache<string, boolean>({
    tables: ['usermeta'],
    maxSize: 100,
    sizeOf: (isUsed) => (isUsed ? 1 : Number.POSITIVE_INFINITY),
  });

  constructor(
    private readonly database: Database,
    private readonly versions: TableVersions,
    private readonly env: Environment,
  ) {}

  exists(id: number): Promise<boolean> {
    return this.any(sql`SELECT 1 FROM ${this.database.table('users')} WHERE ID = ${id}`);
  }

  /** Whether the site belongs to a network. */
  get hasNetwork(): boolean {
    return this.database.network !== undefined;
  }

  findById(id: number): Promise<UserRecord | null> {
    return this.findOne(sql`u.ID = ${id}`);
  }

  findByLogin(login: string): Promise<UserRecord | null> {
    return this.findOne(sql`u.user_login = ${login}`);
  }

  findByEmail(email: string): Promise<UserRecord | null> {
    return this.findOne(sql`u.user_email = ${email}`);
  }

  /** The only user with this meta row; null if several have it. Values are compared exactly. */
  async findByMeta({ key, value }: { key: string; value: string }): Promise<UserRecord | null> {
    const rows = await this.storable(
      this.database.query<{ id: number; value: string }>(
        sql`SELECT user_id AS id, meta_value AS value FROM ${this.database.table('usermeta')}
            WHERE meta_key = ${key} AND meta_value = ${value}`,
      ),
    );
    const [id, other] = new Set(rows.filter((row) => row.value === value).map((row) => row.id));
    return id === undefined || other !== undefined ? null : this.findById(id);
  }

  /** Whether any user has the meta key; the removal of the last one may be noticed a second late. */
  async anyHasMeta(key: string): Promise<boolean> {
    return this.usedKeys.get(key, await this.versions.snapshot(), () =>
      this.any(sql`SELECT 1 FROM ${this.database.table('usermeta')} WHERE meta_key = ${key} LIMIT 1`),
    );
  }

  /** Replaces a meta value only if it still is `previous`, so that a concurrent revocation stays; no-op in read-only mode. */
  async replaceMeta(userId: number, key: string, value: string, previous: string): Promise<void> {
    if (this.env.readOnly) return;
    await this.database.query(
      sql`UPDATE ${this.database.table('usermeta')} SET meta_value = ${value}
          WHERE user_id = ${userId} AND meta_key = ${key} AND meta_value = ${previous}`,
    );
  }

  private async any(statement: Sql): Promise<boolean> {
    return (await this.database.query(statement)).length > 0;
  }

  /** Reads a user in one statement; rows are sorted here, which avoids a temporary table. */
  private async findOne(condition: Sql): Promise<UserRecord | null> {
    const capabilities = `${this.database.tablePrefix}capabilities`;
    const query = this.database.query<UserRow>(
      sql`SELECT u.ID AS id, u.user_login AS login, u.user_email AS email, u.user_pass AS passHash, m.umeta_id AS metaId, m.meta_key AS name, m.meta_value AS value
          FROM ${this.database.table('users')} u LEFT JOIN ${this.database.table('usermeta')} m ON m.user_id = u.ID
          AND m.meta_key IN (${APPLICATION_PASSWORDS}, ${SESSION_TOKENS}, ${capabilities}) WHERE ${condition}`,
    );
    const rows = await this.storable(query);
    const [user] = rows.sort((a, b) => a.id - b.id || b.metaId - a.metaId);
    if (!user) return null;
    const own = rows.filter(({ id }) => id === user.id);
    const meta = new Map(
      own.map(({ name, value }) => [name === capabilities ? CAPABILITIES : name, value ?? '']),
    );
    const { id, passHash, login, email } = user;
    return { id, login, email, passHash, isSuperAdmin: await this.isSuperAdmin(login), meta };
  }

  /** The rows of a query; none for a value that the column cannot encode, as no user can have it. */
  private storable<Row>(query: Promise<Row[]>): Promise<Row[]> {
    return query.catch((error: unknown) => {
      if (isOutsideCharset(error)) return [];
      throw error;
    });
  }

  /** Whether the network lists this login as a super admin, case-sensitive. */
  private async isSuperAdmin(login: string): Promise<boolean | undefined> {
    const { network } = this.database;
    if (!network?.isKnown) return network && false;
    const shared = (name: string) => raw(quoted(this.database.dialect, network.prefix + name));
    const [row] = await this.database.query<{ value: string | null }>(
      sql`SELECT m.meta_value AS value FROM ${shared('sitemeta')} m JOIN ${shared('blogs')} b ON b.site_id = m.site_id
          WHERE b.blog_id = ${network.blogId} AND m.meta_key = 'site_admins' ORDER BY m.meta_id LIMIT 1`,
    );
    return [...asMap(unserialize(row?.value ?? '')).values()].includes(login);
  }
}

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

const folded = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Whether two names are the same but for ASCII case; the database also ignores accents. */
export const isSameName = (one: string, other: string): boolean => folded(one) === folded(other);

const PERSONAL = ['first_name', 'last_name', 'nickname', 'description', 'locale'];

/** Reads profiles, without passwords, sessions and keys. */
@Injectable()
export class UserProfiles {
  constructor(private readonly database: Database) {}

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
