import { type CurrentRequest, getStore } from '../../common/context/request-store.js';

/** The current request; undefined for background work. */
export function currentRequest(): CurrentRequest | undefined {
  return getStore()?.request;
}

/** Runs work and adds its duration to a part of `Server-Timing`. */
export function timed<T>(part: string, work: () => Promise<T>): Promise<T> {
  const timings = currentRequest()?.timings;
  return timings ? measured(timings, part, work) : work();
}

async function measured<T>(
  timings: NonNullable<CurrentRequest['timings']>,
  part: string,
  work: () => Promise<T>,
): Promise<T> {
  timings.begin(part);
  try {
    return await work();
  } finally {
    timings.end(part);
  }
}
