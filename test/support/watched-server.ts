import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuiltServer, startBuilt } from './built-server.js';

/** How long a server may take to say what it saw, in milliseconds: longer than any block that is reported. */
const PATIENCE = 120_000;

/** The most that was seen of a server since the last look. */
export interface Seen {
  /** Longest time that the event loop stood still, in milliseconds. */
  block: number;
  /** Memory of the process, of its heap, and of buffers outside of it, in bytes. */
  rss: number;
  heap: number;
  external: number;
}

/** A built server that tells how it fares. */
export interface WatchedServer extends BuiltServer {
  /** What was seen since the last call; nothing of a server that died. */
  seen(): Promise<Seen | undefined>;
}

/** Starts the built server with a small heap and an eye on its event loop. */
export async function startWatched(databaseUrl: string, heapMegabytes: number): Promise<WatchedServer> {
  const watch = pathToFileURL(join(__dirname, 'watch-loop.mjs')).href;
  const flags = [`--max-old-space-size=${heapMegabytes}`, '--import', watch];
  // A body that is shorter than it was announced swallows the next request of its connection, which nobody answers: the client
  // hears of it when the idle connection is closed.
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
    const timer = setTimeout(died, PATIENCE);
    child.on('message', hear).on('exit', died);
    child.send('seen');
  });
}
