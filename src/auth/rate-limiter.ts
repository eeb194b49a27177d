/** A login attempt of a `RateLimiter`. */
export interface Attempt {
  /** Whole seconds until the key may try again; 0 allows and counts this attempt. */
  secondsToWait: number;
  /** Removes the failure: the attempt succeeded or could not be checked. */
  forgive(): Promise<void>;
}

/**
 * Limits failed logins by the rule of `RATE_LIMIT`; replaceable by plugins. By default the workers of a machine share
 * one count, and machines with `REDIS_URL`. An error of either method fails the request (500).
 */
export abstract class RateLimiter {
  /**
   * Begins an attempt of a key (address and user). It counts as failed until forgiven, so that concurrent attempts gain
   * nothing; checking and counting must be atomic.
   */
  abstract begin(key: string): Promise<Attempt>;
}
