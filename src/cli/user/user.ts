import type { INestApplicationContext } from '@nestjs/common';
import sql, { join, type Sql } from 'sql-template-tag';
import { makePhpass, makeWpHash } from '../../auth/slow-hash.js';
import { insertRows } from '../../database/insert-rows.js';
import { StartError } from '../../database/start-error.js';
import { isEmail, sanitizeTextField } from '../../lib/wordpress-text/formatting/sanitize.js';
import { sanitizeTitle } from '../../lib/wordpress-text/formatting/sanitize-title.js';
import {
  asMap,
  isTruthy,
  type PhpArray,
  serialize,
  toPhp,
  unserialize,
} from '../../lib/wordpress-text/php-serialize.js';
import { nowInZone } from '../../wordpress/posts/post-dates.js';
import { containing } from '../../wordpress/posts/post-rows.js';
import type { Roles } from '../../wordpress/users/capabilities.js';
import { User, UserMeta } from '../../wordpress/users/user.entity.js';
import { APPLICATION_PASSWORDS, SESSION_TOKENS } from '../../wordpress/users/users.service.js';
import { UserRows } from './user-rows.js';

const ADMINISTRATOR = 'administrator';

/** Usermeta of every new user, besides name and rights. */
const NEW_USER_META = {
  nickname: '',
  first_name: '',
  last_name: '',
  description: '',
  rich_editing: 'true',
  syntax_highlighting: 'true',
  comment_shortcuts: 'false',
  admin_color: 'fresh',
  use_ssl: '0',
  show_admin_bar_front: 'true',
  locale: '',
} as const;

/** Manages WordPress users for `almanac user`; throws `StartError` and writes nothing if the input is rejected. */
export class UserAdmin {
  private readonly rows: UserRows;

  constructor(app: INestApplicationContext) {
    this.rows = new UserRows(app);
  }

  /** A page of users by ascending id, and the total. */
  async list({
    search,
    role,
    page = 1,
    perPage = 50,
  }: {
    search?: string;
    role?: string;
    page?: number;
    perPage?: number;
  }) {
    const { roles } = await this.rows.settings.current();
    if (role !== undefined) checkRole(role, roles);
    const found = search === undefined ? undefined : containing(search);
    const like = (column: Sql) => sql`${column} LIKE ${found} ESCAPE '|'`;
    const conditions = [
      sql`1 = 1`,
      ...(found
        ? [sql`(${like(sql`u.user_login`)} OR ${like(sql`u.user_email`)} OR ${like(sql`u.display_name`)})`]
        : []),
      ...(role ? [this.hasRole(sql`u.ID`, role)] : []),
    ];
    const from = sql`FROM ${this.rows.database.table('users')} u WHERE ${join(conditions, ' AND ')}`;
    const [count] = await this.rows.database.query<{ total: number | string }>(
      sql`SELECT COUNT(*) AS total ${from}`,
    );
    const users = await this.rows.database.query<{ id: number; login: string; email: string; name: string }>(
      sql`SELECT u.ID AS id, u.user_login AS login, u.user_email AS email, u.display_name AS name ${from}
          ORDER BY u.ID LIMIT ${perPage} OFFSET ${(page - 1) * perPage}`,
    );
    const meta = await this.rows.meta(
      users.map(({ id }) => id),
      [this.rows.capabilitiesKey, APPLICATION_PASSWORDS],
    );
    const stored = (id: number, key: string) =>
      meta.find((row) => row.userId === id && row.key === key)?.value ?? '';
    return {
      users: users.map((user) => ({
        ...user,
        roles: rolesIn(stored(user.id, this.rows.capabilitiesKey), roles),
        applicationPasswords: asMap(unserialize(stored(user.id, APPLICATION_PASSWORDS))).size,
      })),
      total: Number(count?.total ?? 0),
    };
  }

  /** Creates a user with one role and returns the id. */
  async create(
    { login, email, role, name = login }: { login: string; email: string; role: string; name?: string },
    password: string,
  ): Promise<number> {
    checkLogin(login);
    checkEmail(email);
    checkPassword(password);
    const displayName = sanitizeTextField(name) || login;
    const settings = await this.rows.settings.current();
    checkRole(role, settings.roles);
    const passHash = await accountHash(password, await this.rows.readsNewHashes());
    return this.rows.transactions.run(async (transaction) => {
      const { manager } = transaction;
      const users = this.rows.database.table('users');
      const taken = async (condition: Sql) =>
        (await this.rows.database.query(sql`SELECT ID FROM ${users} WHERE ${condition} LIMIT 1`, manager))
          .length > 0;
      if (await taken(sql`user_login = ${login}`))
        throw new StartError(`There is a user "${login}" already.`);
      if (await taken(sql`user_email = ${email}`))
        throw new StartError(`There is a user with the e-mail address ${email} already.`);
      const slug = sanitizeTitle(login, { locale: settings.render.locale }).slice(0, 46) || 'user';
      let nicename = slug;
      for (let at = 2; await taken(sql`user_nicename = ${nicename}`); at++) nicename = `${slug}-${at}`;
      const userId = await insertRows(manager, User, {
        login,
        passHash,
        nicename,
        email,
        registered: nowInZone(this.rows.clock.now(), 'UTC').utc,
        displayName,
      });
      const meta = {
        ...NEW_USER_META,
        nickname: login,
        [this.rows.capabilitiesKey]: serialize(toPhp({ [role]: true })),
        [this.rows.levelKey]: String(levelOf(settings.roles.get(role))),
      };
      await insertRows(
        manager,
        UserMeta,
        ...Object.entries(meta).map(([key, value]) => ({ userId, key, value })),
      );
      return userId;
    });
  }

