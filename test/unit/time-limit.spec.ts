import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { withTimeLimit } from '../../src/common/time-limit.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

describe('withTimeLimit', () => {
  it('aborts work after its time, although garbage is collected meanwhile', async () => {
    const timer = setInterval(collectGarbage, 20);
    const work = withTimeLimit(200, [new AbortController().signal], untilAborted);
    await expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
    clearInterval(timer);
  });

  it('aborts work with another signal, with its reason', async () => {
    const other = new AbortController();
    const work = withTimeLimit(60_000, [other.signal], untilAborted);
    other.abort(new Error('stopped'));
    await expect(work).rejects.toThrow('stopped');
  });

  it('returns the result of work that ends in time', async () => {
    expect(await withTimeLimit(60_000, [], async ({ aborted }) => aborted)).toBe(false);
  });
});
