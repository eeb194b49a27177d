/** How long and how many may wait; without a word all do, for ever. */
interface Limits {
  waiting?: number;
  /** In milliseconds; 0 is for ever. */
  timeout?: number;
}

/** Lets a few pieces of work run at the same time, first come, first served; who waits for too long fails as for a connection. */
export class Turns {
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
    if (this.free > 0) this.free -= 1;
    else await this.next();
    try {
      return await work();
    } finally {
      const [next] = this.waiting;
      // Whoever is next takes the turn over.
      if (next) next();
      else this.free += 1;
    }
  }

  private next(): Promise<void> {
    const { waiting = Number.POSITIVE_INFINITY, timeout = 0 } = this.limits;
    return new Promise((resolve, reject) => {
      const fail = () => {
        clearTimeout(timer);
        this.waiting.delete(begin);
        reject(Object.assign(new Error(`no turn came within ${timeout} ms`), { code: 'ETIMEDOUT' }));
      };
      const timer = timeout > 0 ? setTimeout(fail, timeout) : undefined;
      const begin = () => {
        clearTimeout(timer);
        this.waiting.delete(begin);
        resolve();
      };
      this.waiting.add(begin);
      if (this.waiting.size > waiting) fail();
    });
  }
}
