import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuiltServer, startBuilt } from './built-server.js';

/** The time limit of a report, in milliseconds: longer than any reported block. */
const TIMEOUT_MS = 120_000;

/** Maxima of a server since the last report. */
export interface Seen {
  /** The longest block of the event loop, in milliseconds. */
  block: number;
  /** Memory of the process, its heap, and its external buffers, in bytes. */
  rss: number;
  heap: number;
  external: number;
}

/** A built server that reports its event loop and memory. */
export interface WatchedServer extends BuiltServer {
  /** The maxima since the last call; none of a server that died. */
  seen(): Promise<Seen | undefined>;
}

/** Starts the built server with a small heap, and with the watch. */
export async function startWatched(databaseUrl: string, heapMegabytes: number): Promise<WatchedServer> {
  const watch = pathToFileURL(join(__dirname, 'watch-loop.mjs')).href;
  const flags = [`--max-old-space-size=${heapMegabytes}`, '--import', watch];
  // A body shorter than announced swallows the next request of its connection: the client learns of it when the idle connection is closed.
  const server = await startBuilt(databaseUrl, flags, { env: { KEEP_ALIVE_TIMEOUT: '5s' } });
  return { ...server, seen: () => seen(server) };
}

function seen(server: BuiltServer): Promise<Seen | undefined> {
  const child = server.child();
  if (!child?.connected) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const done = (answer?: Seen) => {
      clearTimeout(timer);
      child.off('message', hear).off('exit', died);
      resolve(answer);
    };
    const hear = (answer: unknown) => done(answer as Seen);
    const died = () => done();
    const timer = setTimeout(died, TIMEOUT_MS);
    child.on('message', hear).on('exit', died);
    child.send('seen');
  });
}
