// Loaded into a server that is tested, before its own code: tells, when asked over the channel, what was seen since the
// last time, how long one turn of the event loop took at most and how much memory was in use at most.

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
    // In processor time, where that is known: a machine that is busy with others stands still too.
    const block = Number.isNaN(busiest) ? Math.max(0, delay.max / 1e6 - RESOLUTION) : busiest;
    process.send?.({ ...seen, block });
    delay.reset();
    busiest = 0;
    Object.assign(seen, { rss: 0, heap: 0, external: 0 });
  };
  delay.enable();
  setInterval(look, 20).unref();
  // A block that has just ended is noted when the next timer fires.
  process.on('message', () => setTimeout(tell, 4 * RESOLUTION));
  // Whoever watches has died.
  process.on('disconnect', () => process.exit());
  process.channel?.unref();
}
