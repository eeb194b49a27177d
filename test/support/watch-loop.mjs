// Loaded into a server that is tested, before its own code: tells, when asked over the channel, what was seen since the
// last time, how long the event loop stood still at most and how much memory was in use at most.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION = 5;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
  const seen = { rss: 0, heap: 0, external: 0 };
  const look = () => {
    const { rss, heapUsed, external } = process.memoryUsage();
    seen.rss = Math.max(seen.rss, rss);
    seen.heap = Math.max(seen.heap, heapUsed);
    seen.external = Math.max(seen.external, external);
  };
  const tell = () => {
    look();
    process.send?.({ ...seen, block: Math.max(0, delay.max / 1e6 - RESOLUTION) });
    delay.reset();
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
