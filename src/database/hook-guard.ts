import type { DataSource } from 'typeorm';
import { getStore, runWith } from '../common/context/request-store.js';

/**
 * Makes repositories an error in hooks that run inside a transaction. They take another connection, which does not see the
 * transaction and may wait for it; on SQLite, with its single connection, nothing else would show the mistake.
 */
export function withHookGuard(source: DataSource): DataSource {
  const create = source.createQueryRunner.bind(source);
  source.createQueryRunner = (mode) => {
    const { hook, write } = getStore() ?? {};
    if (hook !== undefined && write?.isOpen)
      throw new Error(
        `The hook ${hook} runs inside a transaction: use transaction.manager, as repositories and data sources take another connection.`,
      );
    return create(mode);
  };
  return source;
}

/** Runs a read of Almanac itself, such as of expired settings, which a hook may cause. */
export function beyondHooks<T>(read: () => T): T {
  const store = getStore();
  return store?.hook === undefined ? read() : runWith({ ...store, hook: undefined }, read);
}
