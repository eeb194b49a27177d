import type { Transaction } from '../../database/transactions.js';
import { RestException } from '../../common/errors/rest-exception.js';
import { ImportedConcurrently } from './imported-event-index.js';

interface Waiting {
  order: number;
  work: (transaction: Transaction) => Promise<unknown>;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/** Several members whose writes go into one transaction: it begins once each of them has come with its write, or has ended. */
export class WriteGroup {
  /** Whether writes may still join. */
  isOpen = true;
  /** Whether the writes of the group run. */
  isWriting = false;
  private readonly waiting: Waiting[] = [];
  private expected: number;

  constructor(
    size: number,
    private readonly run: (write: (transaction: Transaction) => Promise<void>) => Promise<void>,
  ) {
    this.expected = size;
  }

  /** Runs what a member does, whose first write joins the group. */
  async member<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.arrive();
    }
  }

  /** Waits for the transaction of all, where writes run by ascending `order`. One that fails takes back its own part only. */
  join<T>(order: number, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ order, work, resolve, reject });
      this.arrive();
    });
  }

  private arrive(): void {
    // Members end once more after their write.
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
        // Tried again, the whole of it is done anew.
        tell = [];
        let written = 0;
        for (const { work, resolve, reject } of members) {
          try {
            const result = await transaction.savepoint(() => work(transaction));
            tell.push(() => resolve(result as never));
            written += 1;
          } catch (error) {
            if (!(error instanceof RestException || error instanceof ImportedConcurrently)) throw error;
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
