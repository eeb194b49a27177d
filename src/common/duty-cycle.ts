import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Pauses, as multiples of the duration of a step: where the event loop is idle, and where others use it. */
const IDLE_PAUSE = 0.5;
const BUSY_PAUSE = 9;
/** The share of a pause from which on others count as busy. */
const BUSY = 0.1;

/** Pauses background work after a step of so many milliseconds: a duty cycle of two thirds, or of a tenth under load. */
export async function pauseAfter(step: number, signal: AbortSignal): Promise<void> {
  const before = performance.eventLoopUtilization();
  await pause(step * IDLE_PAUSE, signal);
  const { utilization } = performance.eventLoopUtilization(before);
  if (utilization > BUSY) await pause(step * BUSY_PAUSE, signal);
}

/** Ends early when it is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { ref: false, signal }).catch(() => undefined);
}
