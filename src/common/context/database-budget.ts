/** How long one request may wait for the database in all, however many statements, connections and others' work that is. */
export class DatabaseBudget {
  private waits = 0;
  /** When the first of the waits that go on began. */
  private since = 0;
  private used = 0;

  /** `limit`: in milliseconds. */
  constructor(private readonly limit: number) {}

  /** What is left, in milliseconds; never less than one, which as a timeout would be none. */
  get remaining(): number {
    const running = this.waits > 0 ? performance.now() - this.since : 0;
    return Math.max(1, this.limit - this.used - running);
  }

  /** A wait begins; waits at the same time count once. */
  begin(): void {
    if (this.waits === 0) this.since = performance.now();
    this.waits += 1;
  }

  end(): void {
    this.waits -= 1;
    if (this.waits === 0) this.used += performance.now() - this.since;
  }

  /** Waits for work that others may have begun; fails as a statement does that is not answered. */
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

/** A request waited for the database for too long. */
const databaseTimedOut = (limit: number): Error =>
  Object.assign(new Error(`the request waited for the database for ${limit} ms`), { code: 'ETIMEDOUT' });
