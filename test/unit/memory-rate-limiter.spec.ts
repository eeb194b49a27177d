import { MemoryRateLimiter } from '../../src/auth/rate-limiter.js';
import { readEnvironment } from '../../src/config/env.js';

describe('failed attempts', () => {
  let now = 0;
  const limiter = (rule: string) => {
    now = 1_000_000;
    return new MemoryRateLimiter(readEnvironment({ RATE_LIMIT: rule }), { now: () => now });
  };
  /** Begins an attempt that fails, and says how long it must wait instead. */
  const waits = async (of: MemoryRateLimiter, key: string) => (await of.begin(key)).secondsToWait;

  it('block after the last allowed failure, until the first one has expired', async () => {
    const failed = limiter('3/1m');
    for (let count = 0; count < 3; count++) {
      expect(await waits(failed, 'a')).toBe(0);
      now += 10_000;
    }
    expect(await waits(failed, 'a')).toBe(30);
    now += 29_999;
    expect(await waits(failed, 'a')).toBe(1);
    now += 1;
    expect(await waits(failed, 'a')).toBe(0);
    expect(await waits(failed, 'a')).toBe(10);
  });

  it('are counted atomically with the check', async () => {
    const failed = limiter('3/1m');
    const many = await Promise.all(Array.from({ length: 50 }, () => waits(failed, 'a')));
    expect(many.filter((wait) => wait === 0)).toHaveLength(3);
  });

  it('are not counted while the key is blocked', async () => {
    const failed = limiter('1/1m');
    await failed.begin('a');
    now += 59_000;
    const rejected = await failed.begin('a');
    expect(rejected.secondsToWait).toBe(1);
    await rejected.forgive();
    expect(await waits(failed, 'a')).toBe(1);
    now += 1000;
    expect(await waits(failed, 'a')).toBe(0);
  });

  it('count for each key separately', async () => {
    const failed = limiter('1/1m');
    await failed.begin('a');
    expect([await waits(failed, 'a'), await waits(failed, 'b')]).toEqual([60, 0]);
  });

  it('are forgiven one at a time, and once', async () => {
    const failed = limiter('2/1m');
    await failed.begin('a');
    now += 10_000;
    const { forgive } = await failed.begin('a');
    expect(await waits(failed, 'a')).toBe(50);
    await forgive();
    await forgive();
    expect(await waits(failed, 'a')).toBe(0);
    expect(await waits(failed, 'a')).toBe(50);
  });

  it('are stored for a bounded number of keys, the latest', async () => {
    const failed = limiter('1/1m');
    await failed.begin('first');
    for (let index = 0; index < 9999; index++) await failed.begin(`key ${index}`);
    // Being looked at makes no key younger.
    expect(await waits(failed, 'first')).toBe(60);
    await failed.begin('one more');
    expect(await waits(failed, 'first')).toBe(0);
    expect(await waits(failed, 'one more')).toBe(60);
    for (let index = 0; index < 11_000; index++) await failed.begin(`other ${index}`);
    expect(await waits(failed, 'one more')).toBe(0);
    expect(await waits(failed, 'other 10999')).toBe(60);
  });

  it('are not counted when the rule is off', async () => {
    const failed = limiter('off');
    for (let index = 0; index < 100; index++) expect(await waits(failed, 'a')).toBe(0);
  });

  it('keep a key blocked while 10,000 random keys fail', async () => {
    const failed = limiter('3/1m');
    for (let count = 0; count < 3; count++) await failed.begin('locked');
    for (let count = 0; count < 10_500; count++) await failed.begin(`made up ${count}`);
    for (let count = 0; count < 10_500; count++) await failed.begin(`made up ${count}`);
    expect(await waits(failed, 'locked')).toBeGreaterThan(0);
    expect(await waits(failed, 'made up 10499')).toBe(0);
  });
});
