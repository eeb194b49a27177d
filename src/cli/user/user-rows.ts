import type { INestApplicationContext } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Clock } from '../../common/clock.js';
import { Database } from '../../database/database.js';
import { forUpdate } from '../../database/dialect.js';
import { insertRows } from '../../database/insert-rows.js';
import { StartError } from '../../database/start-error.js';
import { type Transaction, Transactions } from '../../database/transactions.js';
import { asMap, canWriteBack, type PhpArray, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import { readOptions } from '../../wordpress/options/read-options.js';
import { SettingsService } from '../../wordpress/options/settings.service.js';
import { inList } from '../../wordpress/posts/post-rows.js';
import { UserMeta } from '../../wordpress/users/user.entity.js';

/** The database version (WordPress 6.8) from which PHP verifies today's hashes. */
const NEW_HASHES = 60_421;

export interface MetaRow {
  userId: number;
  key: string;
  value: string | null;
}

export class UserRows {
  readonly database = this.app.get(Database);
  readonly transactions = this.app.get(Transactions);
  readonly settings = this.app.get(SettingsService);
  readonly clock = this.app.get(Clock);
  /** Usermeta key of a user's roles and capabilities on this site. */
  readonly capabilitiesKey = `${this.database.tablePrefix}capabilities`;
  /** Usermeta key of the level that follows from the role. */
  readonly levelKey = `${this.database.tablePrefix}user_level`;

  constructor(private readonly app: INestApplicationContext) {}

  /** Finds a user by login name, or else by e-mail address. */
  async find(
    login: string,
    transaction?: Pick<Transaction, 'manager'>,
  ): Promise<{ id: number; login: string }> {
    for (const column of [sql`user_login`, sql`user_email`]) {
      const [user] = await this.database.query<{ id: number; login: string }>(
        sql`SELECT ID AS id, user_login AS login FROM ${this.database.table('users')} WHERE ${column} = ${login}
            ORDER BY ID LIMIT 1`,
        transaction?.manager,
      );
      if (user && login !== '') return user;
    }
    throw new StartError(`There is no user with the login or e-mail address "${login}".`);
  }

  /** Rows with these keys in order: the first of a key counts. */
  async meta(ids: readonly number[], keys: readonly string[]): Promise<MetaRow[]> {
    return this.database.query<MetaRow>(
      sql`SELECT user_id AS userId, meta_key AS ${this.database.column('key')}, meta_value AS value
          FROM ${this.database.table('usermeta')} WHERE ${inList(sql`user_id`, ids)} AND ${inList(sql`meta_key`, keys)}
          ORDER BY umeta_id`,
    );
  }

  /** The row that counts, locked until the commit. */
  async lockedMeta({ manager }: Transaction, userId: number, key: string): Promise<MetaRow | undefined> {
    const [row] = await this.database.query<MetaRow>(
      sql`SELECT user_id AS userId, meta_value AS value FROM ${this.database.table('usermeta')}
          WHERE user_id = ${userId} AND meta_key = ${key} ORDER BY umeta_id LIMIT 1${forUpdate(this.database.dialect)}`,
      manager,
    );
    return row;
  }

  /** Updates every row of the key, as WordPress does, or inserts one. */
  async saveMeta({ manager }: Transaction, userId: number, key: string, value: string): Promise<void> {
    if (await manager.existsBy(UserMeta, { userId, key }))
      await manager.update(UserMeta, { userId, key }, { value });
    else await insertRows(manager, UserMeta, { userId, key, value });
  }

  /** Parses a serialized map; throws `StartError` if writing it back would lose data. */
  understood(value: string | null, key: string): PhpArray {
    if (value === null || value === '') return new Map();
    if (!canWriteBack(value))
      throw new StartError(`The usermeta ${key} has an unknown format, so it is left unchanged.`);
    return asMap(unserialize(value));
  }

  /** Whether the site's WordPress verifies the hashes of version 6.8. */
  async readsNewHashes(): Promise<boolean> {
    const version = (await readOptions(this.database, ['db_version'])).get('db_version');
    return version === undefined || Number(version) >= NEW_HASHES;
  }
}
