import { HttpException } from '@nestjs/common';
import type { Transaction } from '../database/transactions.js';
import { ImportedConcurrently } from './imported-event-index.js';

interface Waiting {
  order: number;
  work: (transaction: Transaction) => Promise<unknown>;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/**
 * Collects the writes of several members into one transaction, which starts when each member has a write pending or has
 * ended.
 */
export class WriteGroup {
  /** Whether writes may still join. */
  isOpen = true;
  /** Whether the group's writes are running. */
  isWriting = false;
  private readonly waiting: Waiting[] = [];
  private expected: number;

  constructor(
    size: number,
    private readonly run: (write: (transaction: Transaction) => Promise<void>) => Promise<void>,
  ) {
    this.expected = size;
  }

  /** Runs a member, whose first write joins the group. */
  async member<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.arrive();
    }
  }

  /** Queues a write for the shared transaction, by ascending `order`; a failed write only rolls back its own part. */
  join<T>(order: number, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ order, work, resolve, reject });
      this.arrive();
    });
  }

  private arrive(): void {
    // Members also end after their write.
    if (!this.isOpen) return;
    this.expected -= 1;
    if (this.expected > 0) return;
    this.isOpen = false;
    if (this.waiting.length > 0) void this.write();
  }

  private async write(): Promise<void> {
    const members = this.waiting.toSorted((a, b) => a.order - b.order);
    let tell: (() => void)[] = [];
    try {
      await this.run(async (transaction) => {
        this.isWriting = true;
        // A retry repeats the whole transaction.
        tell = [];
        let written = 0;
        for (const { work, resolve, reject } of members) {
          try {
            const result = await transaction.savepoint(() => work(transaction));
            tell.push(() => resolve(result as never));
            written += 1;
          } catch (error) {
            if (!(error instanceof HttpException || error instanceof ImportedConcurrently)) throw error;
            tell.push(() => reject(error));
          }
        }
        transaction.isNoop = written === 0;
      });
    } catch (error) {
      tell = members.map(
        ({ reject }) =>
          () =>
            reject(error),
      );
    } finally {
      this.isWriting = false;
    }
    for (const one of tell) one();
  }
}
