// Loaded into a server before it starts: on SIGWINCH it says on standard error how long its event loop was held at most
// since the last time: by the clock, and in processor time, which other processes do not lengthen.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { busyTime } from './busy-time.mjs';

const RESOLUTION = 1;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  delay.enable();
  let last = busyTime();
  let busiest = 0;
  const look = () => {
    const now = busyTime();
    busiest = Math.max(busiest, now - last);
    last = now;
    setTimeout(look, RESOLUTION).unref();
  };
  look();
  process.on('SIGWINCH', () => {
    process.stderr.write(`${JSON.stringify({ clock: delay.max / 1e6, busy: busiest })}\n`);
    delay.reset();
    busiest = 0;
  });
}
