/** Limits the total time that one request waits for the database, over all statements, connections and shared work. */
export class DatabaseBudget {
  private waits = 0;
  /** Start of the current period of waiting. */
  private since = 0;
  private used = 0;

  /** `limit`: in milliseconds. */
  constructor(private readonly limit: number) {}

  /** In milliseconds; at least 1, as 0 would mean no timeout. */
  get remaining(): number {
    const running = this.waits > 0 ? performance.now() - this.since : 0;
    return Math.max(1, this.limit - this.used - running);
  }

  /** Begins a wait; concurrent waits count once. */
  begin(): void {
    if (this.waits === 0) this.since = performance.now();
    this.waits += 1;
  }

  end(): void {
    this.waits -= 1;
    if (this.waits === 0) this.used += performance.now() - this.since;
  }

  /** Waits for shared work; fails with `ETIMEDOUT` as a statement does. */
  async wait<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(databaseTimedOut(this.limit)), this.remaining);
    });
    this.begin();
    try {
      return await Promise.race([work, late]);
    } finally {
      clearTimeout(timer);
      this.end();
    }
  }
}

const databaseTimedOut = (limit: number): Error =>
  Object.assign(new Error(`the request waited for the database for ${limit} ms`), { code: 'ETIMEDOUT' });
