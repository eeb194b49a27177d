import { createServer } from 'node:net';
import { isFirst } from './test-folder.js';

/** Below the kernel's ephemeral range, so that no other socket takes it before the server listens. */
const FIRST = 16_000;
const PORTS = 16_000;

/** A free port that no other call in this jest run returns. */
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
