import { createServer } from 'node:net';
import { isFirst } from './test-folder.js';

/** Below what the kernel gives to whoever asks for any port: nobody else takes one before it is listened on. */
const FIRST = 16_000;
const PORTS = 16_000;

/** A port that nothing listens on, which no other call in this jest run gets. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * PORTS);
    if ((await isFree(port)) && isFirst(`port-${port}`)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().on('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}
