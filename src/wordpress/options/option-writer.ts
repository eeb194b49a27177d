import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transactions.js';
import { Option } from './option.entity.js';
import { asMap, canWriteBack, type PhpArray, serialize, unserialize } from './php-serialize.js';
import { SettingsService } from './settings.service.js';

/** Writes options; settings in memory are read again once the transaction is committed. */
@Injectable()
export class OptionWriter {
  constructor(private readonly settings: SettingsService) {}

  /** Sets an option, adding its row when there is none. */
  async set({ manager }: Transaction, name: string, value: string): Promise<void> {
    const result = await manager.update(Option, { name }, { value });
    if (result.affected === 0 && !(await manager.existsBy(Option, { name })))
      await manager.insert(Option, { name, value, autoload: 'auto' });
  }

  async remove({ manager }: Transaction, name: string): Promise<void> {
    await manager.delete(Option, { name });
  }

  /** Changes a serialised map, making its row when there is none; one that is not understood losslessly is left alone. */
  async change(
    transaction: Transaction,
    name: string,
    change: (map: PhpArray) => Promise<void>,
  ): Promise<void> {
    const option = await transaction.manager.findOneBy(Option, { name });
    if (option && !canWriteBack(option.value)) return;
    const map = asMap(unserialize(option?.value ?? ''));
    await change(map);
    const value = serialize(map);
    if (option ? value === option.value : map.size === 0) return;
    await this.set(transaction, name, value);
    transaction.afterCommit(() => this.settings.forget());
  }
}
