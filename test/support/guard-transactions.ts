import { AsyncLocalStorage } from 'node:async_hooks';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Transactions } from '../../src/database/transactions.js';
import { SettingsService } from '../../src/wordpress/options/settings.service.js';

/** Fails every write that uses another connection, or settings, inside its transaction: with one connection it would deadlock. */
export function guardTransactions(app: INestApplicationContext): void {
  const turn = new AsyncLocalStorage<true>();
  const rejectInTransaction = (what: string) => {
    if (turn.getStore()) throw new Error(`A write asked for ${what} outside of its transaction.`);
  };
  const transactions = app.get(Transactions);
  const run = transactions.run.bind(transactions);
  transactions.run = (work, savedAt) =>
    run((transaction) => turn.run(true, () => work(transaction)), savedAt);
  const source = app.get(DataSource);
  const createQueryRunner = source.createQueryRunner.bind(source);
  source.createQueryRunner = (mode) => {
    rejectInTransaction('rows');
    return createQueryRunner(mode);
  };
  const settings = app.get(SettingsService);
  const current = settings.current.bind(settings);
  settings.current = async () => {
    rejectInTransaction('settings');
    return current();
  };
}
