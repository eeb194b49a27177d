import { currentAbortState } from '../common/context/abort.js';
import type { HeldTurn } from '../common/context/request-store.js';

/** How long and how many may wait; without a word all do, for ever. */
interface Limits {
  waiting?: number;
  /** In milliseconds; 0 is for ever. */
  timeout?: number;
}

/** Lets a few pieces of work run at the same time, first come, first served; who waits for too long fails as for a connection. */
export class Semaphore {
  private readonly waiting = new Set<() => void>();

  constructor(
    private free: number,
    private readonly limits: Limits = {},
  ) {}

  /** How many wait. */
  get queued(): number {
    return this.waiting.size;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    const caller = currentAbortState();
    await this.enter(caller?.turn);
    const own = { of: this, isHeld: true, isOver: false };
    const isOutermost = caller !== undefined && caller.turn === undefined;
    if (isOutermost) caller.turn = own;
    try {
      return await work();
    } finally {
      own.isOver = true;
      if (isOutermost) caller.turn = undefined;
      if (own.isHeld) this.leave();
    }
  }

  /** `held`: another turn, which is given back for as long as this one has to be waited for. */
  async enter(held?: HeldTurn): Promise<void> {
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    if (!held?.isHeld) return this.next();
    held.isHeld = false;
    held.of.leave();
    await this.next();
    if (held.isOver) return;
    try {
      await held.of.enter();
    } catch (error) {
      this.leave();
      throw error;
    }
    // Its work may have failed meanwhile, without this part of it.
    if (held.isOver) held.of.leave();
    else held.isHeld = true;
  }

  leave(): void {
    const [next] = this.waiting;
    // Whoever is next takes the turn over.
    if (next) next();
    else this.free += 1;
  }

  private next(): Promise<void> {
    const { waiting = Number.POSITIVE_INFINITY, timeout = 0 } = this.limits;
    // A limit is that of connections, which turns stand for.
    const budget = timeout > 0 ? currentAbortState()?.budget : undefined;
    const most = Math.min(timeout, budget?.remaining ?? timeout);
    budget?.begin();
    return new Promise<void>((resolve, reject) => {
      const fail = () => {
        clearTimeout(timer);
        this.waiting.delete(begin);
        reject(Object.assign(new Error(`no turn came within ${timeout} ms`), { code: 'ETIMEDOUT' }));
      };
      const timer = timeout > 0 ? setTimeout(fail, most) : undefined;
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
