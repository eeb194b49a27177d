import { AsyncLocalStorage } from 'node:async_hooks';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Transactions } from '../../src/database/transactions.js';
import { SettingsService } from '../../src/wordpress/options/settings.service.js';

/**
 * Lets every write fail that asks for something outside of its transaction: another connection, for which it would wait
 * for ever when its own is the only one, or settings, which may need one.
 */
export function guardTransactions(app: INestApplicationContext): void {
  const turn = new AsyncLocalStorage<true>();
  const refuse = (what: string) => {
    if (turn.getStore()) throw new Error(`A write asked for ${what} outside of its transaction.`);
  };
  const transactions = app.get(Transactions);
  const run = transactions.run.bind(transactions);
  transactions.run = (work, savedAt) =>
    run((transaction) => turn.run(true, () => work(transaction)), savedAt);
  const source = app.get(DataSource);
  const createQueryRunner = source.createQueryRunner.bind(source);
  source.createQueryRunner = (mode) => {
    refuse('rows');
    return createQueryRunner(mode);
  };
  const settings = app.get(SettingsService);
  const current = settings.current.bind(settings);
  settings.current = async () => {
    refuse('settings');
    return current();
  };
}
