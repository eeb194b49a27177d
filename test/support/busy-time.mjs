import { readFileSync } from 'node:fs';

/** Processor time of this process's main thread in milliseconds, which other processes do not lengthen; NaN where it is not told. */
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
