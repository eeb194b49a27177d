// Preloaded into a server: on SIGWINCH writes to standard error the longest block of its event loop since the last signal, in wall time and in CPU time.

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
