import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ApiKey } from '../../auth/api-keys/api-key.entity.js';
import { newApiKey } from '../../auth/api-keys/api-key-text.js';
import { AuthService } from '../../auth/auth.service.js';
import { capabilitiesIn } from '../../auth/strategies/api-key.strategy.js';
import { Environment } from '../../config/env.js';
import { withMigrationLock } from '../../database/migration-lock.js';
import {
  API_KEYS,
  CreateApiKeys1764000001000,
} from '../../database/migrations/1764000001000-create-api-keys.js';
import { runMigrations } from '../../database/plugin-migrations.js';
import { StartError } from '../../database/start-error.js';
import { hasTable } from '../../database/with-runner.js';
import { sanitizeTextField } from '../../lib/wordpress-text/formatting/sanitize.js';
import { UsersService } from '../../wordpress/users/users.service.js';
import { UserRows } from '../user/user-rows.js';

const MIGRATIONS = [CreateApiKeys1764000001000];
const DAY = 86_400_000;
const MAX_NAME_LENGTH = 100;

/** The input of a new key. */
export interface NewApiKey {
  login: string;
  name: string;
  /** The only capabilities of the key; undefined for all of its user. */
  can?: readonly string[];
  /** Days until it expires; undefined for never. */
  days?: number;
}

/** Manages API keys for `almanac api-key`; throws `StartError` for rejected input. */
export class ApiKeyAdmin {
  private readonly rows = new UserRows(this.app);
  private readonly source = this.app.get(DataSource);

  constructor(private readonly app: INestApplicationContext) {}

  /** Whether the server accepts keys. */
  get isOn(): boolean {
    return this.app.get(Environment).apiKeys === 'on';
  }

  /** Creates the table if it is missing; returns the names of the migrations that ran. */
  async createTable(): Promise<string[]> {
    const ran: string[] = [];
    await withMigrationLock(this.source, () =>
      runMigrations(this.source, MIGRATIONS, (name) => ran.push(name)),
    );
    return ran;
  }

  /** Lists keys by their creation, with times in ISO 8601; of one user with `login`. */
  async list(login?: string) {
    if (!(await hasTable(this.source, API_KEYS))) return [];
    const userId = login === undefined ? undefined : (await this.rows.find(login)).id;
    const keys = await this.source
      .getRepository(ApiKey)
      .find({ where: userId === undefined ? {} : { userId }, order: { createdAt: 'ASC', id: 'ASC' } });
    const users = new Map<number, string>();
    for (const { userId: id } of keys)
      if (!users.has(Number(id))) users.set(Number(id), await this.loginOf(Number(id)));
    return keys.map((key) => ({
      id: key.id,
      name: key.name,
      login: users.get(Number(key.userId)) ?? '',
      capabilities: capabilitiesIn(key) ?? null,
      created: iso(key.createdAt),
      expires: iso(key.expiresAt),
      lastUsed: iso(key.usedAt),
    }));
  }

  /** Creates a key of a user and returns it in clear text. */
  async create({ login, name, can, days }: NewApiKey): Promise<{ id: string; key: string }> {
    const label = sanitizeTextField(name);
    if (label === '' || label.length > MAX_NAME_LENGTH)
      throw new StartError(`The name of an API key has 1 to ${MAX_NAME_LENGTH} characters.`);
    const { id: userId } = await this.rows.find(login);
    const record = await this.app.get(UsersService).findById(userId);
    if (!record) throw new StartError(`There is no user with the login or e-mail address "${login}".`);
    const { capabilities } = this.app.get(AuthService).userOf(record, await this.rows.settings.current());
    const missing = (can ?? []).filter((one) => !capabilities.has(one));
    if (missing.length > 0) throw new StartError(`"${login}" does not have ${missing.join(', ')}.`);
    const { id, text, secretHash } = newApiKey();
    const now = this.rows.clock.now();
    await this.source.getRepository(ApiKey).insert({
      id,
      secretHash,
      name: label,
      userId,
      capabilities: can === undefined ? null : JSON.stringify([...new Set(can)]),
      createdAt: now,
      expiresAt: days === undefined ? null : now + days * DAY,
      usedAt: null,
    });
    return { id, key: text };
  }

  /** Revokes a key, at once on all servers; returns its name. */
  async revoke(id: string): Promise<string> {
    // A whole key is accepted as well.
    const [, bare = id] = /^almk_([0-9a-f]+)_/.exec(id) ?? [];
    const keys = this.source.getRepository(ApiKey);
    const key = (await hasTable(this.source, API_KEYS)) ? await keys.findOneBy({ id: bare }) : null;
    if (!key) throw new StartError(`There is no API key with the id "${bare}".`);
    await keys.delete({ id: bare });
    return key.name;
  }

  private async loginOf(id: number): Promise<string> {
    return (await this.app.get(UsersService).findById(id))?.login ?? `a deleted user (${id})`;
  }
}

const iso = (time: number | null): string | null =>
  time === null ? null : new Date(Number(time)).toISOString();
