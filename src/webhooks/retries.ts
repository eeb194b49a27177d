const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The pauses before the second and each later attempt, in milliseconds: two days in all (docs/webhooks.md#retries). */
const PAUSES = [5_000, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 17 * HOUR];
/** The share of a pause by which it is longer at random, so that messages that failed together come back apart. */
const JITTER = 0.1;

/** Milliseconds from a failed attempt to the next one; undefined after the last. */
export function pauseAfterAttempt(attempts: number): number | undefined {
  const pause = PAUSES[attempts - 1];
  return pause === undefined ? undefined : Math.round(pause * (1 + Math.random() * JITTER));
}