  /** Sets a user's password, which ends all sessions. */
  async setPassword(login: string, password: string): Promise<void> {
    checkPassword(password);
    const passHash = await accountHash(password, await this.rows.readsNewHashes());
    await this.rows.transactions.run(async ({ manager }) => {
      const { id } = await this.rows.find(login, { manager });
      const { sql: text, values } = sql`UPDATE ${this.rows.database.table('users')}
        SET user_pass = ${passHash}, user_activation_key = '' WHERE ID = ${id}`;
      await manager.query(text, values);
      await manager.delete(UserMeta, { userId: id, key: SESSION_TOKENS });
    });
  }

  /** Sets a user's only role; the last administrator is kept unless forced. */
  async setRole(login: string, role: string, force = false): Promise<void> {
    const { roles } = await this.rows.settings.current();
    checkRole(role, roles);
    await this.rows.transactions.run(async (transaction) => {
      const { manager } = transaction;
      const user = await this.rows.find(login, transaction);
      const row = await this.rows.lockedMeta(transaction, user.id, this.rows.capabilitiesKey);
      const before = rolesIn(row?.value ?? '', roles);
      if (before.includes(ADMINISTRATOR) && role !== ADMINISTRATOR && !force) {
        const others = await this.rows.database.query<{ value: string }>(
          sql`SELECT meta_value AS value FROM ${this.rows.database.table('usermeta')} WHERE meta_key = ${this.rows.capabilitiesKey}
              AND meta_value LIKE ${`%"${ADMINISTRATOR}"%`} AND user_id <> ${user.id}
              AND user_id IN (SELECT ID FROM ${this.rows.database.table('users')})`,
          manager,
        );
        if (!others.some(({ value }) => rolesIn(value, roles).includes(ADMINISTRATOR)))
          throw new StartError(
            `"${user.login}" is the last administrator: add --force if none should remain.`,
          );
      }
      const stored = [...this.rows.understood(row?.value ?? null, this.rows.capabilitiesKey)];
      const map: PhpArray = new Map([[role, true], ...stored.filter(([name]) => !roles.has(String(name)))]);
      await this.rows.saveMeta(transaction, user.id, this.rows.capabilitiesKey, serialize(map));
      await this.rows.saveMeta(transaction, user.id, this.rows.levelKey, String(levelOf(roles.get(role))));
    });
  }

  /** A condition for users who may have the role; the value itself decides. */
  private hasRole(id: Sql, role: string): Sql {
    const pattern = containing(`"${role}"`);
    return sql`EXISTS (SELECT 1 FROM ${this.rows.database.table('usermeta')} m WHERE m.user_id = ${id}
      AND m.meta_key = ${this.rows.capabilitiesKey} AND m.meta_value LIKE ${pattern} ESCAPE '|')`;
  }
}

const accountHash = (password: string, isNew: boolean) =>
  isNew ? makeWpHash(password) : makePhpass(password);

function checkRole(role: string, roles: Roles): void {
  if (!roles.has(role))
    throw new StartError(
      `There is no role "${role}" on this site. There are: ${[...roles.keys()].join(', ')}.`,
    );
}

/** Throws for login names that WordPress rejects or that do not fit the column. */
function checkLogin(login: string): void {
  if (!/^[A-Za-z0-9_.@-]+( [A-Za-z0-9_.@-]+)*$/.test(login) || login.length > 60)
    throw new StartError(
      'A login name has 1 to 60 letters, digits, blanks and any of "_.@-", and no accents.',
    );
}

/** Throws for invalid e-mail addresses and those that do not fit the column. */
function checkEmail(email: string): void {
  if (!isEmail(email) || email.length > 100) throw new StartError(`"${email}" is not an e-mail address.`);
}

/** Throws for passwords that are too short, too long to hash, or that WordPress would trim. */
function checkPassword(password: string): void {
  if (password.length < 8 || Buffer.byteLength(password) > 4096)
    throw new StartError('A password has at least 8 characters, and at most 4096 bytes.');
  if (password.trim() !== password) throw new StartError('A password neither begins nor ends with a blank.');
}

/** The role names in the usermeta `{prefix}capabilities`. */
function rolesIn(meta: string, roles: Roles): string[] {
  return [...asMap(unserialize(meta))].flatMap(([name]) => (roles.has(String(name)) ? [String(name)] : []));
}

/** The usermeta `{prefix}user_level` of a role: its highest `level_N`. */
function levelOf(capabilities: ReadonlyMap<string, boolean> | undefined): number {
  const levels = [...(capabilities ?? [])].flatMap(([name, given]) => {
    const [, level] = /^level_(\d+)$/.exec(name) ?? [];
    return level !== undefined && isTruthy(given) ? [Number(level)] : [];
  });
  return Math.max(0, ...levels);
}
