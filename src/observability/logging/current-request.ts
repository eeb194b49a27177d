import { type CurrentRequest, getStore } from '../../common/context/request-store.js';

/** The request that is being worked for; undefined for what is done for nobody. */
export function currentRequest(): CurrentRequest | undefined {
  return getStore()?.request;
}

/** Does a part of a request's work; its time is added to that part's. */
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
