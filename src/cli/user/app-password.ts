import type { INestApplicationContext } from '@nestjs/common';
import { fastHash, newApplicationPassword } from '../../auth/application-password.js';
import { makePhpass } from '../../auth/slow-hash.js';
import { StartError } from '../../database/start-error.js';
import type { Transaction } from '../../database/transactions.js';
import { sanitizeTextField } from '../../lib/wordpress-text/formatting/sanitize.js';
import {
  asInteger,
  asMap,
  asString,
  type PhpArray,
  serialize,
  toPhp,
  unserialize,
} from '../../lib/wordpress-text/php-serialize.js';
import { OptionWriter } from '../../wordpress/options/option-writer.js';
import { APPLICATION_PASSWORDS } from '../../wordpress/users/users.service.js';
import { UserRows } from './user-rows.js';

/** Manages application passwords for `almanac user app-password`; throws `StartError` for rejected input. */
export class AppPasswordAdmin {
  private readonly rows = new UserRows(this.app);

  constructor(private readonly app: INestApplicationContext) {}

  /** Lists passwords with times in ISO 8601. */
  async list(login: string) {
    const { id } = await this.rows.find(login);
    const [row] = await this.rows.meta([id], [APPLICATION_PASSWORDS]);
    return [...asMap(unserialize(row?.value ?? '')).values()].map((value) => {
      const entry = asMap(value);
      const text = (name: string) => asString(entry.get(name));
      const used = asInteger(entry.get('last_used'));
      return {
        uuid: text('uuid'),
        name: text('name'),
        created: iso(asInteger(entry.get('created'))),
        lastUsed: used > 0 ? iso(used) : null,
        lastIp: text('last_ip') || null,
      };
    });
  }

  /** Creates an application password with a unique name and returns it in clear text. */
  async create(login: string, name: string): Promise<{ uuid: string; password: string }> {
    const label = sanitizeTextField(name);
    if (label === '' || label.length > 100)
      throw new StartError('The name of an application password has 1 to 100 characters.');
    const hash = (await this.rows.readsNewHashes()) ? fastHash : makePhpass;
    const { clear, entry } = newApplicationPassword(label, this.rows.clock.now(), hash);
    await this.rows.transactions.run(async (transaction) => {
      const list = await this.passwordsOf(transaction, login);
      const names = [...list.map.values()].map((value) => asString(asMap(value).get('name')).toLowerCase());
      if (names.includes(label.toLowerCase()))
        throw new StartError(
          `"${login}" has an application password "${label}" already: revoke it, or choose another --name.`,
        );
      list.map.set(Math.max(-1, ...[...list.map.keys()].map(Number)) + 1, toPhp({ ...entry }));
      await this.rows.saveMeta(transaction, list.userId, APPLICATION_PASSWORDS, serialize(list.map));
      // PHP and Almanac ignore application passwords without this option.
      await this.app.get(OptionWriter).set(transaction, 'using_application_passwords', '1', 'on');
    });
    this.rows.settings.forget();
    return { uuid: entry.uuid, password: clear };
  }

  /** Revokes application passwords, one by uuid or name, or all; returns their number. */
  async revoke(login: string, which?: string): Promise<number> {
    return this.rows.transactions.run(async (transaction) => {
      const { map, userId } = await this.passwordsOf(transaction, login);
      const isMeant = (value: unknown) => which === undefined || value === which;
      const remaining = [...map.values()].filter(
        (value) => !isMeant(asMap(value).get('uuid')) && !isMeant(asMap(value).get('name')),
      );
      const revoked = map.size - remaining.length;
      if (revoked === 0 && which !== undefined)
        throw new StartError(`"${login}" has no application password "${which}".`);
      const list: PhpArray = new Map(remaining.map((value, index) => [index, value]));
      if (revoked > 0) await this.rows.saveMeta(transaction, userId, APPLICATION_PASSWORDS, serialize(list));
      else transaction.isNoop = true;
      return revoked;
    });
  }

  private async passwordsOf(
    transaction: Transaction,
    login: string,
  ): Promise<{ userId: number; map: PhpArray }> {
    const { id } = await this.rows.find(login, transaction);
    const row = await this.rows.lockedMeta(transaction, id, APPLICATION_PASSWORDS);
    return { userId: id, map: this.rows.understood(row?.value ?? null, APPLICATION_PASSWORDS) };
  }
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
