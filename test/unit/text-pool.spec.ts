import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runFor } from '../../src/common/context/abort.js';
import { LongTexts } from '../../src/wordpress/rendering/long-texts.service.js';
import { TextPool, TextsBusy } from '../../src/wordpress/rendering/text-pool.js';

const folder = mkdtempSync(join(tmpdir(), 'almanac-pool-'));
const pools: TextPool[] = [];
const LIMITS = { waiting: 2, time: 20_000, memory: 64 };

/** A pool whose threads do what the text of each job says. */
function unusual(limits: typeof LIMITS = LIMITS): TextPool {
  const file = join(folder, 'worker.mjs');
  writeFileSync(
    file,
    `let count = 0;
     export default ({ input: { text } }) => {
       count++;
       if (text === 'die') process.exit(1);
       if (text === 'hang') for (;;) ;
       if (text === 'fill') for (const all = []; ; ) all.push(new Array(1e6).fill(all));
       if (text === 'wait') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
       if (text === 'throw') throw new TypeError('a mistake');
       return text === 'count' ? String(count) : text.toUpperCase();
     };`,
  );
  const pool = new TextPool(pathToFileURL(file), limits);
  pools.push(pool);
  return pool;
}

const title = (text: string) => ({ text, locale: 'en_US' });
const ask = (pool: TextPool, text: string) => pool.run('title', title(text));

afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the thread pool for long texts', () => {
  it('rejects jobs above its queue limit, and completes the others', async () => {
    const pool = unusual();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => ask(pool, 'wait')));
    const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(rejected.length).toBeGreaterThanOrEqual(4);
    for (const { reason } of rejected) expect(reason).toBeInstanceOf(TextsBusy);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(3);
    expect(await ask(pool, 'next')).toBe('NEXT');
  });

  it.each([
    ['dies', 'die', false],
    ['runs out of memory', 'fill', true],
    ['takes too long', 'hang', true],
  ])('fails only the text of a thread that %s', async (_, text, isTextsFault) => {
    const limits = { ...LIMITS };
    const pool = unusual(limits);
    expect(await ask(pool, 'before')).toBe('BEFORE');
    // Only what hangs is given up soon: on a busy machine it takes a while until a thread has started.
    if (text === 'hang') limits.time = 1500;
    const failing = ask(pool, text);
    // The job reads its limit when it starts.
    await new Promise(setImmediate);
    limits.time = LIMITS.time;
    const [failed, other] = await Promise.allSettled([failing, ask(pool, 'beside')]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { isTextsFault } });
    expect((failed as PromiseRejectedResult).reason).toBeInstanceOf(TextsBusy);
    expect(other).toEqual({ status: 'fulfilled', value: 'BESIDE' });
    expect(await ask(pool, 'next')).toBe('NEXT');
  });

  it('completes queued jobs when threads die', async () => {
    const pool = unusual();
    const [, , ...waiting] = await Promise.allSettled(
      ['die', 'die', 'a', 'b'].map((text) => ask(pool, text)),
    );
    expect(waiting).toEqual(['A', 'B'].map((value) => ({ status: 'fulfilled', value })));
  });

  it('passes on errors of the functions', async () => {
    await expect(ask(unusual(), 'throw')).rejects.toThrow('a mistake');
    await expect(ask(unusual(), 'throw')).rejects.not.toBeInstanceOf(TextsBusy);
  });
});

describe('the cache of processed long texts', () => {
  it('processes once for concurrent calls, and caches the result', async () => {
    const texts = new LongTexts(unusual());
    const together = await Promise.all([1, 2, 3].map(() => texts.get('title', title('count'))));
    expect(new Set(together).size).toBe(1);
    expect(await texts.get('title', title('count'))).toBe(together[0]);
    expect(await texts.get('title', { text: 'other', locale: 'de_DE' })).toBe('OTHER');
  });

  it('joins a job whose client has disconnected', async () => {
    const pool = unusual();
    const texts = new LongTexts(pool);
    const run = jest.spyOn(pool, 'run');
    const first = { aborted: false };
    const result = runFor(first, () => texts.get('title', title('wait')));
    while (run.mock.calls.length === 0) await new Promise(setImmediate);
    first.aborted = true;
    expect(await texts.get('title', title('wait'))).toBe('WAIT');
    expect(await result).toBe('WAIT');
    expect(run).toHaveBeenCalledTimes(1);
  });

  it('distinguishes every argument', async () => {
    const pool = unusual();
    const texts = new LongTexts(pool);
    const run = jest.spyOn(pool, 'run');
    for (let round = 0; round < 2; round++) {
      await texts.get('title', title('a'));
      await texts.get('title', { text: 'a', locale: 'de_DE' });
      await texts.get('title', title('b'));
      await texts.get('jsonLdName', title('a'));
    }
    expect(run).toHaveBeenCalledTimes(4);
  });

  it('does not retry at once a text that failed by its own fault', async () => {
    const limits = { ...LIMITS, time: 1500 };
    const pool = unusual(limits);
    const texts = new LongTexts(pool);
    await expect(texts.get('title', title('hang'))).rejects.toBeInstanceOf(TextsBusy);
    limits.time = LIMITS.time;
    const run = jest.spyOn(pool, 'run');
    await expect(texts.get('title', title('hang'))).rejects.toBeInstanceOf(TextsBusy);
    expect(run).not.toHaveBeenCalled();
    expect(await texts.get('title', title('next'))).toBe('NEXT');
  });
});
