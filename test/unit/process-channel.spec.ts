import { EventEmitter } from 'node:events';
import { Logger } from '@nestjs/common';
import { ProcessChannel, type ProcessRequest } from '../../src/cluster/process-channel.js';

/** Two ends of a channel, as processes have them. */
function channel() {
  const ends = [new EventEmitter(), new EventEmitter()] as const;
  return ends.map((end, n) =>
    Object.assign(end, {
      send: (message: object, done: (error: null) => void) => {
        setImmediate(() => ends[1 - n]?.emit('message', JSON.parse(JSON.stringify(message))));
        done(null);
      },
    }),
  );
}

describe('the process channel', () => {
  const lines = (answer: (question: ProcessRequest) => Promise<unknown>) => {
    const [here, there] = channel().map(
      (end) => end as unknown as ConstructorParameters<typeof ProcessChannel>[0],
    );
    if (!here || !there) throw new Error('no ends');
    new ProcessChannel(there, answer);
    return new ProcessChannel(here, async () => undefined);
  };

  it('returns the reply', async () => {
    const line = lines(async ({ ask }) => `${ask} it is`);
    expect(await line.ask({ ask: 'forget' }, 1000)).toBe('forget it is');
  });

  it('resolves to undefined at once, and logs the error, when the other process fails', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    const line = lines(async () => {
      throw new Error('a gauge that fails');
    });
    const begun = performance.now();
    expect(await line.ask({ ask: 'metrics' }, 20_000)).toBeUndefined();
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('a gauge that fails'));
    logged.mockRestore();
  });
});
