/** The current time, injected everywhere, so that tests can set it. */
export class Clock {
  /** Epoch milliseconds. */
  now(): number {
    return Date.now();
  }
}
