import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy that serves a server below a path prefix, which it removes. */
export async function startProxy(target: string, below: string) {
  const server = createServer((requested, response) => {
    const { url = '', method, headers } = requested;
    if (!url.startsWith(below)) return response.writeHead(404).end();
    const passed = request(target + url.slice(below.length), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    return requested.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${below}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
