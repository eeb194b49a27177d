import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for work, at most this many milliseconds; whether it ended in time. Rejects as the work does. */
export async function endsWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(milliseconds, false, { ref: false, signal: timer.signal }).catch(() => false);
  return Promise.race([work.then(() => true), late]).finally(() => timer.abort());
}
