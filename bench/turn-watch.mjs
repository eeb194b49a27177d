// Loaded into a server with --import: tells its parent, for whatever that sends, for how many milliseconds of processor time the
// event loop was held at most since the last time. Timers see the time between two rounds of it.
import { isMainThread } from 'node:worker_threads';
import { busyTime } from '../test/support/busy-time.mjs';

const EVERY = 1;

// Threads for long texts load it too.
if (isMainThread) {
  let last = busyTime();
  let most = 0;
  setInterval(() => {
    const now = busyTime();
    most = Math.max(most, now - last);
    last = now;
  }, EVERY).unref();
  const tell = () => {
    process.send(most);
    most = 0;
  };
  // What has just ended is seen by the next timer.
  process.on('message', () => setTimeout(tell, 5 * EVERY));
  process.channel.unref();
}
