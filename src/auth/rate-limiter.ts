/** An attempt to sign in, as a `RateLimiter` takes it. */
export interface Attempt {
  /** Whole seconds until the key may try again; 0 when this attempt may go on. Only then it is counted. */
  secondsToWait: number;
  /** Takes back that it counts as failed: it succeeded, or nobody could check it. */
  forgive(): Promise<void>;
}

/**
 * Limits failed sign-ins to the rule of `RATE_LIMIT`. What stands behind this class is replaceable: by itself the
 * workers of a machine count together, and machines where `REDIS_URL` is set. An error of either method fails the request (500).
 */
export abstract class RateLimiter {
  /**
   * Begins an attempt of a key (an address with a user). It counts as failed at once, before its outcome is known, so that
   * many at the same time gain nothing: looking and counting must be one step.
   */
  abstract begin(key: string): Promise<Attempt>;
}
