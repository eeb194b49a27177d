import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RateLimitedClient } from '../../src/cli/verify/rate-limited-client.js';

describe('the rate-limited client', () => {
  it('sends no more requests than its rate, however many wait', async () => {
    const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const client = new RateLimitedClient(base, { rate: 20, timeout: 30_000 });
      const begun = performance.now();
      const answers = await Promise.all(Array.from({ length: 11 }, (_, at) => client.ask(`/${at}`)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      // Ten pauses of 50 ms; a busy machine only makes them longer, and timers round down.
      expect(performance.now() - begun).toBeGreaterThanOrEqual(490);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
