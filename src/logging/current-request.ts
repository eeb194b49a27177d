import { AsyncLocalStorage } from 'node:async_hooks';
import type { Timings } from './timings.js';

/** The request that work is done for, known wherever that is done. */
export interface CurrentRequest {
  /** What `X-Request-Id` said, or what was made up for it. */
  readonly id: string;
  /** How long its parts take; absent unless `SERVER_TIMING` asks for it. */
  readonly timings?: Timings;
}

const requests = new AsyncLocalStorage<CurrentRequest>();

/** Runs work, and all that it begins, for a request. */
export function workOf<T>(request: CurrentRequest, work: () => T): T {
  return requests.run(request, work);
}

/** The request that is being worked for; undefined for what is done for nobody. */
export function currentRequest(): CurrentRequest | undefined {
  return requests.getStore();
}

/** Does a part of a request's work; its time is added to that part's. */
export function timed<T>(part: string, work: () => Promise<T>): Promise<T> {
  const timings = currentRequest()?.timings;
  return timings ? measured(timings, part, work) : work();
}

async function measured<T>(timings: Timings, part: string, work: () => Promise<T>): Promise<T> {
  timings.begin(part);
  try {
    return await work();
  } finally {
    timings.end(part);
  }
}
