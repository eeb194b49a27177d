import { currentCaller } from '../common/context/abort.js';
import type { HeldSlot } from '../common/context/request-store.js';

/** Limits of the queue; without them all wait for as long as it takes. */
interface QueueLimits {
  waiting?: number;
  /** In milliseconds; 0 means none. */
  timeout?: number;
}

/** Runs a limited number of tasks at a time, first come, first served; a wait that exceeds the limits fails with `ETIMEDOUT`. */
export class Semaphore {
  private readonly waiting = new Set<() => void>();

  constructor(
    private free: number,
    private readonly limits: QueueLimits = {},
  ) {}

  get queued(): number {
    return this.waiting.size;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const caller = currentCaller();
    await this.acquire(caller?.slot);
    const own = { of: this, isHeld: true, isOver: false };
    const isOutermost = caller !== undefined && caller.slot === undefined;
    if (isOutermost) caller.slot = own;
    try {
      return await work();
    } finally {
      own.isOver = true;
      if (isOutermost) caller.slot = undefined;
      if (own.isHeld) this.release();
    }
  }

  /** `held`: a slot of another semaphore, released while this one is waited for, so that nested waits never deadlock. */
  async acquire(held?: HeldSlot): Promise<void> {
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    if (!held?.isHeld) return this.wait();
    held.isHeld = false;
    held.of.release();
    await this.wait();
    if (held.isOver) return;
    try {
      await held.of.acquire();
    } catch (error) {
      this.release();
      throw error;
    }
    // Another part of its work may have failed meanwhile.
    if (held.isOver) held.of.release();
    else held.isHeld = true;
  }

  release(): void {
    const [next] = this.waiting;
    // The next task takes over the slot.
    if (next) next();
    else this.free += 1;
  }

  private wait(): Promise<void> {
    const { waiting = Number.POSITIVE_INFINITY, timeout = 0 } = this.limits;
    // The slots of a semaphore with a timeout stand for database connections.
    const budget = timeout > 0 ? currentCaller()?.budget : undefined;
    const longest = Math.min(timeout, budget?.remaining ?? timeout);
    budget?.begin();
    return new Promise<void>((resolve, reject) => {
      const fail = () => {
        clearTimeout(timer);
        this.waiting.delete(begin);
        reject(Object.assign(new Error(`no slot was free within ${timeout} ms`), { code: 'ETIMEDOUT' }));
      };
      const timer = timeout > 0 ? setTimeout(fail, longest) : undefined;
      const begin = () => {
        clearTimeout(timer);
        this.waiting.delete(begin);
        resolve();
      };
      this.waiting.add(begin);
      if (this.waiting.size > waiting) fail();
    }).finally(() => budget?.end());
  }
}
