// Preloaded into a tested server: reports on request over the IPC channel the longest block of the event loop and the highest memory use since the last report.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { busyTime } from './busy-time.mjs';

const RESOLUTION = 5;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  const seen = { rss: 0, heap: 0, external: 0 };
  let last = busyTime();
  let busiest = 0;
  const look = () => {
    const now = busyTime();
    busiest = Math.max(busiest, now - last);
    last = now;
    const { rss, heapUsed, external } = process.memoryUsage();
    seen.rss = Math.max(seen.rss, rss);
    seen.heap = Math.max(seen.heap, heapUsed);
    seen.external = Math.max(seen.external, external);
  };
  const tell = () => {
    look();
    // In CPU time where known: a busy machine stalls the loop too.
    const block = Number.isNaN(busiest) ? Math.max(0, delay.max / 1e6 - RESOLUTION) : busiest;
    process.send?.({ ...seen, block });
    delay.reset();
    busiest = 0;
    Object.assign(seen, { rss: 0, heap: 0, external: 0 });
  };
  delay.enable();
  setInterval(look, 20).unref();
  // A block that has just ended is recorded when the next timer fires.
  process.on('message', () => setTimeout(tell, 4 * RESOLUTION));
  // The watching process has died.
  process.on('disconnect', () => process.exit());
  process.channel?.unref();
}
