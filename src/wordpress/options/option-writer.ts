import { Injectable } from '@nestjs/common';
import sql from 'sql-template-tag';
import { Database } from '../../database/database.js';
import { forUpdate } from '../../database/dialect.js';
import type { Transaction } from '../../database/transactions.js';
import { type PhpArray, serialize, unserialize } from '../../lib/wordpress-text/php-serialize.js';
import { Option } from './option.entity.js';
import { SettingsService } from './settings.service.js';

/** Writes options; after the commit cached settings are read again. */
@Injectable()
export class OptionWriter {
  constructor(
    private readonly database: Database,
    private readonly settings: SettingsService,
  ) {}

  /** Sets an option, adding its row if it is missing; `on`: PHP loads it with every page. */
  async set({ manager }: Transaction, name: string, value: string, autoload: 'auto' | 'on' = 'auto') {
    const result = await manager.update(Option, { name }, { value });
    if (result.affected === 0 && !(await manager.existsBy(Option, { name })))
      await manager.insert(Option, { name, value, autoload });
  }

  async remove({ manager }: Transaction, name: string): Promise<void> {
    await manager.delete(Option, { name });
  }

  /** Changes a serialised map under a row lock; false for no change, and for a value that must stay. */
  async change(
    transaction: Transaction,
    name: string,
    change: (map: PhpArray) => void | Promise<void>,
    autoload?: 'auto' | 'on',
  ): Promise<boolean> {
    const [option] = await this.database.query<{ value: string }>(
      sql`SELECT option_value AS value FROM ${this.database.table('options')}
          WHERE option_name = ${name}${forUpdate(this.database.dialect)}`,
      transaction.manager,
    );
    const map = option ? unserialize(option.value) : new Map();
    if (!(map instanceof Map) || (option && serialize(map) !== option.value)) return false;
    await change(map);
    const value = serialize(map);
    if (option ? value === option.value : map.size === 0) return false;
    await this.set(transaction, name, value, autoload);
    transaction.afterCommit(() => this.settings.forget());
    return true;
  }
}
