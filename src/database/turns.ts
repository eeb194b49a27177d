import { stillWanted } from './caller.js';

/** How many may wait; who comes then is refused at once. */
const LONGEST_QUEUE = 1000;

/** Does so many pieces of work at once, first come, first served; who has waited for too long fails as for a connection. */
export class Turns {
  private free: number;
  private readonly waiting = new Set<() => void>();

  constructor(
    most: number,
    /** In milliseconds; 0 is for ever. */
    private readonly timeout: number,
  ) {
    this.free = most;
  }

  /** Does work when its turn comes. Throws `CallerGone` when nobody waits for it by then. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await this.next();
    try {
      stillWanted();
      return await work();
    } finally {
      const [next] = this.waiting;
      // Whoever is next takes the turn over.
      if (next) next();
      else this.free += 1;
    }
  }

  private next(): Promise<void> {
    return new Promise((resolve, reject) => {
      const fail = () => {
        this.waiting.delete(begin);
        reject(Object.assign(new Error(`no turn came within ${this.timeout} ms`), { code: 'ETIMEDOUT' }));
      };
      const timer = this.timeout > 0 ? setTimeout(fail, this.timeout) : undefined;
      const begin = () => {
        clearTimeout(timer);
        this.waiting.delete(begin);
        resolve();
      };
      this.waiting.add(begin);
      if (this.waiting.size > LONGEST_QUEUE) fail();
    });
  }
}
