import { withinBudget, runInBackground } from '../common/context/abort.js';

/**
 * Something that is read once for each version of what it is read from, whoever asks, and not twice at the same time: who knows of
 * a change that came after a reading was begun waits for the next one, together with all others.
 */
export class VersionedCache<T> {
  private known?: { version: number; value: T };
  private next?: Promise<T | undefined>;
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    /** What there is now; undefined where that can not be known. */
    private readonly version: () => Promise<number | undefined>,
    private readonly read: () => Promise<T>,
    /** Whether it is small enough to be kept for who comes later. */
    private readonly mayKeep: (value: T) => boolean = () => true,
  ) {}

  /** As of now; undefined where nothing may be kept. */
  async get(): Promise<T | undefined> {
    const version = await this.version();
    if (version === undefined) return undefined;
    if (this.known?.version === version) return this.known.value;
    this.next ??= this.last.then(() => runInBackground(() => this.renewed()));
    const { next } = this;
    this.last = next.catch(() => undefined);
    return withinBudget(next);
  }

  private async renewed(): Promise<T | undefined> {
    // Who comes from now on may know of more.
    this.next = undefined;
    const version = await this.version();
    if (version === undefined) return undefined;
    if (this.known?.version === version) return this.known.value;
    const value = await this.read();
    this.known = this.mayKeep(value) ? { version, value } : undefined;
    return value;
  }
}
