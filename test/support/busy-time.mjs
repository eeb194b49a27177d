import { readFileSync } from 'node:fs';

/** CPU time of this process's main thread in milliseconds, independent of other processes; NaN where unavailable. */
export function busyTime() {
  try {
    const [nanoseconds] = readFileSync(`/proc/${process.pid}/task/${process.pid}/schedstat`, 'utf8').split(
      ' ',
    );
    return Number(nanoseconds) / 1e6;
  } catch {
    return Number.NaN;
  }
}
