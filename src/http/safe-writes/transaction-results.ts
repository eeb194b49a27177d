import type { EntityManager } from 'typeorm';
import type { RepeatableResults, WriteTransaction } from '../../common/context/request-store.js';
import { RestException } from '../../common/errors/rest-exception.js';
import { IdempotencyRow } from './idempotency-row.entity.js';

/** The row of a request, before its transactions have written anything. */
export type NewRow = Pick<IdempotencyRow, 'id' | 'fingerprint' | 'createdAt'>;

/**
 * The results of the transactions of one request with an `Idempotency-Key`. Each is stored in its own transaction, so that
 * a request that is sent again runs none of them twice.
 */
export class TransactionResults implements RepeatableResults {
  private begun = 0;
  readonly isReplay: boolean;
  /** Whether the row exists. */
  isStored: boolean;
  private readonly results: Record<number, { result?: unknown }>;

  /** `stored`: the row of the same request that was sent before; `oldest`: rows from before that have expired. */
  constructor(
    private readonly row: NewRow,
    private readonly oldest: number,
    stored?: IdempotencyRow,
  ) {
    this.isReplay = stored !== undefined;
    this.isStored = this.isReplay;
    this.results = stored ? JSON.parse(stored.results) : {};
  }

  begin<Transaction extends WriteTransaction, Result>(work: (transaction: Transaction) => Promise<Result>) {
    const index = this.begun++;
    const known = this.results[index];
    if (known) return { result: known.result as Result };
    const storing = async (transaction: Transaction): Promise<Result> => {
      const result = await work(transaction);
      if (transaction.isNoop) return result;
      await this.store(transaction.manager, index, result);
      transaction.afterCommit(() => {
        this.results[index] = { result };
        this.isStored = true;
      });
      return result;
    };
    return { work: storing };
  }

  private async store(manager: EntityManager, index: number, result: unknown): Promise<void> {
    const { id } = this.row;
    const other = await manager.findOneBy(IdempotencyRow, { id });
    const current = other && Number(other.createdAt) >= this.oldest ? JSON.parse(other.results) : undefined;
    if (current && (!this.isStored || current[index])) throw keyInUse();
    const results = JSON.stringify({ ...current, [index]: { result } });
    if (current) await manager.update(IdempotencyRow, { id }, { results });
    else {
      await manager.delete(IdempotencyRow, { id });
      await manager.insert(IdempotencyRow, { ...this.row, results, response: null });
    }
  }
}

/** Another request with this key is running, or has just been stored. */
export function keyInUse(): RestException {
  return new RestException(
    'conflict',
    'idempotency_key_in_use',
    'Another request with this Idempotency-Key is running. Send it again for its response.',
  );
}
