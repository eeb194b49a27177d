/** Small: where a few rows have changed, what is not filled would weigh more than the index. */
const PAGE = 1024;

type Numbers = Float64Array | Uint32Array;

/** A list of numbers of unknown length that never copies itself when it grows. */
export class GrowableFloat64Array<T extends Numbers> {
  private readonly pages: T[] = [];
  length = 0;

  constructor(private readonly make: new (length: number) => T) {}

  push(value: number): void {
    const offset = this.length % PAGE;
    if (offset === 0) this.pages.push(new this.make(PAGE));
    const page = this.pages.at(-1);
    if (page) page[offset] = value;
    this.length += 1;
  }

  at(index: number): number {
    return this.pages[Math.floor(index / PAGE)]?.[index % PAGE] ?? 0;
  }

  /** All of them in one piece. */
  singleFlight(): T {
    const all = new this.make(this.length);
    for (const [number, page] of this.pages.entries())
      all.set(page.subarray(0, this.length - number * PAGE), number * PAGE);
    return all;
  }
}
